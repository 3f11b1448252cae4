import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { decrementOpenReports, discardUnreportedCase } from '#features/moderation/cases.server.ts'
import { eraseCase, eraseDecisions, type ErasedTarget, listCasesAbout } from '#features/moderation/erase.server.ts'

/** Cases, decisions or reports that are erased in one transaction, each with a few statements. */
const ROWS_PER_BATCH = 20

/**
 * Deletes the member's reports, their cases with the reports others sent, and their words from the decision log. Call it after
 * dogs and comments are erased, outside a transaction; a second call continues where the first was interrupted.
 */
export async function eraseUser(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  const cases = await listCasesAbout(db, userId)
  while (cases.length > 0) {
    signal?.throwIfAborted()
    const batch = cases.splice(0, ROWS_PER_BATCH)
    const unfinished = await transact(db, async (trx) => {
      const left: string[] = []
      for (const id of batch)
        if (!(await eraseCase(trx, userId, id, (target) => eraseReportsOf(trx, target)))) left.push(id)
      return left
    })
    cases.push(...unfinished)
    await nextTurn()
  }
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => eraseDecisions(trx, userId, limit), signal)
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => eraseOwnReports(trx, userId, limit), signal)
}

/** Deletes at most ROWS_PER_BATCH reports of the target. @returns whether none is left */
async function eraseReportsOf(trx: Trx, { kind, thing_id }: ErasedTarget): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('reports')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('reports')
        .select('id')
        .where('kind', '=', kind)
        .where('thing_id', '=', thing_id)
        .limit(ROWS_PER_BATCH),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) < ROWS_PER_BATCH
}

/**
 * Deletes what the member reported, at most `limit` reports, and the cases that nothing else holds open. Call it inside a transaction.
 * @returns how many reports
 */
export async function eraseOwnReports(trx: Trx, userId: string, limit: number): Promise<number> {
  const deleted = await trx
    .deleteFrom('reports')
    .where('id', 'in', (eb) => eb.selectFrom('reports').select('id').where('user_id', '=', userId).limit(limit))
    .returning(['kind', 'thing_id', 'closed_at'])
    .execute()
  for (const { kind, thing_id, closed_at } of deleted)
    if (closed_at === null) {
      await decrementOpenReports(trx, kind, thing_id)
      await discardUnreportedCase(trx, kind, thing_id)
    }
  return deleted.length
}
