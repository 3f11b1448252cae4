import { sql } from 'kysely'
import type { Trx as Db } from '#db/client.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { printTable } from '#tests/support/load/measure.ts'

const WRITES = 500

/**
 * Prints what a community of `dogs` dogs weighs in PostgreSQL, by table, and what a like and a comment add to the log, which is what a replica
 * receives. It gives those likes and writes those comments.
 * @returns bytes of all tables
 */
export async function measureTables(db: Db, dogs: number): Promise<number> {
  const { rows: tables } = await sql<{ name: string; rows: number; heap: number; indexes: number }>`
    SELECT relname AS name, reltuples::float8 AS rows, pg_table_size(oid)::float8 AS heap, pg_indexes_size(oid)::float8 AS indexes
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC
  `.execute(db)
  const total = tables.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0)
  console.log(`\n${dogs.toLocaleString('en')} dogs in PostgreSQL: ${Math.round(total / dogs)} bytes a dog\n`)
  printTable(
    ['table', 'rows', 'bytes a row', 'of its indexes', 'a dog'],
    tables
      // Smaller ones weigh nothing at any number of members.
      .filter(({ rows }) => rows >= dogs / 100)
      .map(({ name, rows, heap, indexes }) => [
        name,
        rows.toLocaleString('en'),
        ...[heap / rows, indexes / rows, (heap + indexes) / dogs].map((bytes) => bytes.toFixed(0)),
      ]),
  )
  const people = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'users.email', 'profiles.alias', 'profiles.emoji'])
    .orderBy('users.id')
    .limit(WRITES)
    .execute()
  const users = people.map((person) => ({ ...person, verified: false }))
  const ids = await db.selectFrom('dogs').select('id').orderBy('id', 'desc').limit(WRITES).execute()
  const dogOf = (n: number) => ids[n % ids.length]!.id
  const userOf = (n: number) => users[n % users.length]!
  // A page's first change after a checkpoint is logged whole: each write once before the measured ones.
  await measureLog(db, (n) => like(db, userOf(n), dogOf(n)))
  const ofLike = await measureLog(db, (n) => like(db, userOf(n), dogOf(n + 1)))
  await measureLog(db, (n) => addComment(db, userOf(n), dogOf(n), 'Qué guapo'))
  const ofComment = await measureLog(db, (n) => addComment(db, userOf(n), dogOf(n + 1), 'Qué guapo está'))
  console.log(`\nbytes of the log: a like ${Math.round(ofLike)}, a comment ${Math.round(ofComment)}\n`)
  return total
}

/** Bytes of PostgreSQL's log for each call. */
async function measureLog(db: Db, write: (n: number) => Promise<unknown>): Promise<number> {
  const position = async () => {
    const { rows } = await sql<{ at: number }>`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS at`.execute(db)
    return rows[0]!.at
  }
  const before = await position()
  for (let n = 0; n < WRITES; n++) await write(n)
  return ((await position()) - before) / WRITES
}
