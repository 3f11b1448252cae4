import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { deleteOldKeys } from './networks.server.ts'
import { NETWORK_DAYS } from './sightings.ts'

/** Deletes refusals, keys of networks and the networks of sightings after three days. @returns rows deleted */
export async function deleteExpiredSightingRows(db: Db, now: number): Promise<number> {
  const until = now - NETWORK_DAYS * DAY_MS
  await db
    .updateTable('sightings')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('created_at', '<=', until)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('sighting_refusals')
    .where('refused_at', '<=', until)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) + (await deleteOldKeys(db, now))
}
