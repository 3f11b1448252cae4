import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { REPORTED_MESSAGE_DAYS } from './contact.ts'

/** Deletes addresses that nobody confirmed in time, and copies of reported messages after their time. @returns rows deleted */
export async function deleteExpiredContactRows(db: Db, now: number): Promise<number> {
  const addresses = await db
    .deleteFrom('contact_mails')
    .where('confirmed_at', 'is', null)
    .where('confirm_until', '<=', now)
    .executeTakeFirstOrThrow()
  const reported = await db
    .deleteFrom('reported_messages')
    .where('created_at', '<=', now - REPORTED_MESSAGE_DAYS * DAY_MS)
    .executeTakeFirstOrThrow()
  return Number(addresses.numDeletedRows + reported.numDeletedRows)
}
