import type { Db } from '#db/client.ts'
import { decrementOpenReports } from '#features/moderation/cases.server.ts'
import { eraseCases } from '#features/moderation/erase.server.ts'

/**
 * Takes the member's reports, and those that others sent of what goes with the member; their cases, and their words from
 * the log. After dogs and comments; call it inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  for (const { kind, thing_id } of await eraseCases(trx, userId))
    await trx.deleteFrom('reports').where('kind', '=', kind).where('thing_id', '=', thing_id).execute()
  const gone = await trx
    .deleteFrom('reports')
    .where('user_id', '=', userId)
    .returning(['kind', 'thing_id', 'closed_at'])
    .execute()
  for (const { kind, thing_id, closed_at } of gone)
    if (closed_at === null) await decrementOpenReports(trx, kind, thing_id)
}
