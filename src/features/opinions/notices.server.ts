import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { deleteNotificationsTitled, notify } from '#features/notifications/notifications.server.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { opinionPaths } from './opinion-paths.ts'

/** The title, by which the notification of a dog is found. */
const TITLE = 'Opiniones sobre la raza'

/** Whom to notify, of which dog. */
interface Asked {
  userId: string
  dogId: string
}

/**
 * Notifies who asks that there are new opinions: one unread line a dog, however many come. It names no number and nobody, so that it stays
 * true when opinions are taken back. Call it in the action's transaction.
 */
export async function notifyOpinion(trx: Trx, asked: Asked, now: number): Promise<void> {
  const unread = await trx
    .selectFrom('notifications')
    .select('id')
    .where('dog_id', '=', asked.dogId)
    .where('user_id', '=', asked.userId)
    .where('title', '=', TITLE)
    .where('is_read', '=', sql.lit(0))
    .executeTakeFirst()
  if (unread) return
  await clearOpinionNotice(trx, asked)
  const content = `¿Qué raza es ${DOG_PLACEHOLDER}? Hay opiniones nuevas.`
  await notify(trx, { ...asked, type: 'other', title: TITLE, content, link: opinionPaths.list(asked.dogId) }, now)
}

/** Deletes the line. Call it in the action's transaction. */
export const clearOpinionNotice = (trx: Trx, asked: Asked): Promise<void> =>
  deleteNotificationsTitled(trx, { ...asked, title: TITLE })
