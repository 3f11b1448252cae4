import type { Db } from '#db/client.ts'
import { type DogPhotos, photoNamesOf } from './photos.server.ts'

/** How long a file may lie under a new name before the row that names it is committed, ms. */
const RELEASE_TTL_MS = 10 * 60_000

/**
 * Writes down that these files are to be removed. Call it in the transaction after which no row names them, and
 * `settlePhotos` once that has held: whatever ends the process in between, the files go at the next start.
 */
export const planRemoval = (trx: Db, photos: DogPhotos): Promise<void> => planRemovalAt(trx, photos, 0)

/**
 * Writes down that these files are removed unless `cancelPlanned` comes first, in the transaction that names them. Call it
 * before the files are there, outside that transaction.
 */
export const planRelease = (db: Db, photos: DogPhotos, now = Date.now()): Promise<void> =>
  planRemovalAt(db, photos, now + RELEASE_TTL_MS)

async function planRemovalAt(trx: Db, photos: DogPhotos, due_at: number): Promise<void> {
  const rows = photoNamesOf(photos).map((name) => ({ name, action: 'remove' as const, due_at }))
  if (rows.length > 0)
    await trx
      .insertInto('photo_moves')
      .values(rows)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ action: 'remove', due_at }))
      .execute()
}

/** The same for files that are to leave the folder of public ones. What is to be removed stays so. */
export async function planQuarantine(trx: Db, photos: DogPhotos): Promise<void> {
  const rows = photoNamesOf(photos).map((name) => ({ name, action: 'quarantine' as const, due_at: 0 }))
  if (rows.length > 0)
    await trx
      .insertInto('photo_moves')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Leaves these files where they are: a row names them from this transaction on. */
export async function cancelPlannedMoves(trx: Db, photos: DogPhotos): Promise<void> {
  const names = photoNamesOf(photos)
  if (names.length > 0) await trx.deleteFrom('photo_moves').where('name', 'in', names).execute()
}
