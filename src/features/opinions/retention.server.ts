import type { Db } from '#db/client.ts'
import { runInBatches } from '#db/batches.ts'
import { afterCommit } from '#db/transact.ts'
import { DAY_MS } from '#lib/time.ts'
import { eraseDog } from './erase.server.ts'

/** How long opinions stay, out of sight, after their question was closed: so that it can be opened again. */
export const CLOSED_RETENTION_MS = 30 * DAY_MS
const OPINIONS_PER_BATCH = 100

/** Deletes questions that were closed long ago, with what was said. @returns rows deleted */
export async function deleteExpiredOpinions(db: Db, now: number): Promise<number> {
  const selectClosed = (db: Db) =>
    db
      .selectFrom('opinion_requests')
      .select('dog_id')
      .where('closed_at', '<=', now - CLOSED_RETENTION_MS)
  const closed = await selectClosed(db).execute()
  let rows = 0
  for (const { dog_id: dogId } of closed)
    await runInBatches(db, OPINIONS_PER_BATCH, async (trx, limit) => {
      // Opened again since.
      const still = selectClosed(trx).where('dog_id', '=', dogId)
      if (!(await still.executeTakeFirst())) return 0
      const count = await eraseDog(trx, dogId, limit)
      afterCommit(trx, () => (rows += count + (count < limit ? 1 : 0)))
      return count
    })
  return rows
}
