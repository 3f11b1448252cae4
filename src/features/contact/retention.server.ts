import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { DAY_MS } from '#lib/time.ts'
import { REPORTED_MESSAGE_DAYS } from './contact.ts'
import { NETWORK_DAYS } from './refusals.ts'
import { deleteOldKeys } from './sender-networks.server.ts'

/** Until when networks of senders are forgotten. */
export const networksForgottenUntil = (now: number): number => now - NETWORK_DAYS * DAY_MS

/** Deletes refusals and keys of networks after three days. @returns rows deleted */
export async function deleteExpiredRefusals(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('sighting_refusals')
      .where('refused_at', '<=', networksForgottenUntil(now))
      .executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows) + (await deleteOldKeys(db, now))
}

/**
 * Deletes addresses that nobody confirmed in time, what is left of stopped mails, and copies of reported messages after
 * their time.
 * @returns rows deleted
 */
export async function deleteExpiredContactRows(db: Db, now: number): Promise<number> {
  const addresses = await transact(db, (trx) =>
    trx
      .deleteFrom('contact_mails')
      .where('confirmed_at', 'is', null)
      .where('confirm_until', '<=', now)
      .executeTakeFirstOrThrow(),
  )
  const reported = await transact(db, (trx) =>
    trx
      .deleteFrom('reported_messages')
      .where('created_at', '<=', now - REPORTED_MESSAGE_DAYS * DAY_MS)
      .executeTakeFirstOrThrow(),
  )
  return Number(addresses.numDeletedRows + reported.numDeletedRows)
}
