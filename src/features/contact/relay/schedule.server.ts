import type { Db } from '#db/client.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { type MessageMailer, sendMessageMails } from './send-mails.server.ts'

/** The pause after a failure of the mail server, ms. */
const FAILURE_PAUSE_MS = 10 * MINUTE_MS

/** Sends the mails about messages, some each minute. All state is in the database. */
export function startMessageMails(
  db: Db,
  mailer: MessageMailer,
  { intervalMs = MINUTE_MS, clock = Date.now } = {},
): Job {
  let pausedUntil = 0
  return runEvery({ intervalMs }, 'perrario · los emails de mensajes no se pudieron enviar:', async (signal) => {
    const pauseLeftMs = pausedUntil - clock()
    // A longer pause than the longest means that the clock was set back.
    if (pauseLeftMs > 0 && pauseLeftMs <= FAILURE_PAUSE_MS) return
    try {
      await sendMessageMails(db, mailer, { now: clock(), signal })
    } catch (error) {
      pausedUntil = clock() + FAILURE_PAUSE_MS
      throw error
    }
  })
}
