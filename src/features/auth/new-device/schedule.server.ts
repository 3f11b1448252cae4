import type { Db } from '#db/client.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { type AlertMailer, sendDueAlerts } from './sign-in-alerts.server.ts'

/** Sends once a minute the mails about new devices that failed at their sign-in, or waited. All state is in the database. */
export const startSignInAlerts = (db: Db, mailer: AlertMailer, { intervalMs = MINUTE_MS } = {}): Job =>
  runEvery(
    { intervalMs, delayMs: 0 },
    'perrario · los avisos de dispositivos nuevos no se pudieron enviar:',
    (signal) => sendDueAlerts(db, mailer, Date.now(), signal),
  )
