/** Work beside the requests. */
export interface Job {
  /** Starts nothing more, asks what is under way to stop by its signal, and waits for its end. */
  close: () => Promise<void>
}

interface Times {
  /** Between the beginnings of two runs, ms; Infinity: it runs once. */
  intervalMs: number
  /** Before the first run, ms; `intervalMs` by default. 0: it begins immediately. */
  delayMs?: number
}
type Run = (signal: AbortSignal, isFirst: boolean) => Promise<unknown>

/** Work that returns, by what the log says before the error of a run. */
export type Recurring = readonly (Times & { failure: string; run: Run })[]

/** Works that have the same times. */
export const every = (intervalMs: number, delayMs: number, works: Record<string, Run | false | null>): Recurring =>
  Object.entries(works).flatMap(([failure, run]) => (run ? [{ intervalMs, delayMs, failure, run }] : []))

/** A timer takes no longer time, ms. */
const MAX_SLEEP_MS = 3_600_000

/**
 * Runs each work at its interval by the monotonic clock, never twice at the same time, and beside the others: one that is slow, hangs or fails
 * holds up none. A failure is logged, and the next run is not affected. Keeps no process alive.
 */
export function startRecurring(works: Recurring): Job {
  const closing = new AbortController()
  const lanes = works.map(({ intervalMs, delayMs = intervalMs, failure, run }) => {
    const lane = { intervalMs, dueAt: performance.now() + delayMs, runs: 0, isRunning: false, end: Promise.resolve() }
    const start = async (): Promise<void> => {
      lane.isRunning = true
      try {
        await run(closing.signal, lane.runs++ === 0)
      } catch (error) {
        if (!closing.signal.aborted) console.error(failure, error)
      }
      lane.isRunning = false
    }
    return Object.assign(lane, { start })
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  function startDue(): void {
    const now = performance.now()
    for (const lane of lanes) {
      if (lane.dueAt > now) continue
      lane.dueAt = now + lane.intervalMs
      if (!lane.isRunning) lane.end = lane.start()
    }
    const nextAt = Math.min(...lanes.map(({ dueAt }) => dueAt))
    timer = setTimeout(startDue, Math.min(MAX_SLEEP_MS, Math.max(0, nextAt - performance.now()))).unref()
  }
  startDue()
  return {
    async close() {
      clearTimeout(timer)
      closing.abort()
      await Promise.all(lanes.map(({ end }) => end))
    },
  }
}

/** `startRecurring` of one work. */
export const runEvery = (times: Times, failure: string, run: Run): Job => startRecurring([{ ...times, failure, run }])
