import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from './client.ts'

/**
 * Runs `step` until it has nothing left, each time in a transaction of its own, and gives up the event loop in between.
 * better-sqlite3 is synchronous and awaiting Kysely only queues microtasks: without this, no request is served before the last batch.
 * @param step handles at most `limit` rows and returns how many it handled; it must handle every row only once
 * @param signal stops before the next batch
 */
export async function runInBatches(
  db: Db,
  limit: number,
  step: (trx: Db, limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const handled = await db.transaction().execute((trx) => step(trx, limit))
    await nextTurn()
    if (handled < limit) return
  }
}
