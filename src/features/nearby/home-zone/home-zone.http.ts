import { redirectWithTyped } from '#features/auth/flash.http.ts'
import { deleteLostAlerts, saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { lostAlertsInput, parseLostAlertsForm } from '#features/lost/alerts/lost-alerts.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { endpoint, readForm, readJson, requireUser, validate } from '#server/endpoint.ts'
import { redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { homeZoneAnswer } from '../answers.ts'
import { nearbyPaths } from '../nearby-paths.ts'
import { deleteHomeZone, readHomeZone, saveHomeZone } from './home-zone.server.ts'
import { HOME_ZONE_TEXTS, type HomeZone, homeZoneInput, parseHomeZoneForm, refusalWord } from './home-zone.ts'

/** Who changes their zone more often looks for others'. */
const CHANGES_PER_HOUR = 60

const limitChanges = (userId: string) =>
  limit('home-zone', userId, CHANGES_PER_HOUR, HOUR_SECONDS, HOME_ZONE_TEXTS.tooMany)

const toAnswer = (home: HomeZone | null) => ({
  zone: home?.zone ?? null,
  province: home?.province || null,
  alert: home?.alert ?? null,
  digest: home?.digest ?? false,
})

/** GET /api/profile/home-zone: the requester's own zone; nobody else reads it. */
export const getHomeZone = endpoint({ 200: homeZoneAnswer }, async (context) =>
  toAnswer(await readHomeZone(context.locals.db, requireUser(context).id)),
)

/** PUT /api/profile/home-zone `{zone, alert, digest}`: sets it, with the notifications that its member wants. */
export const putHomeZone = endpoint({ 200: homeZoneAnswer }, async (context) => {
  const user = requireUser(context)
  await limitChanges(user.id)
  return toAnswer(await saveHomeZone(context.locals.db, user, await readJson(context, homeZoneInput)))
})

/** DELETE /api/profile/home-zone: forgets it, with its alerts. */
export const removeHomeZone = endpoint({ 204: null }, async (context) => {
  const user = requireUser(context)
  await limitChanges(user.id)
  await deleteHomeZone(context.locals.db, user)
  return new Response(null, { status: 204 })
})

/**
 * POST /api/profile/home-zone: the same from the page's plain form, which sets the alerts of lost dogs in that zone, too (`radius_km`, «no»
 * for none); `accion=quitar` forgets both.
 */
export const postHomeZone = endpoint({ 303: null }, async (context) => {
  const form = await readForm(context)
  const { user, db } = context.locals
  if (!user) return redirect(paths.login)
  const input = parseHomeZoneForm(form)
  try {
    await limitChanges(user.id)
    if (form.get('accion') === 'quitar') {
      await deleteHomeZone(db, user)
      await deleteLostAlerts(db, user)
      return redirect(nearbyPaths.homeZoneAfter({ hecho: 'quitada' }))
    }
    const home = validate(homeZoneInput, input)
    const radius = form.get('radius_km')
    const alerts = radius === null || radius === 'no' ? null : validate(lostAlertsInput, parseLostAlertsForm(form))
    await saveHomeZone(db, user, home)
    if (alerts) await saveLostAlerts(db, user, alerts)
    else if (radius === 'no') await deleteLostAlerts(db, user)
  } catch (error) {
    const word = error instanceof AppError ? refusalWord(error.message) : undefined
    if (word === undefined) throw error
    // The page says why, over what was typed.
    return redirectWithTyped(context, nearbyPaths.homeZoneAfter({ error: word }), input.zone)
  }
  return redirect(nearbyPaths.homeZoneAfter({ hecho: 'guardada' }))
})
