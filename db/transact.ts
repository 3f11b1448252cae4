import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './client.ts'
import { isTransactionConflict } from './dialect/errors.ts'
import { withTransactionSlot } from './dialect/transaction-slots.ts'

/** Attempts of one transaction, the first included. */
const MAX_ATTEMPTS = 8
/** The longest wait before the second attempt, ms; it doubles with each. */
const RETRY_BASE_MS = 10

/** What runs after the commit of each open transaction. */
const callbacksOf = new WeakMap<Db, (() => void)[]>()

/**
 * Runs `action` in a transaction. SQLite runs one transaction at a time (`begin immediate`). PostgreSQL runs many (READ COMMITTED): what
 * `action` reads and relies on is locked (db/locks.ts, `lockRows`), and where two of them wait for each other, one is rolled back and
 * runs again. At most ten of a process run at a time (`withTransactionSlot`), so that `action` begins no other transaction.
 * @param action may run several times: it sets no state outside the transaction that a second run would add to
 * @returns what `action` returns
 * @throws what `action` throws; the conflict itself after MAX_ATTEMPTS; DatabaseBusyError
 */
export async function transact<T>(db: Db, action: (trx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const callbacks: (() => void)[] = []
    try {
      const result = await withTransactionSlot(db, () =>
        db.transaction().execute((trx) => {
          callbacksOf.set(trx, callbacks)
          return action(trx)
        }),
      )
      for (const callback of callbacks) callback()
      return result
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) throw error
    }
    // Random: transactions that met once would meet again.
    await wait(Math.random() * RETRY_BASE_MS * 2 ** attempt)
  }
}

/**
 * Calls `callback` once the transaction has committed, and never where it rolls back: what it wakes reads over another connection, which
 * sees nothing before. Outside `transact` it calls it at once.
 */
export function afterCommit(trx: Db, callback: () => void): void {
  const callbacks = callbacksOf.get(trx)
  if (!callbacks) callback()
  else if (!callbacks.includes(callback)) callbacks.push(callback)
}
