import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Trx } from './client.ts'
import { transact } from './transact.ts'

/**
 * Runs `step` until nothing is left, each time in a transaction of its own, and yields to the event loop in between. better-sqlite3 is
 * synchronous and awaiting Kysely only queues microtasks: without the yield no request is served before the last batch.
 * @param step processes at most `limit` rows and returns their number; it must process every row only once
 * @param signal stops before the next batch
 * @returns how many rows
 */
export async function runInBatches(
  db: Db,
  limit: number,
  step: (trx: Trx, limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    signal?.throwIfAborted()
    const processed = await transact(db, (trx) => step(trx, limit))
    await nextTurn()
    total += processed
    if (processed < limit) return total
  }
}
