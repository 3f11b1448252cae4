import type { Db } from '#db/client.ts'
import type { ThreadRow } from '#features/contact/threads.server.ts'
import type { ContactSide } from '#features/contact/contact.ts'
import { deleteNotificationsLinked } from '#features/notifications/target-notifications.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { lostPaths } from '#lib/lost-paths.ts'

export const MESSAGE_TITLE = 'Mensaje nuevo'

/**
 * Tells the other side of a message, before it is stored, where it is a member: one line in the bell stands for all messages of the
 * thread, and the message's words are not in it. A finder without account sees the answer on the page.
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
  if (recipient === null) return
  const link = lostPaths.messages(thread.id)
  await deleteNotificationsLinked(trx, recipient, link)
  const content = dogId === null ? 'Te han escrito por un perro encontrado.' : `Te han escrito por ${DOG_PLACEHOLDER}.`
  await notify(
    trx,
    { userId: recipient, type: 'other', title: MESSAGE_TITLE, content, dogId, actorId: writer, link },
    now,
  )
}
