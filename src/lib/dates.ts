import { DAY_MS } from './time.ts'

const TIME_ZONE = 'Europe/Madrid'

const dayParts = new Intl.DateTimeFormat('en-CA', {
  timeZone: TIME_ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const longDay = new Intl.DateTimeFormat('es-ES', {
  timeZone: TIME_ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})
const fullDate = new Intl.DateTimeFormat('es-ES', { timeZone: TIME_ZONE, dateStyle: 'long' })
const shortDate = new Intl.DateTimeFormat('es-ES', { timeZone: TIME_ZONE, dateStyle: 'medium' })
const dateTime = new Intl.DateTimeFormat('es-ES', { timeZone: TIME_ZONE, dateStyle: 'medium', timeStyle: 'short' })
const timeOfDay = new Intl.DateTimeFormat('es-ES', { timeZone: TIME_ZONE, timeStyle: 'short' })
const hours = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const relative = new Intl.RelativeTimeFormat('es', { numeric: 'always' })

/** The Europe/Madrid day as a number, 20261120: what «hoy» means everywhere (docs/product.md §1.2). */
export function madridDay(time: number): number {
  return Number(dayParts.format(time).replaceAll('-', ''))
}

/** The Europe/Madrid day counted from 1 January 1970: the difference of two is the number of days between them. */
export function madridDayIndex(time: number): number {
  const day = madridDay(time)
  return Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100) / DAY_MS
}

/** Milliseconds until the Madrid day changes: how long anything that shows «hoy» may be cached. */
export function msUntilMadridMidnight(time: number): number {
  const [h = 0, m = 0, s = 0] = hours.format(time).split(':').map(Number)
  return Math.max(1000, DAY_MS - (((h * 60 + m) * 60 + s) * 1000 + (time % 1000)))
}

/** The moment, ms, at which a Madrid day begins (20261120), in summer and winter time. */
export function madridMidnight(day: number): number {
  const utc = Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100)
  const inSummer = utc - 2 * 3_600_000
  return madridDay(inSummer) === madridDay(utc) ? inSummer : utc - 3_600_000
}

/** «viernes, 20 de noviembre» */
export const formatDay = (time: number): string => longDay.format(time)

/** «20 de noviembre de 2026» */
export const formatDate = (time: number): string => fullDate.format(time)

/** «20 nov 2026» */
export const formatShortDate = (time: number): string => shortDate.format(time)

/** «20 nov 2026, 18:20» */
export const formatDateTime = (time: number): string => dateTime.format(time)

/** «18:20» */
export const formatTime = (time: number): string => timeOfDay.format(time)

const RELATIVE_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** «hace 3 días»; «ahora mismo» under a minute. Both times in milliseconds. */
export function formatRelative(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000))
  for (const [unit, size] of RELATIVE_UNITS)
    if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit)
  return 'ahora mismo'
}
