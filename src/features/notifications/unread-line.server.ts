import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { notify, publishBellChange } from './notifications.server.ts'
import { queuePush } from './push/queue.server.ts'

interface Line {
  userId: string
  /** By which the line is found. */
  link: string
  title: string
  content: string
  dogId?: string
  /** What replaces its words is pushed, too. */
  isPushedAgain?: boolean
  isUrgent?: boolean
}

/**
 * Notifies a member by one unread line for everything that leads to `link`: the next replaces its words. Call it in the action's own
 * transaction.
 */
export async function notifyByOneLine(
  trx: Trx,
  { userId, link, title, content, dogId, isPushedAgain = false, isUrgent = false }: Line,
  now = Date.now(),
): Promise<void> {
  const unread = await trx
    .selectFrom('notifications_all')
    .select(['id', 'dog_id'])
    .where('user_id', '=', userId)
    .where('is_read', '=', sql.lit(0))
    .where('link', '=', link)
    .executeTakeFirst()
  if (!unread)
    return void (await notify(
      trx,
      { userId, type: 'other', title, content, link, isUrgent, dogId: dogId ?? null },
      now,
    ))
  const words = { title, content, created_at: now }
  await trx.updateTable('notifications_all').set(words).where('id', '=', unread.id).execute()
  await publishBellChange(trx, userId, { notification: unread }, now)
  if (isPushedAgain) await queuePush(trx, { id: unread.id, userId }, now)
}
