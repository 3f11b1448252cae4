import type { APIContext } from 'astro'
import { msUntilMadridMidnight } from '#lib/dates.ts'
import { HOUR_MS } from '#lib/time.ts'

/**
 * Has the page kept for its other readers until something that it has read is written (src/app/page-cache), or until the first of
 * `times` (ms), when what it shows changes by the clock alone. Call it in the page's frontmatter.
 */
export function keepPage({ locals }: Pick<APIContext, 'locals'>, ...times: (number | undefined)[]): void {
  locals.keepPage?.(Math.min(...times.filter((time) => time !== undefined)))
}

/** Midnight in Madrid, for a page that counts what was added today; an hour at most, because a change to summer time moves it. */
export function untilMidnight(now = Date.now()): number {
  return now + Math.min(HOUR_MS, msUntilMadridMidnight(now))
}
