import { redirect } from '#server/forms.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { validate, endpoint, readForm, readJson, requireUser } from '#server/endpoint.ts'
import {
  type SavedPreferences,
  toPreferencesJson,
  notificationPreferencesInput,
  parsePreferencesForm,
} from './notification-preferences.ts'
import { readNotificationPreferences, saveNotificationPreferences } from './notification-preferences.server.ts'
import { notificationPreferencesAnswer } from './answers.ts'

/** GET /api/account/notices: the member's preferences. */
export const getPreferences = endpoint({ 200: notificationPreferencesAnswer }, async (context) =>
  toPreferencesJson(await readNotificationPreferences(context.locals.db, requireUser(context).id)),
)

/** PUT /api/account/notices: replaces all preferences; a switch that was added later stays where it is left out. */
export const savePreferences = endpoint({ 200: notificationPreferencesAnswer }, async (context) => {
  const user = requireUser(context)
  const preferences: SavedPreferences = await readJson(context, notificationPreferencesInput)
  await saveNotificationPreferences(context.locals.db, user, preferences)
  return toPreferencesJson(await readNotificationPreferences(context.locals.db, user.id))
})

/** POST /api/account/notices: the same from the page's plain form, in which an unchecked box means no. */
export const savePreferencesByForm = endpoint({ 303: null }, async (context) => {
  const form = await readForm(context)
  const { user } = context.locals
  if (!user) return redirect(paths.login)
  try {
    await saveNotificationPreferences(
      context.locals.db,
      user,
      validate(notificationPreferencesInput, parsePreferencesForm(form)),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirect(`${paths.notices}?error=${error.errors?.time_zone ? 'zona' : 'horas'}#avisos`)
  }
  return redirect(`${paths.notices}?hecho=avisos#avisos`)
})
