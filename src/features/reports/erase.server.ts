import type { Db } from '#db/client.ts'
import { decrementOpenReports } from '#features/moderation/cases.server.ts'
import { eraseCases } from '#features/moderation/erase.server.ts'

/**
 * Deletes the member's reports, their cases with the reports others sent, and their words from the decision log. Call it after
 * dogs and comments are erased, inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  for (const { kind, thing_id } of await eraseCases(trx, userId))
    await trx.deleteFrom('reports').where('kind', '=', kind).where('thing_id', '=', thing_id).execute()
  const deleted = await trx
    .deleteFrom('reports')
    .where('user_id', '=', userId)
    .returning(['kind', 'thing_id', 'closed_at'])
    .execute()
  for (const { kind, thing_id, closed_at } of deleted)
    if (closed_at === null) await decrementOpenReports(trx, kind, thing_id)
}
