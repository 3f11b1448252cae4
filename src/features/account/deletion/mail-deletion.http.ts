import { siteBase } from '#server/env.ts'
import { log } from '#server/log/log.ts'
import { describeMailError, isMailWrittenToOutbox, sendMail } from '#server/mail.ts'
import { buildDeletionMail } from './deletion-mail.ts'
import { deletionPaths } from './deletion-paths.ts'
import type { RequestedDeletion } from './request-deletion.server.ts'

/** Mails the link that undoes a deletion to each confirmed address. The deletion stands: a mail that fails is logged for the operator. */
export async function mailRequestedDeletion({ addresses, alias, dueAt, token }: RequestedDeletion): Promise<void> {
  const link = siteBase() + deletionPaths.link(token)
  const mail = buildDeletionMail({ link, alias, dueAt })
  for (const to of addresses)
    await sendMail({ to, ...mail }).catch((error: unknown) =>
      log().write('error', `el mensaje sobre el borrado de una cuenta no se pudo enviar: ${describeMailError(error)}`),
    )
  if (isMailWrittenToOutbox() && log().isTerminal)
    process.stdout.write(`perrario · para recuperar la cuenta: ${link}\n`)
}
