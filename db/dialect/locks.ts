import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '../client.ts'
import { KeyedLock } from '../keyed-lock.ts'
import { dialectOf } from './dialect.ts'
import { withConnectionBeside } from './postgres/open.ts'

// Locks of PostgreSQL for work of many transactions. In SQLite, which is one process's, a queue in memory is enough.

const nameOf = (scope: string, key: string) => `${scope}:${key}`

/** Whether no `withKeyLocked` has the key, which none then takes until the transaction ends. It does not wait. */
export async function isKeyFree(trx: Trx, scope: string, key: string): Promise<boolean> {
  if (dialectOf(trx) === 'sqlite') return true
  const { rows } = await sql<{ isFree: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${nameOf(scope, key)}, 0)) AS "isFree"`.execute(trx)
  return rows[0]!.isFree
}

/** Keys that `withKeyLocked` locks at once, each with a connection. */
const MAX_LOCKED_KEYS = 3
const lockedKeys = new KeyedLock()

/**
 * Runs `work`, which may have many transactions, while it alone has the key. PostgreSQL's lock is that of a
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
  const name = nameOf(scope, key)
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
