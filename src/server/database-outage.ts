import { errorCode } from '#lib/error-code.ts'
import { SECOND_MS } from '#lib/time.ts'

const PING_INTERVAL_MS = SECOND_MS

/** What asks a PostgreSQL that was unavailable whether it answers again; undefined where none is watched. */
let outage: { isUnavailable: boolean } | undefined

/**
 * From now on an outage is two lines of the log: one when a request meets it, and one when `ping` succeeds again.
 * @param ping asks the database; rejects while it does not answer
 * @returns ends that
 */
export function watchDatabase(ping: () => Promise<void>): () => void {
  const watched = (outage = { isUnavailable: false })
  let isPinging = false
  // Always on: a timer that a request starts would log with that request's id.
  const timer = setInterval(() => {
    if (!watched.isUnavailable || isPinging) return
    isPinging = true
    void ping()
      .then(
        () => {
          watched.isUnavailable = false
          console.log('perrario · la base de datos vuelve a responder')
        },
        () => {},
      )
      .finally(() => (isPinging = false))
  }, PING_INTERVAL_MS).unref()
  return () => {
    clearInterval(timer)
    outage = undefined
  }
}

/** Logs that the database does not answer, once for each outage. */
export function reportDatabaseUnavailable(error: unknown): void {
  if (outage?.isUnavailable) return
  if (outage) outage.isUnavailable = true
  const reason = errorCode(error) || (error instanceof Error ? error.message : String(error))
  console.error(`perrario · la base de datos no responde (${reason})`)
}
