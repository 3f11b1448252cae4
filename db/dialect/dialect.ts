import { type Kysely, PostgresAdapter } from 'kysely'

/** Any database or transaction, a migration's too. */
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely is invariant in its schema
export type AnyDb = Readable<Kysely<any>>

/** A Kysely without what writes: only a transaction has it, which `transact` begins. */
export type Readable<K> = Omit<
  K,
  'insertInto' | 'updateTable' | 'deleteFrom' | 'replaceInto' | 'mergeInto' | 'transaction' | 'startTransaction'
>

/** A transaction for what is no action of the site: `transact`'s own, the locks of commands, copies into an empty database. */
// oxlint-disable-next-line typescript/no-explicit-any -- of any schema
export const beginTransaction = <T>(db: AnyDb, action: (trx: Kysely<any>) => Promise<T>): Promise<T> =>
  // oxlint-disable-next-line typescript/no-explicit-any -- of any schema
  (db as Kysely<any>).transaction().execute(action)

export type Dialect = 'sqlite' | 'postgres'

/** What `db`, which may be a transaction, runs on. Only code in `db` asks. */
export const dialectOf = (db: AnyDb): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/**
 * Whether several servers may run on the database at the same time. SQLite's file is for one server. Nothing keeps a second one away:
 * `lockDataDir` is a shared lock, which excludes restores and moves only.
 */
export const isSharedByNodes = (db: AnyDb): boolean => dialectOf(db) === 'postgres'
