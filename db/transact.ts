import type { Db, Trx } from './client.ts'
import { isStalePlanError } from './dialect/errors.ts'
import { dialectOf } from './dialect/dialect.ts'
import { appendChange } from './dialect/postgres/change-log.ts'
import { withWriteLock } from './dialect/write-lock.ts'
import { noteOwnChange, noteOwnLogged } from './positions.ts'
import { noteWrites, recordWrites } from './table-changes.ts'

/** Attempts of a transaction that meets statements from before a migration, each of which is then prepared again. */
const MAX_ATTEMPTS = 8
/** All other writers wait for a transaction: one that takes longer is logged. */
const SLOW_MS = 200

/** What runs after the commit of each open transaction. */
const callbacksOf = new WeakMap<Db, (() => void)[]>()

/**
 * Runs `action` in a transaction, which alone may write (`Trx`). One runs at a time, on both databases (`withWriteLock`): what it reads
 * holds until it ends. So it is short, waits for nothing but the database, and begins no other transaction.
 * @param action sets no state outside the transaction: after a migration it may run again
 * @returns what `action` returns
 * @throws what `action` throws; DatabaseBusyError
 */
export async function transact<T>(db: Db, action: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const callbacks: (() => void)[] = []
    const writes = new Set<string>()
    let logged: number | undefined
    try {
      const result = await withWriteLock(db, async (trx) => {
        callbacksOf.set(trx, callbacks)
        const startedAt = performance.now()
        const value = await recordWrites(() => action(trx), writes)
        if (writes.size > 0 && dialectOf(trx) === 'postgres') logged = await appendChange(trx, writes)
        const tookMs = Math.round(performance.now() - startedAt)
        if (tookMs >= SLOW_MS)
          console.warn(`perrario · una transacción ha durado ${tookMs} ms (${[...writes].join(', ')})`)
        return value
      })
      if (writes.size > 0) {
        const change = noteWrites(writes)
        if (logged !== undefined) noteOwnLogged(logged)
        noteOwnChange(logged ?? change)
      }
      for (const callback of callbacks) callback()
      return result
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isStalePlanError(error)) throw error
    }
  }
}

/**
 * Calls `callback` once the transaction has committed, and never where it rolls back: what it wakes reads over another connection, which
 * sees nothing before. Outside `transact` it calls it at once.
 */
export function afterCommit(trx: Trx, callback: () => void): void {
  const callbacks = callbacksOf.get(trx)
  if (!callbacks) callback()
  else if (!callbacks.includes(callback)) callbacks.push(callback)
}
