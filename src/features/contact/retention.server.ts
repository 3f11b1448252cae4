import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { NETWORK_DAYS } from './refusals.ts'
import { deleteOldKeys } from './sender-networks.server.ts'

/** Until when networks of senders are forgotten. */
export const networksForgottenUntil = (now: number): number => now - NETWORK_DAYS * DAY_MS

/** Deletes refusals and keys of networks after three days. @returns rows deleted */
export async function deleteExpiredRefusals(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sighting_refusals')
    .where('refused_at', '<=', networksForgottenUntil(now))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) + (await deleteOldKeys(db, now))
}
