import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { lockKeys } from '#db/dialect/locks.ts'
import { notify, publishBellChange } from './notifications.server.ts'

/**
 * Notifies a member by one unread line for everything that leads to `link`: the next replaces its words and is not pushed. Call it in the
 * action's own transaction.
 */
export async function notifyByOneLine(
  trx: Db,
  { userId, link, title, content }: { userId: string; link: string; title: string; content: string },
  now = Date.now(),
): Promise<void> {
  // Of two at once the second finds the line of the first.
  await lockKeys(trx, 'unread-line', [`${userId} ${link}`])
  const unread = await trx
    .selectFrom('notifications')
    .select(['id', 'dog_id'])
    .where('user_id', '=', userId)
    .where('is_read', '=', sql.lit(0))
    .where('link', '=', link)
    .executeTakeFirst()
  if (!unread) return void (await notify(trx, { userId, type: 'other', title, content, link }, now))
  const words = { title, content, created_at: now }
  await trx.updateTable('notifications').set(words).where('id', '=', unread.id).execute()
  await publishBellChange(trx, userId, { notification: unread }, now)
}
