import { sql } from 'kysely'
import { type AnyDb, beginTransaction, dialectOf } from './dialect.ts'
import { listTableLayouts } from './table-layouts.ts'
import { takeWriteLock } from './write-lock.ts'

/** How long to wait for the locks of writers at work, ms. */
const LOCK_TIMEOUT_MS = 5000

/** PostgreSQL's code for a lock that was not free in time: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BUSY_CODES: ReadonlySet<unknown> = new Set(['SQLITE_BUSY', '55P03'])

/** Whether a lock of `withoutWriters` could not be had because somebody writes. */
export const isBusyError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && BUSY_CODES.has(error.code)

/**
 * Runs `action` while nobody else can write; others go on reading.
 * @param action is given the transaction, which may write
 * @throws an error of `isBusyError` where others go on writing for five seconds
 */
export const withoutWriters = <T>(db: AnyDb, action: (trx: AnyDb) => Promise<T>): Promise<T> =>
  beginTransaction(db, async (trx) => {
    if (dialectOf(db) === 'postgres') {
      await allowLongTransaction(trx)
      await sql`SELECT set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`.execute(trx)
      await takeWriteLock(trx)
      // Other programs write without it, as earlier versions of this one do.
      const tables = (await listTableLayouts(trx)).map(({ name }) => sql.table(name))
      await sql`LOCK TABLE ${sql.join(tables)} IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
    }
    return action(trx)
  })

/**
 * Runs `action` unless another process runs one under the same name on this PostgreSQL database. A SQLite database is protected by
 * the lock of its folder instead.
 * @returns null where another process does
 */
export async function runAlone<T>(db: AnyDb, name: string, action: () => Promise<T>): Promise<T | null> {
  if (dialectOf(db) === 'sqlite') return action()
  // The transaction's connection holds the lock, also when the process dies.
  return beginTransaction(db, async (trx) => {
    await allowLongTransaction(trx)
    const { rows } = await sql<{ isFree: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext(${name})) AS "isFree"`.execute(trx)
    return rows[0]?.isFree ? action() : null
  })
}

/** PostgreSQL would end a transaction that is idle while another connection works. */
const allowLongTransaction = (trx: AnyDb) =>
  sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('statement_timeout', '0', true)`.execute(
    trx,
  )

/** Runs the triggers of counts that wait for the commit with their statements instead: what the transaction writes next is its last word. */
export async function runTriggersAtOnce(trx: AnyDb): Promise<void> {
  if (dialectOf(trx) === 'postgres') await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(trx)
}
