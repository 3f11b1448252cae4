import type { Db } from '#db/client.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { sendHomecomings } from '../homecoming.server.ts'
import { deleteEndedAlerts } from './ended-alerts.server.ts'
import { sendLostAlerts } from './send-alerts.server.ts'
import { type LostMailer, sendLostMails } from './send-mails.server.ts'

/** The queues are looked at so often; empty ones cost three statements and a transaction. */
const INTERVAL_MS = 5 * SECOND_MS
/** The pause after a failure of the mail server, ms. */
const FAILURE_PAUSE_MS = 10 * MINUTE_MS

/**
 * Alerts members of lost dogs near them, deletes the alerts of cases that have ended, and notifies who helped. All state is in the database.
 */
export const startLostAlerts = (db: Db, { intervalMs = INTERVAL_MS, clock = Date.now } = {}): Job =>
  runEvery({ intervalMs }, 'perrario · los avisos de perros perdidos no se pudieron enviar:', async (ending) => {
    await deleteEndedAlerts(db, ending)
    const alerted = await sendLostAlerts(db, ending, clock())
    await sendHomecomings(db, ending, clock())
    if (alerted > 0) console.log(`perrario · avisos de perros perdidos: ${alerted}`)
  })

/** Sends their mails, some each minute. All state is in the database. */
export function startLostMails(db: Db, mailer: LostMailer, { intervalMs = MINUTE_MS, clock = Date.now } = {}): Job {
  let pausedUntil = 0
  return runEvery({ intervalMs }, 'perrario · los emails de perros perdidos no se pudieron enviar:', async (signal) => {
    const pauseLeftMs = pausedUntil - clock()
    // A longer pause than the longest means that the clock was set back.
    if (pauseLeftMs > 0 && pauseLeftMs <= FAILURE_PAUSE_MS) return
    try {
      await sendLostMails(db, mailer, { now: clock(), signal })
    } catch (error) {
      pausedUntil = clock() + FAILURE_PAUSE_MS
      throw error
    }
  })
}
