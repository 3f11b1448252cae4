import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { computeStoredBlur } from '#features/photos/blur.server.ts'
import { type Backfill, startBackfill, type BackfillTiming } from '#lib/backfill.ts'

/** Photos per batch, one at a time. With the pause between batches: at most some 3,000 a minute. */
const BATCH_SIZE = 20

/**
 * Fills the blur (photos/blur.ts) of photos stored before the column existed. A missing or broken photo gets an empty one
 * and is not tried again. New photos get theirs when they are stored.
 */
export const startBlurBackfill = (db: Db, dataDir: string, timing: Partial<BackfillTiming> = {}): Backfill =>
  startBackfill(
    'perrario · los difuminados de fotos antiguas no se pudieron calcular:',
    async () => (await fillBlurBatch(db, dataDir)) === BATCH_SIZE,
    {
      delayMs: 10_000,
      pauseMs: 400,
      ...timing,
    },
  )

/** @returns how many photos it tried */
async function fillBlurBatch(db: Db, dataDir: string): Promise<number> {
  const rows = await db.selectFrom('dog_images').select('url').where('blur', 'is', null).limit(BATCH_SIZE).execute()
  const found: [string, string][] = []
  for (const { url } of rows) found.push([url, await computeStoredBlur(dataDir, url)])
  // One transaction: pages that show these dogs are invalidated once.
  await transact(db, async (trx) => {
    for (const [url, blur] of found)
      await trx.updateTable('dog_images_all').set({ blur }).where('url', '=', url).where('blur', 'is', null).execute()
  })
  return rows.length
}
