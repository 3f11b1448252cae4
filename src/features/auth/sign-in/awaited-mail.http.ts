import { AppError } from '#lib/errors.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { log } from '#server/log/log.ts'
import { describeMailError, isMailWrittenToOutbox, type Mail, sendMail } from '#server/mail.ts'
import { SIGN_IN_TEXTS } from './sign-in.ts'

/**
 * Sends a mail for which its reader waits.
 * @param secrets printed for the person at a terminal where mails are written to files: a stored log must hold nothing that signs anyone in
 * @throws AppError 502
 */
export async function sendAwaitedMail(mail: Mail, secrets: string | null): Promise<void> {
  try {
    await sendMail(mail)
  } catch (error) {
    // A failing disk under the outbox has its own error texts.
    if (findStorageFailure(error)) throw error
    log().write('error', `un mensaje con un código no se pudo enviar: ${describeMailError(error)}`)
    throw new AppError(502, SIGN_IN_TEXTS.failed)
  }
  if (secrets !== null && isMailWrittenToOutbox() && log().isTerminal) process.stdout.write(`perrario · ${secrets}\n`)
}
