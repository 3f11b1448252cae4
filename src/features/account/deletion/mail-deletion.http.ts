import { siteBase } from '#server/env.ts'
import { log } from '#server/log/log.ts'
import { describeMailError, isMailWrittenToOutbox, sendMail } from '#server/mail.ts'
import { listConfirmedAddresses } from '#features/auth/email-change/confirmed-addresses.server.ts'
import type { MailContent } from '#lib/text/mail-page.ts'
import { buildDeletionMail, buildErasureMail } from './deletion-mail.ts'
import { deletionPaths } from './deletion-paths.ts'
import type { RequestedDeletion } from './request-deletion.server.ts'

/** Mails the link that undoes a deletion to each confirmed address. */
export async function mailRequestedDeletion({ addresses, alias, dueAt, token }: RequestedDeletion): Promise<void> {
  const link = siteBase() + deletionPaths.link(token)
  await sendAll(addresses, buildDeletionMail({ link, alias, dueAt }))
  if (isMailWrittenToOutbox() && log().isTerminal)
    process.stdout.write(`perrario · para recuperar la cuenta: ${link}\n`)
}

/** @returns mails to each address that the account has now that it has been deleted at once */
export async function prepareErasureMail(db: App.Locals['db'], userId: string): Promise<() => Promise<void>> {
  const addresses = await listConfirmedAddresses(db, userId)
  return () => sendAll(addresses, buildErasureMail())
}

/** The deletion stands: a mail that fails is logged for the operator. */
async function sendAll(addresses: readonly string[], mail: MailContent): Promise<void> {
  for (const to of addresses)
    await sendMail({ to, ...mail }).catch((error: unknown) =>
      log().write('error', `el mensaje sobre el borrado de una cuenta no se pudo enviar: ${describeMailError(error)}`),
    )
}
