import type { Db } from '#db/client.ts'
import { eraseDecisions, uncountReport } from '#features/moderation/cases.server.ts'

/** Takes the member's reports and answers, and their words from the log. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await eraseDecisions(trx, userId)
  const gone = await trx
    .deleteFrom('reports')
    .where('user_id', '=', userId)
    .returning(['kind', 'thing_id', 'closed_at'])
    .execute()
  for (const { kind, thing_id, closed_at } of gone) if (closed_at === null) await uncountReport(trx, kind, thing_id)
}
