import { siteBase } from '#server/env.ts'
import { log } from '#server/log/log.ts'
import { describeMailError, isMailWrittenToOutbox, isRefusedForGood, sendMail } from '#server/mail.ts'
import { sendAlertsOf } from './sign-in-alerts.server.ts'

/** Sends the alerts of an account that are due now. Nobody waits for a mail server; what fails is tried again by a job. */
export async function mailAlerts(db: App.Locals['db'], userId: string): Promise<void> {
  const mailer = { siteBase: siteBase(), send: sendMail, isRefused: isRefusedForGood }
  const sending = sendAlertsOf(db, userId, mailer).catch((error: unknown) =>
    log().write('error', `el aviso de una entrada nueva no se pudo enviar todavía: ${describeMailError(error)}`),
  )
  if (isMailWrittenToOutbox()) await sending
}
