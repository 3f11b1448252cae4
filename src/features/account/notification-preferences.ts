import * as z from 'zod/mini'
import { clockText, type NoticeSettings, SETTINGS_TEXTS, settingsInput } from '#features/notifications/push/settings.ts'

/** All that a member wants to be told outside the site, the weekly mail included. */
export type NotificationPreferences = NoticeSettings & { digest: boolean }

/** `PUT /api/account/notices` */
export const notificationPreferencesInput = z.extend(settingsInput, { digest: z.boolean(SETTINGS_TEXTS.choice) })

/** The settings as programs read and write them: hours as «23:00». */
export const toPreferencesJson = ({ quiet, ...settings }: NotificationPreferences) => ({
  ...settings,
  quiet: quiet && { from: clockText(quiet.from), to: clockText(quiet.to) },
})

/** What the page's form says, for `settingsInput` to check. */
export const parsePreferencesForm = (form: FormData) => ({
  likes: form.has('likes'),
  comments: form.has('comments'),
  others: form.has('others'),
  quiet: form.has('quiet') ? { from: form.get('from'), to: form.get('to') } : null,
  time_zone: form.get('time_zone'),
  // Who has no address sees no switch for it.
  digest: form.has('digest') || !form.has('has_digest'),
})
