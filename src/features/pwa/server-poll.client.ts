import { hasUnsavedInput } from '#ui/unsaved-input.ts'

/** The delay before the first request to the server, and the longest one, ms. */
const FIRST_CHECK_MS = 5000
const MAX_CHECK_MS = 60_000
/** A server that needs longer than this does not count as reachable: a page would not load either. */
const ANSWER_TIMEOUT_MS = 3000

const isServerReachable = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Resolves after `ms`, or earlier when the network is back or the page is shown again. */
const waitForCheck = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const controller = new AbortController()
    const finish = () => {
      controller.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish, controller)
    document.addEventListener('visibilitychange', finish, controller)
  })

/**
 * Polls the server, and reloads the page once it answers. A page with unsaved input or an open dialog waits until it has neither;
 * what waits in its queues is sent meanwhile.
 * `navigator.onLine` says nothing about the server: the network may lack Internet, or the server may be down.
 * @param onReachable called at every answer, before the reload
 */
export async function reloadOnceReachable(onReachable = () => {}): Promise<void> {
  for (let delay = FIRST_CHECK_MS; ; delay = Math.min(delay * 2, MAX_CHECK_MS)) {
    await waitForCheck(delay)
    if (!navigator.onLine || document.hidden || !(await isServerReachable())) continue
    onReachable()
    if (!hasUnsavedInput() && !document.querySelector('dialog[open]')) location.reload()
    // A server that was down fires no `online`.
    else dispatchEvent(new Event('perrario:reachable'))
  }
}
