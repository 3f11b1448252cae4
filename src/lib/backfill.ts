export interface Backfill {
  /** Resolves when nothing is left to do, or the job was closed. */
  done: Promise<void>
  close: () => Promise<void>
}

export interface BackfillTiming {
  /** Before the first step, ms: a start has other things to do. */
  delayMs: number
  /** Between two steps, ms: everybody else goes first. */
  pauseMs: number
}

/**
 * Does piece by piece, in the background, what rows from before a migration still lack. New rows bring it along, so the job
 * ends for good. A step that fails ends it till the next start, with `failed` and the reason in the log.
 *
 * @param step does a piece; whether there may be more
 */
export function openBackfill(
  failed: string,
  step: () => Promise<boolean>,
  { delayMs, pauseMs }: BackfillTiming,
): Backfill {
  const ending = new AbortController()
  const sleep = (ms: number) =>
    new Promise<void>((go) => {
      if (ending.signal.aborted) return go()
      const timer = setTimeout(go, ms)
      ending.signal.addEventListener('abort', () => (clearTimeout(timer), go()), { once: true })
    })
  const run = async () => {
    await sleep(delayMs)
    while (!ending.signal.aborted && (await step())) await sleep(pauseMs)
  }
  const done = run().catch((error: unknown) => console.error(failed, error))
  return {
    done,
    async close() {
      ending.abort()
      await done
    },
  }
}
