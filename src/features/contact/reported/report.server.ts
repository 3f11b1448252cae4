import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { notifyAdmin } from '#features/notifications/notify.server.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { CONTACT_TEXTS } from '../contact.ts'
import { type ContactReader, requireThread } from '../threads.server.ts'

const REPORT_LINE = {
  title: 'Mensaje denunciado',
  content: 'Alguien ha denunciado un mensaje por un perro perdido o encontrado.',
  link: lostPaths.adminMessages,
}

/**
 * Keeps a copy of a message of the other side for the admin, which outlives the conversation. Doing it twice changes nothing.
 * @throws AppError 403 for a banned member; 404 for everybody whose thread it is not, and for a message of another; 422 for one's own
 */
export async function reportMessage(
  db: Db,
  reader: ContactReader,
  threadId: string,
  messageId: string,
  { adminEmail, now = Date.now() }: { adminEmail?: string | undefined; now?: number } = {},
): Promise<void> {
  await transact(db, async (trx) => {
    const { thread, side } = await requireThread(trx, reader, threadId)
    if (reader.userId !== null) await assertNotBanned(trx, reader.userId, now)
    const message = await trx
      .selectFrom('contact_messages')
      .select(['side', 'text', 'created_at'])
      .where('id', '=', messageId)
      .where('thread_id', '=', threadId)
      .executeTakeFirst()
    if (!message) throw notFound(CONTACT_TEXTS.noMessage)
    if (message.side === side) throw invalid(CONTACT_TEXTS.ownMessage)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('reported_messages')
      .values({
        id: randomUUID(),
        message_id: messageId,
        side: message.side,
        text: message.text,
        writer_id: message.side === 'member' ? thread.member_id : thread.finder_id,
        reporter_id: reader.userId,
        written_at: message.created_at,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('message_id').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 0n) await notifyAdmin(trx, adminEmail, 'review', REPORT_LINE, now)
  })
}
