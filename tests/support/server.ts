import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Trx as Db } from '#db/client.ts'
import { DATABASE_FILE } from '#server/db.ts'
import { migratedSnapshot } from './migrated-snapshot.ts'
import { createPostgresDatabase } from './postgres/databases.ts'
import { openServerDatabase } from './server-database.ts'
import runtime from '../../scripts/lib/runtime.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')

/** `await using` disposes of it where its block ends. */
export interface TestServer extends AsyncDisposable {
  url: string
  dataDir: string
  /** The database on the run's PostgreSQL; undefined: it is in `dataDir`. */
  databaseUrl: string | undefined
  /** Its database on a connection of the test's own, open from the first use until `dispose`: as a process that uses the data. */
  readonly db: Db
  /** The process that serves now. */
  pid: () => number
  /** What the server printed so far. */
  output: () => string
  /** Sends SIGTERM, waits for the end, answers the exit code. Keeps the data directory. */
  stop: () => Promise<number>
  /** Ends it at once, whatever it is doing, as a crash or a power cut of the process would; `restart` starts it again. */
  kill: () => Promise<void>
  /** Starts again over the same data directory and port. */
  restart: () => Promise<void>
  /** Stops and removes the data directory. */
  dispose: () => Promise<void>
}

/** A port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** The environment of a test server: nothing of the machine's own settings reaches it, and no night makes a backup. */
export function serverEnv(extra: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH!,
    HOME: process.env.HOME ?? '/',
    TZ: 'UTC',
    HOST: '127.0.0.1',
    BACKUPS: 'off',
    // npm test keeps compiled code between the servers it starts.
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    // Tests write into the server's database themselves and read the page at once.
    PAGE_CACHE_POLL_MS: '0',
    ...extra,
  }
}

/** Where an operator's command finds the data of a server. */
export const operatorEnv = ({ dataDir, databaseUrl }: Pick<TestServer, 'dataDir' | 'databaseUrl'>) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})

/** Runs scripts/serve.mjs until it ends; for tests of a start that must fail. */
export async function runToEnd(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['scripts/serve.mjs'], { cwd: root, env: serverEnv(env) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'exit')
  return { code, output }
}

/**
 * The real server (scripts/serve.mjs over `dist`) on a free port with a data directory of its own. The build must be
 * there: `npm test` makes it first. With `TESTS_DATABASE=postgres` it has a database of its own there, unless `env` says where its data is.
 */
export async function startServer(env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'perrario-test-'))
  const postgres =
    process.env.TESTS_DATABASE === 'postgres' && !env.DATA_DIR && !env.DATABASE_URL
      ? await createPostgresDatabase()
      : undefined
  const databaseUrl = env.DATABASE_URL ?? postgres?.url
  // A folder of its own begins with a migrated database; one that a test brings is left as it is.
  if (!env.DATA_DIR && databaseUrl === undefined)
    writeFileSync(join(dataDir, DATABASE_FILE), await migratedSnapshot(), { mode: 0o600 })
  let port = await freePort()
  let child: ChildProcess
  let output = ''
  let started = false

  const start = async (tries = 10): Promise<void> => {
    const from = output.length
    child = spawn(process.execPath, [...runtime.args, 'scripts/serve.mjs'], {
      cwd: root,
      env: serverEnv({
        ...runtime.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...env,
      }),
    })
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
    while (!output.slice(from).includes('listo en')) {
      // Another file's server, or a browser's own end of a connection, was faster to this port.
      if (child.exitCode !== null && output.slice(from).includes('está ocupado') && tries-- > 0) {
        output = output.slice(0, from)
        if (!started) port = await freePort()
        else await new Promise((done) => setTimeout(done, 300))
        return start(tries)
      }
      if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`)
      await new Promise((done) => setTimeout(done, 20))
    }
    started = true
  }
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode
    if (child.signalCode !== null) return 1
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    return code as number
  }
  let db: Db | undefined
  const dispose = async () => {
    await db?.destroy()
    await stop()
    await postgres?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    databaseUrl,
    get db() {
      return (db ??= openServerDatabase({ dataDir, databaseUrl }))
    },
    pid: () => child.pid!,
    output: () => output,
    stop,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    restart: async () => {
      await stop()
      await start()
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
