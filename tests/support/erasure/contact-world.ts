import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { addMessage } from '#features/contact/messages.server.ts'
import { askForMails } from '#features/contact/relay/mail-wishes.server.ts'
import { reportMessage } from '#features/contact/reported/report.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { openThread } from '#features/contact/threads.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import type { Canary } from './canaries.ts'

/** A member writes to a finder without account, who reports it; both want mails. */
export async function writeMessages(db: Db, ana: CurrentUser, words: Record<Canary, string>): Promise<void> {
  const { secret, hash } = finderSecret()
  const { id } = await openThread(db, { foundId: randomUUID(), memberId: ana.id, finder: { secretHash: hash } })
  const message = await addMessage(db, 'member', id, words.message)
  const device = { userId: null, secrets: new Map([[id, secret]]) }
  await reportMessage(db, device, id, message.id)
  await askForMails(db, device, id, 'quien-aviso@ejemplo.es')
  await askForMails(db, { userId: ana.id, secrets: new Map() }, id, null)
}
