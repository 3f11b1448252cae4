import type { Db } from '#db/client.ts'
import { type DigestOptions, sendDigests } from './digest.server.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** The pause after a failure of the mail server, ms. */
const FAILURE_PAUSE_MS = 10 * MINUTE_MS

export interface DigestSchedule {
  close: () => Promise<void>
}

/** Checks once a minute whether digests are due. All state is in the database. */
export function scheduleDigests(
  db: Db,
  options: DigestOptions,
  { intervalMs = MINUTE_MS, clock = Date.now } = {},
): DigestSchedule {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let pausedUntil = 0
  const check = () => {
    const pauseLeftMs = pausedUntil - clock()
    // A longer pause than the longest means that the clock was set back.
    if (pauseLeftMs > 0 && pauseLeftMs <= FAILURE_PAUSE_MS) return
    running ??= sendDigests(db, { ...options, ending: ending.signal }, clock())
      .then((sent) => void (sent > 0 && console.log(`perrario · resúmenes semanales enviados: ${sent}`)))
      .catch((error: unknown) => {
        pausedUntil = clock() + FAILURE_PAUSE_MS
        console.error('perrario · los resúmenes semanales no se pudieron enviar:', error)
      })
      .finally(() => void (running = undefined))
  }
  const timer = setInterval(check, intervalMs).unref()
  check()
  return {
    async close() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}
