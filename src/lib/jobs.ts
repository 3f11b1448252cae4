/** A background job. */
export interface Job {
  /** Starts nothing more, asks the step under way to stop by its signal, and waits for its end. */
  close: () => Promise<void>
}

/** Runs `work` once, beside the requests. A failure is logged with `failureMessage`, unless `close` caused it. */
export function runOnce(failureMessage: string, work: (signal: AbortSignal) => Promise<unknown>): Job {
  const closing = new AbortController()
  const running = runLogged(failureMessage, work, closing.signal)
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

export interface Interval {
  intervalMs: number
  /** Before the first run; `intervalMs` by default. 0: it begins immediately. */
  delayMs?: number
}

/**
 * Runs `work` at an interval, by the monotonic clock and never twice at the same time. A failure is logged with `failureMessage`,
 * and the next run is not affected. Keeps no process alive.
 */
export function runEvery(
  { intervalMs, delayMs = intervalMs }: Interval,
  failureMessage: string,
  work: (signal: AbortSignal) => Promise<unknown>,
): Job {
  const closing = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    running ??= runLogged(failureMessage, work, closing.signal).finally(() => void (running = undefined))
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    run()
    timer = setInterval(run, intervalMs).unref()
  }
  if (delayMs === 0) start()
  else timer = setTimeout(start, delayMs).unref()
  return {
    async close() {
      // Timeouts and intervals share their ids.
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}

async function runLogged(
  failureMessage: string,
  work: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await work(signal)
  } catch (error) {
    if (!signal.aborted) console.error(failureMessage, error)
  }
}
