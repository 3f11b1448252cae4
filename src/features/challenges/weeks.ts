import { madridDay, madridDayIndex, madridMidnight } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'

/** The first week's Monday in Madrid. Weeks count from it, so it never changes. */
const FIRST_MONDAY = madridMidnight(20261123)
const FIRST_MONDAY_INDEX = madridDayIndex(FIRST_MONDAY)
const DAYS_PER_WEEK = 7

/** The challenge's week of a time (ms): 0 for the first one, negative before it. A week begins on Monday at midnight in Madrid. */
export const challengeWeekOf = (time: number): number =>
  Math.floor((madridDayIndex(time) - FIRST_MONDAY_INDEX) / DAYS_PER_WEEK)

/** The first millisecond of a week. */
export function weekStart(week: number): number {
  // Counts from noon: weeks with a clock change are an hour longer or shorter.
  const noon = FIRST_MONDAY + 12 * HOUR_MS + week * DAYS_PER_WEEK * DAY_MS
  return madridMidnight(madridDay(noon))
}
