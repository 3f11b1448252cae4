import type { Trx } from '#db/client.ts'
import { deleteNotifications, notify } from '#features/notifications/notify.server.ts'

interface Recipient {
  userId: string
  dogId: string
  caseId: string
}

/** Asks the owner in the bell and on their devices: one question a dog. Call it inside a transaction. */
export const askOwner = (trx: Trx, recipient: Recipient, now: number): Promise<string> =>
  notify(trx, 'still-lost', recipient, now)

/** Takes an answered question out of the bell. */
export const deleteQuestions = (trx: Trx, userId: string, dogId: string): Promise<void> =>
  deleteNotifications(trx, 'still-lost', { userId, dogId })

/** Notifies the owner that the case has ended because nobody answered. Call it inside a transaction. */
export async function announceUnansweredEnd(
  trx: Trx,
  recipient: Omit<Recipient, 'caseId'>,
  now: number,
): Promise<void> {
  await deleteNotifications(trx, 'still-lost', recipient)
  await notify(trx, 'unanswered', recipient, now)
}
