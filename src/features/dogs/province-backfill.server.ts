import type { Db } from '#db/client.ts'
import { type Backfill, openBackfill, type BackfillTiming } from '#lib/backfill.ts'

/** Dogs looked at in a row: with the pause some 100,000 a minute. */
const BATCH_SIZE = 100

/**
 * Finds the provinces of dogs from before there were any. Whoever writes a dog writes its province along; the gazetteer is
 * read only where there is something to look up.
 */
export const openProvinceBackfill = (db: Db, pace: Partial<BackfillTiming> = {}): Backfill =>
  openBackfill(
    'Provinces of older dogs could not be found:',
    async () => (await fillProvinceBatch(db, BATCH_SIZE)) === BATCH_SIZE,
    {
      delayMs: 5000,
      pauseMs: 50,
      ...pace,
    },
  )

/** Looks at some of the dogs whose province nobody has looked for. @returns how many */
export async function fillProvinceBatch(db: Db, limit: number): Promise<number> {
  const rows = await db.selectFrom('dogs').select(['id', 'zone']).where('province', 'is', null).limit(limit).execute()
  if (rows.length === 0) return 0
  const { provinceOf } = await import('#features/places/provinces.server.ts')
  const found = rows.map(({ id, zone }) => ({ id, province: provinceOf(zone) }))
  // Written together: pages that show these dogs are made anew once. Of a zone edited meanwhile the edit has told.
  await db.transaction().execute(async (trx) => {
    for (const { id, province } of found)
      await trx.updateTable('dogs').set({ province }).where('id', '=', id).where('province', 'is', null).execute()
  })
  return rows.length
}
