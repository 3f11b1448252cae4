import type { Trx } from '#db/client.ts'
import type { ThreadRow } from '#features/contact/threads.server.ts'
import type { ContactSide } from '#features/contact/contact.ts'
import { queueMail } from './mail-wishes.server.ts'
import { deleteNotificationsLinked } from '#features/notifications/target-notifications.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { lostPaths } from '#lib/lost-paths.ts'

export const MESSAGE_TITLE = 'Mensaje nuevo'

/**
 * Notifies the other side of a message, before it is stored. A member has one line in the bell, which stands for all messages of the
 * thread, and the message's words are not in it. Either side is mailed where they asked for it.
 */
export async function announceMessage(
  trx: Trx,
  thread: ThreadRow,
  side: ContactSide,
  dogId: string | null,
  now: number,
): Promise<void> {
  const [recipient, writer] =
    side === 'member' ? [thread.finder_id, thread.member_id] : [thread.member_id, thread.finder_id]
  await queueMail(trx, thread.id, side === 'member' ? 'finder' : 'member', now)
  if (recipient === null) return
  const link = lostPaths.messages(thread.id)
  await deleteNotificationsLinked(trx, recipient, link)
  const content = dogId === null ? 'Te han escrito por un perro encontrado.' : `Te han escrito por ${DOG_PLACEHOLDER}.`
  await notify(
    trx,
    { userId: recipient, type: 'other', isUrgent: true, title: MESSAGE_TITLE, content, dogId, actorId: writer, link },
    now,
  )
}
