import { paths } from '#lib/paths.ts'
import { endpoint, readJson, requireUser } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
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
export const savePreferencesByForm = formEndpoint({
  who: requireUser,
  input: notificationPreferencesInput,
  fields: parsePreferencesForm,
  save: ({ locals }, user, preferences) => saveNotificationPreferences(locals.db, user, preferences),
  done: () => `${paths.notices}?hecho=avisos#avisos`,
  refused: (_, { status, errors }) =>
    status === 422 ? `${paths.notices}?error=${errors?.time_zone ? 'zona' : 'horas'}#avisos` : undefined,
})
