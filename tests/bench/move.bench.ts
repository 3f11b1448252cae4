/**
 * `npm run move`: 100,000 dogs to PostgreSQL and back, 10,000 photos to a bucket and back, with the comparison at the end of each. Both
 * services are real and on this machine: what a network adds is not measured. `BENCH_DOGS` and `BENCH_PHOTOS` measure other sizes.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { printTable } from '#tests/support/load/measure.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { startBucket } from '#tests/support/storage/bucket.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)
const PHOTOS = Number(process.env.BENCH_PHOTOS ?? 10_000)
const PHOTO_BYTES = 40_000

const root = mkdtempSync(join(tmpdir(), 'perrario-bench-move-'))
const [there, back] = ['there', 'back'].map((name) => join(root, name)) as [string, string]
for (const folder of [there, back]) mkdirSync(join(folder, 'photos'), { recursive: true })
copyFileSync(join(await prepareCommunity(DOGS), 'perrario.db'), join(there, 'perrario.db'))
for (let n = 0; n < PHOTOS; n++)
  writeFileSync(join(there, 'photos', `${randomUUID()}.jpg`), randomBytes(PHOTO_BYTES + (n % 100)))

const rows: (string | number)[][] = []
/** Moves, and adds a row. @returns the digest of what is equal on both sides */
async function measure(what: string, words: string[], env: Record<string, string>, megabytes: number): Promise<string> {
  const start = performance.now()
  const { code, output } = await runCommand('move', words, env)
  const seconds = (performance.now() - start) / 1000
  const [, count, digest] = /^perrario · ([\d.]+) (?:filas?|fotos?) iguale?s? .*\b([0-9a-f]{16})\)$/m.exec(output) ?? []
  if (code !== 0 || !count || !digest) throw new Error(output)
  const number = Number(count.replaceAll('.', ''))
  rows.push([
    what,
    number.toLocaleString('en'),
    megabytes,
    seconds,
    Math.round(number / seconds).toLocaleString('en'),
    megabytes / seconds,
  ])
  return digest
}

const postgres = freshPostgresDb({ template: 'template1', applicationName: 'bench' })
await sql`SELECT 1`.execute(postgres)
const url = await postgresUrlOf(postgres)
const databaseMegabytes = statSync(join(there, 'perrario.db')).size / 1e6
const digests = [
  await measure('database to PostgreSQL', ['--to', url], { DATA_DIR: there }, databaseMegabytes),
  await measure('database back', ['--from', url], { DATA_DIR: back }, databaseMegabytes),
]
await postgres.destroy()

const bucket = await startBucket()
const photoMegabytes = (PHOTOS * PHOTO_BYTES) / 1e6
digests.push(
  await measure('photos to the bucket', ['--to-bucket'], { DATA_DIR: there, ...bucket.env }, photoMegabytes),
  await measure('photos back', ['--from-bucket'], { DATA_DIR: back, ...bucket.env }, photoMegabytes),
)
await bucket.dispose()
if (digests[0] !== digests[1] || digests[2] !== digests[3]) throw new Error(`Not equal: ${digests.join(' ')}`)

console.log(`${DOGS} dogs, ${PHOTOS} photos of ${PHOTO_BYTES / 1000} kB; copied and compared`)
printTable(['move', 'rows or photos', 'MB', 'takes s', 'a second', 'MB a second'], rows)
rmSync(root, { recursive: true, force: true })
