import type { Trx } from '#db/client.ts'
import { deleteNotifications, notify } from '#features/notifications/notify.server.ts'
import { opinionPaths } from './opinion-paths.ts'

/** Whom to notify, of which dog. */
interface Asked {
  userId: string
  dogId: string
}

/** Notifies who asks that there are new opinions: one unread line a dog, however many come. Call it in the action's transaction. */
export const notifyOpinion = (trx: Trx, asked: Asked, now: number): Promise<string> =>
  notify(trx, 'opinions', { ...asked, link: opinionPaths.list(asked.dogId) }, now)

/** Deletes the line. Call it in the action's transaction. */
export const clearOpinionNotice = (trx: Trx, asked: Asked): Promise<void> => deleteNotifications(trx, 'opinions', asked)
