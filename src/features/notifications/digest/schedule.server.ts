import type { Db } from '#db/client.ts'
import { type DigestOptions, sendDigests } from './digest.server.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** The pause after a failure of the mail server, ms. */
const FAILURE_PAUSE_MS = 10 * MINUTE_MS

/** Checks once a minute whether digests are due. All state is in the database. */
export function startDigests(db: Db, options: DigestOptions, { intervalMs = MINUTE_MS, clock = Date.now } = {}): Job {
  let pausedUntil = 0
  const timing = { intervalMs, delayMs: 0 }
  return runEvery(timing, 'perrario · los resúmenes semanales no se pudieron enviar:', async (ending) => {
    const pauseLeftMs = pausedUntil - clock()
    // A longer pause than the longest means that the clock was set back.
    if (pauseLeftMs > 0 && pauseLeftMs <= FAILURE_PAUSE_MS) return
    try {
      const sent = await sendDigests(db, { ...options, ending }, clock())
      if (sent > 0) console.log(`perrario · resúmenes semanales enviados: ${sent}`)
    } catch (error) {
      pausedUntil = clock() + FAILURE_PAUSE_MS
      throw error
    }
  })
}
