import { madridDay } from '#lib/dates.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The hours of a Madrid morning in which digests go out. */
const MORNING = { from: 9, to: 13 }
/** What is older than that is news no longer, ms. */
export const DIGEST_REACH = 30 * DAY
/** How many lines a digest shows; the rest is a number. */
export const DIGEST_LINES = 5
/** Members looked at in a minute: some thousands a morning; who is left over comes the next. */
export const DIGEST_BATCH = 50

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})
const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const part = (time: number, type: string) => clock.formatToParts(time).find((one) => one.type === type)!.value

/** The week of `time` by its Monday in Madrid, 20261116. */
export function weekOf(time: number): number {
  // From noon: a day in which clocks change is an hour longer or shorter.
  const noon = time + (12 - Number(part(time, 'hour'))) * HOUR
  return madridDay(noon - WEEK.indexOf(part(time, 'weekday')) * DAY)
}

/** True while digests go out. */
export function isMorning(time: number): boolean {
  const hour = Number(part(time, 'hour'))
  return hour >= MORNING.from && hour < MORNING.to
}
