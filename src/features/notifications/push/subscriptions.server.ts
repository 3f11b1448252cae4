import { createECDH, randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { isAllowedPushEndpoint } from '#lib/http/push-hosts.ts'
import { DEVICES_MAX, PUSH_TEXTS } from './push.ts'
import type { SubscriptionInput } from './push-input.ts'

/** Who asks; null without a session. */
type Requester = { id: string } | null

/**
 * Has the asking session's browser told of the member's notices from now on. What the same browser was to somebody else, or
 * the same session had before, ends: a device shows one member's notices. Of too many devices the oldest goes.
 * @param hosts entries of PUSH_HOSTS
 * @throws AppError 401; 422 for an address that may not be sent to, or keys that nothing can be encrypted for
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
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('push_subscriptions')
      .where((eb) => eb.or([eb('endpoint', '=', endpoint), eb('session_id', '=', sessionId)]))
      .where((eb) => eb.not(eb.and([eb('endpoint', '=', endpoint), eb('user_id', '=', user.id)])))
      .execute()
    const own = { session_id: sessionId, ...keys, refusals: 0, rest_until: 0 }
    await trx
      .insertInto('push_subscriptions')
      .values({ id: randomUUID(), user_id: user.id, endpoint, ...own, created_at: now })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(own))
      .execute()
    const tooMany = trx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('user_id', '=', user.id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1000)
      .offset(DEVICES_MAX)
    await trx.deleteFrom('push_subscriptions').where('id', 'in', tooMany).execute()
  })
}

/** The asking session's browser is told nothing any more; nothing changes where it was not. @throws AppError 401 */
export async function unsubscribe(db: Db, user: Requester, sessionId: string): Promise<void> {
  if (!user) throw unauthenticated()
  await db.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).where('user_id', '=', user.id).execute()
}

/** The address of the device that this session turned on; null where it did not. @throws AppError 401 */
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

/** True for a point of the curve that messages are encrypted on. */
function isCurvePoint(key: string): boolean {
  try {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    return pair.computeSecret(key, 'base64url').length === 32
  } catch {
    return false
  }
}
