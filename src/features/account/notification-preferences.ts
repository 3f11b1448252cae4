import * as z from 'zod/mini'
import {
  clockText,
  type NoticeSettings,
  type SavedSettings,
  SETTINGS_TEXTS,
  settingsInput,
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
  likes: form.has('likes'),
  comments: form.has('comments'),
  others: form.has('others'),
  quiet: form.has('quiet') ? { from: form.get('from'), to: form.get('to') } : null,
  time_zone: form.get('time_zone'),
  follows: form.has('follows'),
  memories: form.has('memories'),
  // A member without an e-mail address has no switch for the digest: its stored value stays on.
  digest: form.has('digest') || !form.has('has_digest'),
  follows_digest: form.has('follows_digest') || !form.has('has_digest'),
})
