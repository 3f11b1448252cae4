import { madridDay } from '#lib/dates.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The hours of a Madrid morning in which digests go out. */
const SENDING_HOURS = { from: 9, to: 13 }
/** What is older than that is news no longer, ms. */
export const DIGEST_MAX_AGE_MS = 30 * DAY_MS
/** How many lines a digest shows; the rest is a number. */
export const DIGEST_MAX_ITEMS = 5
/** Members looked at in a minute: some thousands a morning; who is left over comes the next. */
export const DIGEST_BATCH_MEMBERS = 50

const madridClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const clockPart = (time: number, type: string) =>
  madridClock.formatToParts(time).find((one) => one.type === type)!.value

/** The week of `time` by its Monday in Madrid, 20261116. */
export function weekOf(time: number): number {
  // From noon: a day in which clocks change is an hour longer or shorter.
  const noon = time + (12 - Number(clockPart(time, 'hour'))) * HOUR_MS
  return madridDay(noon - WEEKDAYS.indexOf(clockPart(time, 'weekday')) * DAY_MS)
}

/** True while digests go out. */
export function isSendingTime(time: number): boolean {
  const hour = Number(clockPart(time, 'hour'))
  return hour >= SENDING_HOURS.from && hour < SENDING_HOURS.to
}
