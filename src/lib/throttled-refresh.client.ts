/** The shortest time between two requests, ms. */
const REFRESH_INTERVAL_MS = 2000
/** A press causes two events, its answer's and the live stream's: one request serves both. ms. */
const BATCH_MS = 200

/**
 * Limits how often a page asks for data that changes with every event: one request at a time, REFRESH_INTERVAL_MS apart, and
 * none while the tab is hidden.
 * @param refresh asks once; what it throws is ignored, since the next event asks again
 * @returns the function to call with every event
 */
export function throttleRefresh(refresh: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let requestedAt = -Infinity
  let previous = Promise.resolve()
  const run = () => {
    if (document.hidden) return document.addEventListener('visibilitychange', run, { once: true })
    timer = undefined
    requestedAt = performance.now()
    previous = previous.then(refresh).catch(() => {})
  }
  return () => {
    timer ??= setTimeout(run, Math.max(BATCH_MS, requestedAt + REFRESH_INTERVAL_MS - performance.now()))
  }
}
