import { DAY_MS } from '#lib/time.ts'

/** The first week's Monday in Madrid. Weeks count from it, so it never changes. */
const FIRST_MONDAY_UTC = Date.UTC(2026, 10, 23)
const DAYS_PER_WEEK = 7

const madridDate = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Madrid',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const madridHour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', hour: '2-digit', hourCycle: 'h23' })

/** The week of a time (ms): 0 for the first one, negative before it. A week begins on Monday at midnight in Madrid. */
export function weekOf(time: number): number {
  const days = (Date.parse(madridDate.format(time)) - FIRST_MONDAY_UTC) / DAY_MS
  return Math.floor(days / DAYS_PER_WEEK)
}

/** The first millisecond of a week. */
export function weekStart(week: number): number {
  const midnightUtc = FIRST_MONDAY_UTC + week * DAYS_PER_WEEK * DAY_MS
  // Madrid is one hour ahead of UTC, or two in summer; it changes on Sundays.
  const hoursAhead = Number(madridHour.format(midnightUtc))
  return midnightUtc - hoursAhead * 3_600_000
}
