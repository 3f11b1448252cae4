import type { Trx } from '#db/client.ts'
import type { ThreadRow } from '#features/contact/threads.server.ts'
import type { ContactSide } from '#features/contact/contact.ts'
import { queueMail } from './mail-wishes.server.ts'
import { notify } from '#features/notifications/notify.server.ts'

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
  await notify(trx, 'message', { userId: recipient, dogId, actorId: writer, threadId: thread.id }, now)
}
