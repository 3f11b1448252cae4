import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../../..')
const START_TIMEOUT_MS = 60_000

/** The process whose end ends the server: that of `npm test`, or a file that runs alone. */
const owner = Number(process.env.TESTS_PID ?? process.pid)
const folder = join(tmpdir(), `perrario-postgres-${owner}`)

let started: Promise<string> | undefined

/** The folder of the running server's socket: the first test of a run that asks starts it, the others find it. */
export const postgresFolder = (): Promise<string> => (started ??= findOrStart())

async function findOrStart(): Promise<string> {
  if (claimFolder()) startKeeper()
  for (const start = Date.now(); !existsSync(join(folder, 'ready')); await wait(50)) {
    const error = join(folder, 'error')
    if (existsSync(error)) throw new Error(`PostgreSQL does not start: ${readFileSync(error, 'utf8')}`)
    if (Date.now() - start > START_TIMEOUT_MS) throw new Error(`PostgreSQL does not start in ${folder}`)
  }
  return folder
}

/** False where another process of the run was first. */
function claimFolder(): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Detached: it outlives the process that starts it, which may be one of many, and removes its folder at the end. */
function startKeeper(): void {
  const log = openSync(join(folder, 'log'), 'w')
  const args = ['--disable-warning=ExperimentalWarning', 'tests/support/postgres/keeper.ts', folder, String(owner)]
  // A test may have taken others' rights away; the server's own user reads what the keeper writes.
  const umask = process.umask(0o022)
  spawn(process.execPath, args, { cwd: root, detached: true, stdio: ['ignore', log, log] }).unref()
  process.umask(umask)
  closeSync(log)
}
