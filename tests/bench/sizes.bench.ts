/**
 * What a community weighs in PostgreSQL and in SQLite: bytes of each table's rows and indexes, and what a like and a comment add to
 * PostgreSQL's log, which is what a replica receives. docs/scale.md multiplies these. BENCH_DOGS=1000 names another size.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { moveRows } from '#features/maintenance/move/move-rows.server.ts'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { printTable } from '#tests/support/load/measure.ts'

process.env.TESTS_POSTGRES = 'durable'
const { createPostgresDatabase } = await import('#tests/support/postgres/databases.ts')

const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)
const WRITES = 500
/** Smaller tables weigh nothing at any number of members. */
const MIN_ROWS = DOGS / 100

const folder = mkdtempSync(join(tmpdir(), 'perrario-bench-sizes-'))
const file = join(folder, 'perrario.db')
copyFileSync(join(await prepareCommunity(DOGS), 'perrario.db'), file)
const source = openDatabase(file)
const { url, drop } = await createPostgresDatabase()
const db = openPostgres(url, { applicationName: 'perrario-bench', allowExitOnIdle: true })
await moveRows(source, db)
await source.destroy()
await sql`VACUUM ANALYZE`.execute(db)

const { rows: tables } = await sql<{ name: string; rows: number; heap: number; indexes: number }>`
  SELECT relname AS name, reltuples::bigint AS rows, pg_table_size(oid) AS heap, pg_indexes_size(oid) AS indexes
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC
`.execute(db)
const total = tables.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0)
const { members } = await db
  .selectFrom('users')
  .select(({ fn }) => fn.countAll<number>().as('members'))
  .executeTakeFirstOrThrow()

console.log(`${DOGS.toLocaleString('en')} dogs, as many likes and comments, ${members.toLocaleString('en')} members\n`)
printTable(
  ['table', 'rows', 'bytes a row', 'of its indexes', 'rows a dog', 'bytes a dog'],
  tables
    .filter(({ rows }) => rows >= MIN_ROWS)
    .map(({ name, rows, heap, indexes }) => [
      name,
      rows.toLocaleString('en'),
      Math.round(heap / rows),
      Math.round(indexes / rows),
      rows / DOGS,
      Math.round((heap + indexes) / DOGS),
    ]),
)
console.log()

/** Bytes of PostgreSQL's log for each call. */
async function measureLog(write: (n: number) => Promise<unknown>): Promise<number> {
  const position = async () => {
    const { rows } = await sql<{ at: number }>`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS at`.execute(db)
    return rows[0]!.at
  }
  const before = await position()
  for (let n = 0; n < WRITES; n++) await write(n)
  return ((await position()) - before) / WRITES
}

const people = await db
  .selectFrom('users')
  .innerJoin('profiles', 'profiles.id', 'users.id')
  .select(['users.id', 'users.email', 'profiles.alias', 'profiles.emoji'])
  .orderBy('users.id')
  .limit(WRITES)
  .execute()
const users = people.map((person) => ({ ...person, verified: false }))
const dogs = await db.selectFrom('dogs').select('id').orderBy('id', 'desc').limit(WRITES).execute()
const dogOf = (n: number) => dogs[n % dogs.length]!.id
const userOf = (n: number) => users[n % users.length]!
// A page's first change after a checkpoint is logged whole: each write once before the measured ones.
await measureLog((n) => like(db, userOf(n), dogOf(n)))
const ofLike = await measureLog((n) => like(db, userOf(n), dogOf(n + 1)))
await measureLog((n) => addComment(db, userOf(n), dogOf(n), 'Qué guapo'))
const ofComment = await measureLog((n) => addComment(db, userOf(n), dogOf(n + 1), 'Qué guapo está'))

printTable(
  ['', ''],
  [
    ['PostgreSQL, MB', total / 1e6],
    ['SQLite’s file, MB', statSync(file).size / 1e6],
    ['PostgreSQL, bytes a dog with what belongs to it', Math.round(total / DOGS)],
    ['log of a like, bytes', Math.round(ofLike)],
    ['log of a comment, bytes', Math.round(ofComment)],
  ],
)
await db.destroy()
await drop()
rmSync(folder, { recursive: true, force: true })
