import type { Trx } from '#db/client.ts'
import { type DogPhotos, photoNamesOf } from './photos.server.ts'

/** How long a store may take to write what it was sent. */
const WRITE_TTL_MS = 10 * 60_000

/**
 * Records that these files are to be removed. Call it in the transaction that deletes the rows naming them, and
 * `applyPhotoMoves` after the commit: if the process ends in between, the next start removes the files.
 */
export const planRemoval = (trx: Trx, photos: DogPhotos): Promise<void> => planRemovalAt(trx, photos, 0)

/**
 * The same in ten minutes: of a file that a store may still get, though it answered that it cannot be reached.
 */
export const planLaterRemoval = (trx: Trx, photos: DogPhotos, now = Date.now()): Promise<void> =>
  planRemovalAt(trx, photos, now + WRITE_TTL_MS)

async function planRemovalAt(trx: Trx, photos: DogPhotos, due_at: number): Promise<void> {
  const rows = photoNamesOf(photos).map((name) => ({ name, action: 'remove' as const, due_at }))
  if (rows.length > 0)
    await trx
      .insertInto('photo_moves')
      .values(rows)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ action: 'remove', due_at }))
      .execute()
}
