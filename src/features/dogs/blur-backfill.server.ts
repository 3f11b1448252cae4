import type { Db } from '#db/client.ts'
import { computeStoredBlur } from '#features/photos/blur.server.ts'
import { type Backfill, openBackfill, type BackfillTiming } from '#lib/backfill.ts'

/** Photos looked at in a row: with the pause some 3,000 a minute at most, one at a time. */
const BATCH_SIZE = 20

/**
 * Finds the colours (photos/blur.ts) of photos from before there were any. A photo that is lost or broken gets none and is
 * not looked at again; new photos bring theirs along.
 */
export const openBlurBackfill = (db: Db, dataDir: string, pace: Partial<BackfillTiming> = {}): Backfill =>
  openBackfill(
    'Blurs of older photos could not be found:',
    async () => (await fillBlurBatch(db, dataDir)) === BATCH_SIZE,
    {
      delayMs: 10_000,
      pauseMs: 400,
      ...pace,
    },
  )

/** @returns how many photos were looked at */
async function fillBlurBatch(db: Db, dataDir: string): Promise<number> {
  const rows = await db.selectFrom('dog_images').select('url').where('blur', 'is', null).limit(BATCH_SIZE).execute()
  const found: [string, string][] = []
  for (const { url } of rows) found.push([url, await computeStoredBlur(dataDir, url)])
  // Written together: pages that show these dogs are made anew once.
  await db.transaction().execute(async (trx) => {
    for (const [url, blur] of found)
      await trx.updateTable('dog_images').set({ blur }).where('url', '=', url).where('blur', 'is', null).execute()
  })
  return rows.length
}
