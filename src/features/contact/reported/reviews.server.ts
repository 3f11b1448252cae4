import type { Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { inPage, type ReviewSource } from '#features/moderation/review.server.ts'
import { type ReviewDecision, reviewPerson } from '#features/moderation/review.ts'
import { formatDateTime } from '#lib/dates.ts'
import { endThreads } from '../threads.server.ts'

/** `keep` deletes the copy, `delete` the message as well, and ends its conversation; idempotent. */
async function decideMessage(trx: Trx, id: string, decision: ReviewDecision): Promise<void | false> {
  const row = await trx.deleteFrom('reported_messages').where('id', '=', id).returning('message_id').executeTakeFirst()
  if (!row) return false
  if (decision === 'keep') return
  const message = trx.selectFrom('contact_messages').where('id', '=', row.message_id)
  await endThreads(trx, 'admin').where('id', 'in', message.select('thread_id')).execute()
  await trx.deleteFrom('contact_messages').where('id', '=', row.message_id).execute()
}

const NAMELESS = { member: 'Una persona del perro', finder: 'Alguien sin cuenta' }

/** The copies of reported messages, kept for REPORTED_MESSAGE_DAYS or until the admin has decided. */
export const messageReviews: ReviewSource = {
  count: (db) => countRows(db.selectFrom('reported_messages')),
  list: async (db, page) => {
    const rows = await db
      .selectFrom('reported_messages as r')
      .leftJoin('profiles as w', 'w.id', 'r.writer_id')
      .leftJoin('profiles as p', 'p.id', 'r.reporter_id')
      .select(['r.id', 'r.text', 'r.side', 'r.writer_id', 'r.reporter_id', 'r.written_at', 'r.created_at'])
      .select(['w.alias as writerAlias', 'p.alias as reporterAlias'])
      .$call(inPage('r.created_at', 'r.id', page))
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
  decide: decideMessage,
  logged: { keep: 'message-resolve', delete: 'message-delete' },
}
