import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { publishBellChange } from './notifications.server.ts'

/**
 * Takes the member's own lines, devices and settings, and the lines of others that tell of the member. A line of grouped likes names whoever liked
 * last and stays, once likes are erased, unless the name in it is still the member's (a bell whose dog changed hands).
 * After likes; call it inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string, alias: string): Promise<void> {
  await trx.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
  await trx.deleteFrom('digests').where('user_id', '=', userId).execute()
  await trx.deleteFrom('notice_settings').where('user_id', '=', userId).execute()
  await trx.deleteFrom('notifications').where('user_id', '=', userId).execute()
  const gone = await trx
    .deleteFrom('notifications')
    .where('actor_id', '=', userId)
    .where((eb) => eb.or([eb('type', '!=', 'like'), sql<boolean>`instr(content, ${alias}) > 0`]))
    .returning(['id', 'user_id'])
    .execute()
  for (const line of gone) await publishBellChange(trx, line.user_id, { gone: line.id })
}
