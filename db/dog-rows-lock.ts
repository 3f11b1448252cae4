import type { Db, Trx } from './client.ts'
import { isKeyFree, withKeyLocked } from './dialect/locks.ts'
import { KeyedLock } from './keyed-lock.ts'
import { transact } from './transact.ts'

const SCOPE = 'dog-rows'

/** Work of this process on a dog's rows: what waits here takes no connection. */
const queues = new KeyedLock()

/**
 * Runs `work`, which moves a dog's rows to quarantine or back in many transactions, after all earlier work on them, of every process: two
 * moves in opposite directions would never end.
 * @param work gets a signal that is aborted when another process may begin: it checks it before each transaction (`runInBatches`)
 */
export const withDogRows = <T>(db: Db, dogId: string, work: (lost: AbortSignal) => Promise<T>): Promise<T> =>
  queues.run(dogId, () => withKeyLocked(db, SCOPE, dogId, work))

/**
 * Runs a transaction while no move is under way: for deletions of a single row, since one that is being moved is in neither place where its
 * events and notifications are looked for. A move of another process is waited for outside the transaction, which would keep it from writing.
 */
export const transactOnDogRows = <T>(db: Db, dogId: string, action: (trx: Trx) => Promise<T>): Promise<T> =>
  queues.run(dogId, async () => {
    for (;;) {
      const result = await transact(db, async (trx) =>
        (await isKeyFree(trx, SCOPE, dogId)) ? { value: await action(trx) } : null,
      )
      if (result) return result.value
      await withKeyLocked(db, SCOPE, dogId, async () => {})
    }
  })
