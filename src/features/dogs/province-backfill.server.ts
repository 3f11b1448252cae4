import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { type Backfill, startBackfill, type BackfillTiming } from '#lib/backfill.ts'

/** Dogs per batch. With the pause between batches: some 100,000 a minute. */
const BATCH_SIZE = 100

/**
 * Fills the province of dogs stored before the column existed. New and edited dogs get theirs when they are written. The
 * gazetteer loads only when a dog lacks its province.
 */
export const startProvinceBackfill = (db: Db, timing: Partial<BackfillTiming> = {}): Backfill =>
  startBackfill(
    'perrario · las provincias de perros antiguos no se pudieron averiguar:',
    async () => (await fillProvinceBatch(db, BATCH_SIZE)) === BATCH_SIZE,
    {
      delayMs: 5000,
      pauseMs: 50,
      ...timing,
    },
  )

/** Fills the province of at most `limit` dogs that have none. @returns how many */
export async function fillProvinceBatch(db: Db, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('dogs_all')
    .select(['id', 'zone'])
    .where('province', 'is', null)
    .limit(limit)
    .execute()
  if (rows.length === 0) return 0
  const { provinceOf } = await import('#features/places/provinces.server.ts')
  const found = rows.map(({ id, zone }) => ({ id, province: provinceOf(zone) }))
  // One transaction: pages that show these dogs are invalidated once. A zone edited meanwhile has its province already.
  await transact(db, async (trx) => {
    for (const { id, province } of found)
      await trx.updateTable('dogs_all').set({ province }).where('id', '=', id).where('province', 'is', null).execute()
  })
  return rows.length
}
