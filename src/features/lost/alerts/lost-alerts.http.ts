import { redirectWithTyped } from '#features/auth/flash.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { endpoint, readForm, readJson, requireUser, validate } from '#server/endpoint.ts'
import { redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { unsubscribeEndpoints } from '#server/one-click-unsubscribe.ts'
import { alertsUnsubscribedAnswer, lostAlertsAnswer } from './answers.ts'
import { deleteLostAlerts, readLostAlerts, saveLostAlerts, unsubscribeByToken } from './alert-settings.server.ts'
import { lostAlertPaths } from './lost-alert-paths.ts'
import { LOST_ALERT_TEXTS, type LostAlerts, lostAlertsInput, parseLostAlertsForm, refusalWord } from './lost-alerts.ts'

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

/** POST /api/lost-alerts: the same from the page's plain form; `accion=quitar` ends the alerts. */
export const postLostAlerts = endpoint({ 303: null }, async (context) => {
  const form = await readForm(context)
  const { user, db } = context.locals
  if (!user) return redirect(paths.login)
  const input = parseLostAlertsForm(form)
  try {
    await limitChanges(user.id)
    if (form.get('accion') === 'quitar') {
      await deleteLostAlerts(db, user)
      return redirect(lostAlertPaths.after({ hecho: 'quitados' }))
    }
    await saveLostAlerts(db, user, validate(lostAlertsInput, input))
  } catch (error) {
    const word = error instanceof AppError ? refusalWord(error.message) : undefined
    if (word === undefined) throw error
    // The page says why, over what was typed.
    return redirectWithTyped(context, lostAlertPaths.after({ error: word }), input.zone)
  }
  return redirect(lostAlertPaths.after({ hecho: 'guardados' }))
})

const oneClick = unsubscribeEndpoints({
  answer: alertsUnsubscribedAnswer,
  pagePath: lostAlertPaths.unsubscribe,
  unsubscribe: unsubscribeByToken,
  unknown: 'Este enlace no es de ningún aviso.',
})

/**
 * POST /api/lost-alerts/unsubscribe?token=…: sent by mail programs (RFC 8058, `List-Unsubscribe=One-Click`) and by the button of
 * /perdidos/avisos/baja. The token authorises it, not a session.
 */
export const unsubscribe = oneClick.unsubscribe

/** GET of the address in the mail's header: redirects to the page, which asks for confirmation. */
export const redirectToPage = oneClick.redirectToPage
