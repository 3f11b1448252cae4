/** Minutes of the day, 0 to 1439; `from` after `to` goes over midnight. */
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

/** The minute of the day that clocks in `timeZone` show. */
export function minuteOfDay(time: number, timeZone: string): number {
  const [hour = 0, minute = 0] = clockOf(timeZone).format(time).split(':').map(Number)
  return hour * 60 + minute
}

export const isQuiet = (minute: number, { from, to }: QuietHours): boolean =>
  from <= to ? minute >= from && minute < to : minute >= from || minute < to

/**
 * When quiet hours that hold `now` end, ms; null outside them. Goes by what clocks show, so that a night in which they
 * change ends when they say so.
 */
export function quietEnd(now: number, quiet: QuietHours | null, timeZone: string): number | null {
  if (!quiet || !isQuiet(minuteOfDay(now, timeZone), quiet)) return null
  const minute = Math.floor(now / 60_000) * 60_000
  let end = minute + ((quiet.to - minuteOfDay(now, timeZone) + DAY_MINUTES) % DAY_MINUTES) * 60_000
  // An hour more or less in between: look again from there.
  const off = ((minuteOfDay(end, timeZone) - quiet.to + DAY_MINUTES + DAY_MINUTES / 2) % DAY_MINUTES) - DAY_MINUTES / 2
  end -= off * 60_000
  return end > now ? end : now + 60_000
}

/** The one spelling of a zone that clocks are known of: each spelling would keep a clock of its own. Null for another. */
export function normaliseTimeZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
