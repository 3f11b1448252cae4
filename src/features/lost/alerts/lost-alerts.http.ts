import { HOUR_SECONDS } from '#lib/time.ts'
import { endpoint, readJson, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { lostAlertsAnswer } from './answers.ts'
import { deleteLostAlerts, readLostAlerts, saveLostAlerts } from './alert-settings.server.ts'
import { LOST_ALERT_TEXTS, type LostAlerts, lostAlertsInput } from './lost-alerts.ts'

const CHANGES_PER_HOUR = 60

const limitChanges = (userId: string) =>
  limit('lost-alerts', userId, CHANGES_PER_HOUR, HOUR_SECONDS, LOST_ALERT_TEXTS.tooMany)

const NONE = { zone: null, radius_km: null, breaks_quiet: false, by_mail: false, by_push: false }
const toAnswer = (alerts: LostAlerts | null) => alerts ?? NONE

/** GET /api/lost-alerts: where and how the requester is alerted of lost dogs; nobody else reads it. */
export const getLostAlerts = endpoint({ 200: lostAlertsAnswer }, async (context) =>
  toAnswer(await readLostAlerts(context.locals.db, requireUser(context).id)),
)

/** PUT /api/lost-alerts `{zone, radius_km, breaks_quiet, by_mail, by_push}` */
export const putLostAlerts = endpoint({ 200: lostAlertsAnswer }, async (context) => {
  const user = requireUser(context)
  await limitChanges(user.id)
  return toAnswer(await saveLostAlerts(context.locals.db, user, await readJson(context, lostAlertsInput)))
})

/** DELETE /api/lost-alerts: ends the alerts. */
export const removeLostAlerts = endpoint({ 204: null }, async (context) => {
  const user = requireUser(context)
  await limitChanges(user.id)
  await deleteLostAlerts(context.locals.db, user)
  return new Response(null, { status: 204 })
})
