import { AppError } from '#lib/errors.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, readJson, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { PUSH_TEXTS } from './push.ts'
import { subscriptionInput } from './push-input.ts'
import { findDeviceEndpoint, subscribe, unsubscribe } from './subscriptions.server.ts'
import { pushStateAnswer, pushSubscribedAnswer } from '../answers.ts'

// Notifications on the requesting device, which its session identifies.

/** GET /api/push */
export const getPushState = endpoint({ 200: pushStateAnswer }, async (context) => ({
  key: context.locals.pushKey,
  endpoint: await findDeviceEndpoint(context.locals.db, requireUser(context), context.locals.sessionId),
}))

/** POST /api/push with `PushSubscription.toJSON()`, `{endpoint, keys: {p256dh, auth}}`: 201. */
export const turnPushOn = endpoint({ 201: pushSubscribedAnswer }, async (context) => {
  const user = requireUser(context)
  if (!context.locals.pushKey) throw new AppError(503, PUSH_TEXTS.off)
  await limit('push-device', user.id, 30, 60)
  const input = await readJson(context, subscriptionInput)
  await subscribe(context.locals.db, user, context.locals.sessionId, input, getEnv().pushHosts)
  return { endpoint: input.endpoint }
})

/** DELETE /api/push */
export const turnPushOff = endpoint({ 204: null }, async (context) => {
  await unsubscribe(context.locals.db, requireUser(context), context.locals.sessionId)
  return new Response(null, { status: 204 })
})
