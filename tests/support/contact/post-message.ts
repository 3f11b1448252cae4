import type { Trx as Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { ContactSide } from '#features/contact/contact.ts'
import { addMessage } from '#features/contact/messages.server.ts'

/** One side of a conversation writes. @throws AppError as `addMessage` */
export const postMessage = (
  db: Db,
  side: ContactSide,
  threadId: string,
  text: string,
  now = Date.now(),
): Promise<{ id: string }> => transact(db, (trx) => addMessage(trx, side, threadId, text, now))
