import { clockText, type NoticeSettings } from '#features/notifications/push/settings.ts'

/** The settings as programs read and write them: hours as «23:00». */
export const noticesAnswer = ({ quiet, ...settings }: NoticeSettings) => ({
  ...settings,
  quiet: quiet && { from: clockText(quiet.from), to: clockText(quiet.to) },
})

/** What the page's form says, for `settingsInput` to check. */
export const noticesOfForm = (form: FormData) => ({
  likes: form.has('likes'),
  comments: form.has('comments'),
  others: form.has('others'),
  quiet: form.has('quiet') ? { from: form.get('from'), to: form.get('to') } : null,
  time_zone: form.get('time_zone'),
})
