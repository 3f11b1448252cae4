import * as z from 'zod/mini'
import {
  clockText,
  eachSwitch,
  type NoticeSettings,
  type SavedSettings,
  SETTINGS_TEXTS,
  settingsInput,
  SWITCH_NAMES,
  SWITCHES,
} from '#features/notifications/push/settings.ts'

/** A member's preferences for push notifications and the weekly mail. */
export type NotificationPreferences = NoticeSettings & { digest: boolean }
export type SavedPreferences = SavedSettings & { digest: boolean }

/** Input of `PUT /api/account/notices`. */
export const notificationPreferencesInput = z.extend(settingsInput, { digest: z.boolean(SETTINGS_TEXTS.choice) })

/** The preferences as the API's JSON, with hours as «23:00». */
export const toPreferencesJson = ({ quiet, ...settings }: NotificationPreferences) => ({
  ...settings,
  quiet: quiet && { from: clockText(quiet.from), to: clockText(quiet.to) },
})

/** Reads the page's form, to be validated by `notificationPreferencesInput`. */
export const parsePreferencesForm = (form: FormData) => ({
  // A member without an e-mail address has no switches for the digest: their stored values stay on.
  ...eachSwitch(SWITCH_NAMES, (name) => form.has(name) || (SWITCHES[name][0] === 'mail' && !form.has('has_digest'))),
  quiet: form.has('quiet') ? { from: form.get('from'), to: form.get('to') } : null,
  time_zone: form.get('time_zone'),
})
