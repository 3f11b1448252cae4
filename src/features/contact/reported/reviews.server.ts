import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { transact } from '#db/transact.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { afterItem, type ReviewSource } from '#features/moderation/review.server.ts'
import { type ReviewDecision, reviewPerson } from '#features/moderation/review.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { formatDateTime } from '#lib/dates.ts'
import { endThreads } from '../threads.server.ts'

/**
 * `keep` deletes the copy, `delete` the message as well, and ends its conversation; idempotent.
 * @throws AppError 401, 403
 */
export async function resolveReportedMessage(
  db: Db,
  requester: AdminRequester,
  id: string,
  decision: ReviewDecision = 'keep',
): Promise<void> {
  assertAdmin(requester)
  await transact(db, async (trx) => {
    const row = await trx
      .deleteFrom('reported_messages')
      .where('id', '=', id)
      .returning('message_id')
      .executeTakeFirst()
    if (!row) return
    const message = trx.selectFrom('contact_messages').where('id', '=', row.message_id)
    if (decision === 'delete') {
      await endThreads(trx, 'admin').where('id', 'in', message.select('thread_id')).execute()
      await trx.deleteFrom('contact_messages').where('id', '=', row.message_id).execute()
    }
    const action = decision === 'delete' ? 'message-delete' : 'message-resolve'
    await logAdminAction(trx, { adminId: requester.user!.id, action, target: { kind: 'contact-message', id } })
  })
}

const NAMELESS = { member: 'Una persona del perro', finder: 'Alguien sin cuenta' }

/** The copies of reported messages, kept for REPORTED_MESSAGE_DAYS or until the admin has decided. */
export const messageReviews: ReviewSource = {
  count: (db) => countRows(db.selectFrom('reported_messages')),
  list: async (db, requester, { after, limit }) => {
    assertAdmin(requester)
    const rows = await db
      .selectFrom('reported_messages as r')
      .leftJoin('profiles as w', 'w.id', 'r.writer_id')
      .leftJoin('profiles as p', 'p.id', 'r.reporter_id')
      .select(['r.id', 'r.text', 'r.side', 'r.writer_id', 'r.reporter_id', 'r.written_at', 'r.created_at'])
      .select(['w.alias as writerAlias', 'p.alias as reporterAlias'])
      .where(afterItem('r.created_at', 'r.id', after))
      .orderBy('r.created_at')
      .orderBy('r.id')
      .limit(limit)
      .execute()
    return rows.map((row) => {
      const writer = reviewPerson('Escrito por', row.writer_id, row.writerAlias, NAMELESS[row.side])
      const facts = formatDateTime(row.written_at)
      return {
        id: row.id,
        since: row.created_at,
        heading: { text: 'Mensaje denunciado' },
        reasons: [],
        facts,
        people: [writer, reviewPerson('Lo denunció', row.reporter_id, row.reporterAlias)],
        words: [{ text: row.text }],
        labels: { keep: 'Resuelto', delete: 'Eliminar y terminar la conversación' },
        name: `: mensaje de ${writer.alias}, ${facts}`,
      }
    })
  },
  decide: resolveReportedMessage,
}
