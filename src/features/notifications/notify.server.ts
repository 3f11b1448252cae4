import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import type { Kind } from './kind.ts'
import { type DataOf, describe, KINDS, type KindName, titleOf } from './kinds.ts'
import {
  type Addressed,
  deleteFound,
  type NewNotification,
  publishBellChange,
  storeNotification,
} from './notifications.server.ts'
import { queuePush } from './push/queue.server.ts'

/**
 * Notifies a member in the bell and, unless `isPushed` is false, on their devices, as the kind says (KINDS). Call it in the action's own
 * transaction.
 * @returns the notification's id
 */
export async function notify<Name extends KindName>(
  trx: Trx,
  name: Name,
  fields: Addressed & DataOf<Name>,
  now = Date.now(),
): Promise<string> {
  const { userId, dogId = null, actorId = null, push, ...given }: Addressed = fields
  const described = describe(name, fields)
  const { link = described.link, target = described.target, isPushed = described.isPushed } = given
  const notification = { ...described, userId, dogId, actorId, link, target, isPushed, ...(push && { push }) }
  return (await settleEarlier(trx, name, notification, now)) ?? storeNotification(trx, notification, now)
}

/** The same to the admin, if the site has one. */
export async function notifyAdmin<Name extends KindName>(
  trx: Trx,
  adminEmail: string | undefined,
  name: Name,
  fields: Omit<Addressed, 'userId'> & DataOf<Name>,
  now = Date.now(),
): Promise<void> {
  if (!adminEmail) return
  const admin = await trx.selectFrom('users').select('id').where('email', '=', adminEmail).executeTakeFirst()
  if (admin) await notify(trx, name, { ...fields, userId: admin.id }, now)
}

/**
 * Deletes the member's earlier notifications of the kind that the new one takes the place of, or keeps an unread one instead of it.
 * @returns the id of the one that stays
 */
async function settleEarlier(
  trx: Trx,
  name: KindName,
  { userId, dogId = null, title, content, link = null }: NewNotification,
  now: number,
): Promise<string | undefined> {
  const { oneBy, unread }: Pick<Kind<never>, 'oneBy' | 'unread'> = KINDS[name]
  if (!oneBy) return undefined
  const earlier = trx
    .selectFrom('notifications_all')
    .where((eb) => eb.and({ user_id: userId, ...(oneBy === 'dog' ? { dog_id: dogId, title } : { link }) }))
  const kept = unread && (await earlier.select(['id', 'dog_id']).where('is_read', '=', sql.lit(0)).executeTakeFirst())
  if (!kept) {
    if (!unread || unread === 'stands') await deleteFound(trx, earlier.select('id'))
    return undefined
  }
  if (unread === 'stands') return kept.id
  const words = { title, content, created_at: now }
  await trx.updateTable('notifications_all').set(words).where('id', '=', kept.id).execute()
  await publishBellChange(trx, userId, { id: kept.id }, now)
  if (unread === 'pushed again') await queuePush(trx, { id: kept.id, userId }, now)
  return kept.id
}

/** Deletes a member's notifications of a kind about a dog. Call it inside the action's transaction. */
export async function deleteNotifications(
  trx: Trx,
  name: KindName,
  { userId, dogId }: { userId: string; dogId: string },
): Promise<void> {
  const ofDog = trx.selectFrom('notifications_all').select('id').where('dog_id', '=', dogId)
  await deleteFound(trx, ofDog.where('user_id', '=', userId).where('title', '=', titleOf(name)))
}
