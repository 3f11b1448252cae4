import type { Trx } from '#db/client.ts'
import { type DogPhotos, photoNamesOf } from './photos.server.ts'

/** How long a file may exist under a new name before the row that names it is committed. */
const RELEASE_TTL_MS = 10 * 60_000

/**
 * Records that these files are to be removed. Call it in the transaction that deletes the rows naming them, and
 * `applyPhotoMoves` after the commit: if the process ends in between, the next start removes the files.
 */
export const planRemoval = (trx: Trx, photos: DogPhotos): Promise<void> => planRemovalAt(trx, photos, 0)

/**
 * Records that these files are removed in ten minutes unless `cancelPlannedMoves` runs first, in the transaction that names
 * them. Call it before the files exist, in a transaction of its own.
 */
export const planRelease = (trx: Trx, photos: DogPhotos, now = Date.now()): Promise<void> =>
  planRemovalAt(trx, photos, now + RELEASE_TTL_MS)

async function planRemovalAt(trx: Trx, photos: DogPhotos, due_at: number): Promise<void> {
  const rows = photoNamesOf(photos).map((name) => ({ name, action: 'remove' as const, due_at }))
  if (rows.length > 0)
    await trx
      .insertInto('photo_moves')
      .values(rows)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ action: 'remove', due_at }))
      .execute()
}

/** Records that these files are to leave the public folder, in the transaction that hides them. A planned removal stays one. */
export async function planQuarantine(trx: Trx, photos: DogPhotos): Promise<void> {
  const rows = photoNamesOf(photos).map((name) => ({ name, action: 'quarantine' as const, due_at: 0 }))
  if (rows.length > 0)
    await trx
      .insertInto('photo_moves')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Cancels planned moves of these files: a row names them from this transaction on. */
export async function cancelPlannedMoves(trx: Trx, photos: DogPhotos): Promise<void> {
  const names = photoNamesOf(photos)
  if (names.length > 0) await trx.deleteFrom('photo_moves').where('name', 'in', names).execute()
}
