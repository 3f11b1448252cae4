import { type Kysely, PostgresAdapter } from 'kysely'

/** Any database or transaction, a migration's too. */
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely is invariant in its schema
export type AnyDb = Kysely<any>

export type Dialect = 'sqlite' | 'postgres'

/** What `db`, which may be a transaction, runs on. Only code in db/dialect asks. */
export const dialectOf = (db: AnyDb): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/** Whether several processes of the program may run on the database at the same time. SQLite's file belongs to one (`lockDataDir`). */
export const isSharedByNodes = (db: AnyDb): boolean => dialectOf(db) === 'postgres'
