import type { Db, Trx } from './client.ts'
import { transact } from './transact.ts'

/** Ends the transaction of a dry run. */
class RollBack extends Error {}

/**
 * Runs `action` in a transaction and rolls that back: what would refuse or fail does so before anything is written.
 * @returns what `action` returns
 * @throws what `action` throws
 */
export async function dryRun<T>(db: Db, action: (trx: Trx) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  try {
    await transact(db, async (trx) => {
      result = { value: await action(trx) }
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return result!.value
}
