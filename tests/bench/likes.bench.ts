/**
 * Likes over HTTP from 400 members: 500 a second for ten seconds, each at its own time, then as fast as the server takes them, over SQLite and
 * over PostgreSQL beside it, with its own settings for durability. To reach (issues 3 and 11): 500 sustained, none lost, counts exact.
 * BENCH_DATABASES=postgres names one of the two.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { printTable, residentMB } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { measureLikes } from './lib/like-load.ts'
import { BENCH_DATABASES, copyToPostgres } from './lib/postgres-copy.ts'
import { createBenchWorld } from './lib/signed-in-members.ts'

const SECONDS = 10
const MEMBERS = 400
const DOGS = 1000

const rows: Record<string, (string | number)[]> = {}
for (const database of BENCH_DATABASES) {
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-likes-'))
  const world = await createBenchWorld(dataDir, DOGS, MEMBERS)
  const { db, env } = database === 'postgres' ? await moveToPostgres(dataDir) : openFile(dataDir)
  const server = await startMeasuredServer(env)
  const figures = await measureLikes(server.url, world, db, SECONDS)
  const memory = await residentMB(server.pid())
  for (const [name, figure] of Object.entries({ ...figures, 'memory MB': memory })) (rows[name] ??= []).push(figure)
  await server.stop()
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}
printTable(
  ['', ...BENCH_DATABASES],
  Object.entries(rows).map(([name, figures]) => [name, ...figures]),
)

function openFile(dataDir: string) {
  return { db: openDatabase(join(dataDir, 'perrario.db')), env: { DATA_DIR: dataDir } }
}

async function moveToPostgres(dataDir: string) {
  const { url, db } = await copyToPostgres(dataDir)
  return { db, env: { DATABASE_URL: url } as Record<string, string> }
}
