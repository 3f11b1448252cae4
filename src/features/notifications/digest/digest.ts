import { madridDay } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'

/** The hours in Madrid during which digests are sent: `from` inclusive, `to` exclusive. */
const SENDING_HOURS = { from: 9, to: 13 }
/** Older notifications are left out, ms. */
export const DIGEST_MAX_AGE_MS = 30 * DAY_MS
/** Older news that are no notifications are left out, ms: a week and the longest a morning's mails take. */
export const NEWS_MAX_AGE_MS = 8 * DAY_MS
/** Notifications that a digest lists; the others are counted. */
export const DIGEST_MAX_ITEMS = 5
/** Members checked per minute: some thousands a morning. The rest follow on the next one. */
export const DIGEST_BATCH_MEMBERS = 50

const madridClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const clockPart = (time: number, type: string) =>
  madridClock.formatToParts(time).find((part) => part.type === type)!.value

/** The week of a time in ms, as its Monday in Madrid: 20261116. */
export function weekOf(time: number): number {
  // Counts from noon, because days with a clock change are an hour longer or shorter.
  const noon = time + (12 - Number(clockPart(time, 'hour'))) * HOUR_MS
  return madridDay(noon - WEEKDAYS.indexOf(clockPart(time, 'weekday')) * DAY_MS)
}

/** Whether digests are sent at a time in ms. */
export function isSendingTime(time: number): boolean {
  const hour = Number(clockPart(time, 'hour'))
  return hour >= SENDING_HOURS.from && hour < SENDING_HOURS.to
}
