import { madridMidnight } from './dates.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

// Values of `<input type="datetime-local">`, which have no time zone: here they are Madrid's.

const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid', dateStyle: 'short', timeStyle: 'short' })

/** `2026-11-27T13:05` */
export const formatMadridInput = (time: number): string => parts.format(time).replace(' ', 'T')

/** The moment, ms; null for anything else than such a value. Of an hour that the clock repeats, its first. */
export function parseMadridInput(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,3})?)?$/.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || hour > 23 || minute > 59) return null
  const start = madridMidnight(year * 10_000 + month * 100 + day)
  const wanted = text.slice(0, 16)
  // A day that the clock changes in has an hour more or less.
  const candidates = [-1, 0, 1].map((shift) => start + (hour + shift) * HOUR_MS + minute * MINUTE_MS)
  return candidates.find((time) => formatMadridInput(time) === wanted) ?? candidates[1]!
}
