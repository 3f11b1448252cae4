import type { Db } from '#db/client.ts'
import type { ThreadRow } from '#features/contact/threads.server.ts'
import type { ContactSide } from '#features/contact/contact.ts'
import { deleteNotificationsLinked } from '#features/notifications/target-notifications.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** A side that reads the message on the page meanwhile gets no mail. */
export const MAIL_DELAY_MS = MINUTE_MS

export const MESSAGE_TITLE = 'Mensaje nuevo'

/**
 * Tells the other side of a message, before it is stored: a member by one line in the bell, which stands for all messages of the thread,
 * and either side by one mail until they have read the thread. The message's words are in neither.
 */
export async function announceMessage(
  trx: Db,
  thread: ThreadRow,
  side: ContactSide,
  dogId: string | null,
  now: number,
): Promise<void> {
  const [recipient, writer] =
    side === 'member' ? [thread.finder_id, thread.member_id] : [thread.member_id, thread.finder_id]
  if (recipient !== null) {
    const link = lostPaths.messages(thread.id)
    await deleteNotificationsLinked(trx, recipient, link)
    const content =
      dogId === null ? 'Te han escrito por un perro encontrado.' : `Te han escrito por ${DOG_PLACEHOLDER}.`
    await notify(
      trx,
      { userId: recipient, type: 'other', title: MESSAGE_TITLE, content, dogId, actorId: writer, link },
      now,
    )
  }
  const seenAt = side === 'member' ? thread.finder_seen_at : thread.member_seen_at
  const unread = await trx
    .selectFrom('contact_messages')
    .select('id')
    .where('thread_id', '=', thread.id)
    .where('side', '=', side)
    .where('created_at', '>', seenAt)
    .executeTakeFirst()
  if (unread) return
  const dueAt = now + MAIL_DELAY_MS
  await trx
    .updateTable('contact_threads')
    .set(side === 'member' ? { finder_mail_at: dueAt } : { member_mail_at: dueAt })
    .where('id', '=', thread.id)
    .execute()
}
