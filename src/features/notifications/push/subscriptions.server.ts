import { createECDH, randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { isAllowedPushEndpoint } from '#lib/http/push-hosts.ts'
import { DEVICES_MAX, PUSH_TEXTS } from './push.ts'
import type { SubscriptionInput } from './push-input.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/**
 * Subscribes the requesting session's browser. Earlier subscriptions of the same browser by other members, and of the same
 * session, are deleted: a device shows one member's notifications. Beyond DEVICES_MAX the oldest device is deleted.
 * @param hosts entries of PUSH_HOSTS
 * @throws AppError 401; 422 for a host that is not allowed, or invalid keys
 */
export async function subscribe(
  db: Db,
  user: Requester,
  sessionId: string,
  { endpoint, keys }: SubscriptionInput,
  hosts: readonly string[],
  now = Date.now(),
): Promise<void> {
  if (!user) throw unauthenticated()
  if (!isAllowedPushEndpoint(endpoint, hosts)) throw invalid(PUSH_TEXTS.host, { endpoint: PUSH_TEXTS.host })
  if (!isCurvePoint(keys.p256dh)) throw invalid(PUSH_TEXTS.wrong, { keys: PUSH_TEXTS.wrong })
  await transact(db, async (trx) => {
    await trx
      .deleteFrom('push_subscriptions')
      .where((eb) => eb.or([eb('endpoint', '=', endpoint), eb('session_id', '=', sessionId)]))
      .where((eb) => eb.not(eb.and([eb('endpoint', '=', endpoint), eb('user_id', '=', user.id)])))
      .execute()
    const fields = { session_id: sessionId, ...keys, refusals: 0, rest_until: 0 }
    await trx
      .insertInto('push_subscriptions')
      .values({ id: randomUUID(), user_id: user.id, endpoint, ...fields, created_at: now })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(fields))
      .execute()
    const surplusDevices = trx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('user_id', '=', user.id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1000)
      .offset(DEVICES_MAX)
    await trx.deleteFrom('push_subscriptions').where('id', 'in', surplusDevices).execute()
  })
}

/** Unsubscribes the requesting session's browser; idempotent. @throws AppError 401 */
export async function unsubscribe(db: Db, user: Requester, sessionId: string): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, (trx) =>
    trx.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).where('user_id', '=', user.id).execute(),
  )
}

/** The endpoint of the session's subscription; null without one. @throws AppError 401 */
export async function findDeviceEndpoint(db: Db, user: Requester, sessionId: string): Promise<string | null> {
  if (!user) throw unauthenticated()
  const row = await db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return row?.endpoint ?? null
}

/** Whether a base64url key is a point on P-256, the curve of message encryption (RFC 8291). */
function isCurvePoint(key: string): boolean {
  try {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    return pair.computeSecret(key, 'base64url').length === 32
  } catch {
    return false
  }
}
