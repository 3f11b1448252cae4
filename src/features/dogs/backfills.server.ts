import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { ActingTopic } from '#features/outbox/outbox.server.ts'
import { computeStoredBlur } from '#features/photos/blur.server.ts'

/** Dogs, and photos, of one step. */
const DOGS_PER_BATCH = 100
const PHOTOS_PER_BATCH = 20

/** Fills the province of dogs that have none: from before the column, or with a zone that a migration changed. Migrations enqueue it. */
export const provinces: ActingTopic = {
  name: 'provinces',
  failure: 'las provincias de perros antiguos no se pudieron averiguar',
  run: async (db) => ((await fillProvinceBatch(db)) === DOGS_PER_BATCH ? {} : 'done'),
}

/**
 * Fills the blur (photos/blur.ts) of photos from before the column, where a migration has enqueued it. A missing or broken photo gets an
 * empty one and is not tried again.
 */
export const blurs = (dataDir: string): ActingTopic => ({
  name: 'blurs',
  failure: 'los difuminados de fotos antiguas no se pudieron calcular',
  run: async (db) => ((await fillBlurBatch(db, dataDir)) === PHOTOS_PER_BATCH ? {} : 'done'),
})

/** @returns how many dogs it filled. The gazetteer loads only when a dog lacks its province */
async function fillProvinceBatch(db: Db): Promise<number> {
  const lacking = db.selectFrom('dogs_all').select(['id', 'zone']).where('province', 'is', null)
  const rows = await lacking.limit(DOGS_PER_BATCH).execute()
  if (rows.length === 0) return 0
  const { provinceOf } = await import('#features/places/provinces.server.ts')
  const found = rows.map(({ id, zone }) => ({ id, province: provinceOf(zone) }))
  // One transaction, so that pages that show these dogs are out of date once. A zone edited meanwhile has its province already.
  await transact(db, async (trx) => {
    for (const { id, province } of found)
      await trx.updateTable('dogs_all').set({ province }).where('id', '=', id).where('province', 'is', null).execute()
  })
  return rows.length
}

/** @returns how many photos it tried */
async function fillBlurBatch(db: Db, dataDir: string): Promise<number> {
  const lacking = db.selectFrom('dog_images_all').select('url').where('blur', 'is', null)
  const rows = await lacking.limit(PHOTOS_PER_BATCH).execute()
  const found: [string, string][] = []
  for (const { url } of rows) found.push([url, await computeStoredBlur(dataDir, url)])
  await transact(db, async (trx) => {
    for (const [url, blur] of found)
      await trx.updateTable('dog_images_all').set({ blur }).where('url', '=', url).where('blur', 'is', null).execute()
  })
  return rows.length
}
