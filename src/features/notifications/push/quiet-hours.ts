/** Minutes of the day, 0 to 1439; with `from` after `to` the hours span midnight. */
export interface QuietHours {
  from: number
  to: number
}

const DAY_MINUTES = 1440
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (!clock) {
    const fields = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    clocks.set(timeZone, (clock = new Intl.DateTimeFormat('en-GB', { timeZone, ...fields })))
  }
  return clock
}

/** The minute of the day in `timeZone` at a time in ms. */
export function minuteOfDay(time: number, timeZone: string): number {
  const [hour = 0, minute = 0] = clockOf(timeZone).format(time).split(':').map(Number)
  return hour * 60 + minute
}

export const isQuiet = (minute: number, { from, to }: QuietHours): boolean =>
  from <= to ? minute >= from && minute < to : minute >= from || minute < to

/**
 * When the quiet hours around `now` end, ms; null outside them. Uses local time, so that nights with a clock change end at
 * the right local hour.
 */
export function quietEnd(now: number, quiet: QuietHours | null, timeZone: string): number | null {
  if (!quiet || !isQuiet(minuteOfDay(now, timeZone), quiet)) return null
  const minute = Math.floor(now / 60_000) * 60_000
  let end = minute + ((quiet.to - minuteOfDay(now, timeZone) + DAY_MINUTES) % DAY_MINUTES) * 60_000
  // A clock change in between shifts the end by an hour.
  const errorMinutes =
    ((minuteOfDay(end, timeZone) - quiet.to + DAY_MINUTES + DAY_MINUTES / 2) % DAY_MINUTES) - DAY_MINUTES / 2
  end -= errorMinutes * 60_000
  return end > now ? end : now + 60_000
}

/** The canonical name of an IANA time zone, since `clocks` caches by name; null for an unknown one. */
export function normaliseTimeZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
