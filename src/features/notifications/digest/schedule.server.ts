import type { Db } from '#db/client.ts'
import { type DigestOptions, sendDigests } from './digest.server.ts'

const MINUTE_MS = 60_000
/** How long to leave a mail server alone that failed, ms. */
const FAILURE_PAUSE_MS = 10 * MINUTE_MS

export interface DigestSchedule {
  close: () => Promise<void>
}

/** Looks once a minute whether digests are due. Everything it needs to know stands in the database. */
export function scheduleDigests(
  db: Db,
  options: DigestOptions,
  { every = MINUTE_MS, clock = Date.now } = {},
): DigestSchedule {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let restUntil = 0
  const look = () => {
    const rest = restUntil - clock()
    // Longer than ever wanted: the clock went back.
    if (rest > 0 && rest <= FAILURE_PAUSE_MS) return
    running ??= sendDigests(db, { ...options, ending: ending.signal }, clock())
      .then((sent) => void (sent > 0 && console.log(`perrario · resúmenes semanales enviados: ${sent}`)))
      .catch((error: unknown) => {
        restUntil = clock() + FAILURE_PAUSE_MS
        console.error('perrario · los resúmenes semanales no se pudieron enviar:', error)
      })
      .finally(() => void (running = undefined))
  }
  const timer = setInterval(look, every).unref()
  look()
  return {
    async close() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}
