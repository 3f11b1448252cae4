import type { Job } from './jobs.ts'

export interface Backfill extends Job {
  /** Resolves when nothing is left to do or the job was closed. */
  done: Promise<void>
}

export interface BackfillTiming {
  /** Before the first step, ms, so that it does not slow the start down. */
  delayMs: number
  /** Between two steps, ms, so that requests go first. */
  pauseMs: number
}

/**
 * Fills a column of rows from before its migration, step by step in the background. New rows have the value, so the job ends for
 * good. A step that fails ends it until the next start; the log has `failureMessage` and the error.
 *
 * @param step fills some rows; resolves to whether there may be more
 */
export function startBackfill(
  failureMessage: string,
  step: () => Promise<boolean>,
  { delayMs, pauseMs }: BackfillTiming,
): Backfill {
  const closing = new AbortController()
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      if (closing.signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      closing.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
  const run = async () => {
    await sleep(delayMs)
    while (!closing.signal.aborted && (await step())) await sleep(pauseMs)
  }
  const done = run().catch((error: unknown) => console.error(failureMessage, error))
  return {
    done,
    async close() {
      closing.abort()
      await done
    },
  }
}
