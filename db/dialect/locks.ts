import { createHash } from 'node:crypto'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../client.ts'
import { KeyedLock } from '../keyed-lock.ts'
import { dialectOf } from './dialect.ts'
import { withConnectionBeside } from './postgres/open.ts'

// Locks of PostgreSQL, which end with their transaction. In SQLite a transaction has the whole database for itself: nothing is locked.

/** Whether `db` is a transaction that others may run beside. */
export const hasLocks = (db: Db): boolean => db.isTransaction && dialectOf(db) === 'postgres'

/**
 * How a row is locked, from weak to strong: `reference` excludes its deletion, `change` other changes of it as well, `deletion` also
 * rows that refer to it (https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS).
 */
export type RowLock = 'reference' | 'change' | 'deletion'

/**
 * Locks the rows that a query of a transaction reads: `.$call(lockRows(trx, 'change'))`. It waits for transactions that have changed
 * them, and reads what those have committed. Outside a transaction it locks nothing.
 * @param table the alias of the rows to lock, where the query joins several
 */
export const lockRows =
  (db: Db, lock: RowLock, table?: string) =>
  <Q>(query: Q): Q => {
    if (!hasLocks(db)) return query
    // oxlint-disable-next-line typescript/no-explicit-any -- of any tables and columns, which it leaves as they are
    const select = query as SelectQueryBuilder<any, any, any>
    if (lock === 'reference') return select.forKeyShare(table) as Q
    return (lock === 'change' ? select.forNoKeyUpdate(table) : select.forUpdate(table)) as Q
  }

const toLockNames = (scope: string, keys: readonly string[]) =>
  [...new Set(keys)].toSorted().map((key) => `${scope}:${key}`)

/**
 * Excludes other transactions that lock one of the same keys: for what has no row, or not always the same. Several keys are locked in
 * their order, so that two transactions wait for each other in one direction.
 * @param scope what the keys are of: `alias`
 */
export async function lockKeys(trx: Db, scope: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0 || !hasLocks(trx)) return
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(name, 0))
    FROM unnest(${toLockNames(scope, keys)}::text[]) AS name`.execute(trx)
}

/** Keys that `withKeyLocked` locks at once, each with a connection. */
const MAX_LOCKED_KEYS = 3
const lockedKeys = new KeyedLock()

/**
 * Runs `work`, which may have many transactions, while its key is locked as `lockKeys` locks it. PostgreSQL's lock is that of a
 * connection outside the pool, which `work` does not use: it ends with that one, also where the process ends.
 * @param work gets a signal that is aborted when the connection has ended: others may have the key, and no further transaction may begin
 */
export async function withKeyLocked<T>(
  db: Db,
  scope: string,
  key: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const loss = new AbortController()
  if (dialectOf(db) === 'sqlite') return work(loss.signal)
  const [name = ''] = toLockNames(scope, [key])
  const slot = createHash('sha256').update(name).digest().readUInt32LE() % MAX_LOCKED_KEYS
  return lockedKeys.run(String(slot), () =>
    withConnectionBeside(db, async (client) => {
      const lose = (error = new Error('Connection terminated while it held a lock')) => loss.abort(error)
      client.on('error', lose).on('end', lose)
      // The limit of a statement ends the wait: another node's work takes longer than a request waits.
      await client.query('SET lock_timeout = 0')
      await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
      try {
        return await work(loss.signal)
      } finally {
        client.off('error', lose).off('end', lose)
        // Ending the connection frees it as well, a moment later.
        await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {})
      }
    }),
  )
}
