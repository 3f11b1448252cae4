import type { Db } from '#db/client.ts'
import type { PhotoMovesTable } from '#db/schema.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { quarantinePhotos } from './quarantine.server.ts'
import { removePhotos } from './photos.server.ts'

const ROUND_INTERVAL_MS = 60_000
const BATCH_SIZE = 500

/** Applies the planned moves of one dog's photo files. What the disk refuses is logged and tried again in a minute. */
export async function applyPhotoMoves(db: Db, dataDir: string, dogId: string | null): Promise<void> {
  if (!dogId) return
  try {
    const rows = await db
      .selectFrom('photo_moves')
      .select(['name', 'action'])
      .where('name', '>=', `${dogId}_`)
      // The character after «_»: a range that the primary key serves.
      .where('name', '<', `${dogId}\``)
      .where('due_at', '<=', Date.now())
      .execute()
    await applyMoves(db, dataDir, rows)
  } catch (error) {
    console.error('Photos to move in the next round:', error)
  }
}

/**
 * Applies the planned moves of all dogs.
 * @param isStart nothing else runs yet, so moves that wait for a row to be committed are due: the process that planned them is gone
 * @returns how many files were moved or removed, and how many the disk refused
 */
export async function applyAllPhotoMoves(
  db: Db,
  dataDir: string,
  { isStart = false, now = Date.now() } = {},
): Promise<{ applied: number; failed: number }> {
  const total = { applied: 0, failed: 0 }
  for (let after = ''; ;) {
    let rows = db.selectFrom('photo_moves').select(['name', 'action']).where('name', '>', after)
    if (!isStart) rows = rows.where('due_at', '<=', now)
    const batch = await rows.orderBy('name').limit(BATCH_SIZE).execute()
    const last = batch.at(-1)
    if (!last) return total
    const failed = await applyMoves(db, dataDir, batch)
    total.failed += failed
    total.applied += batch.length - failed
    after = last.name
  }
}

type Move = Pick<PhotoMovesTable, 'name' | 'action'>

async function applyMoves(db: Db, dataDir: string, moves: readonly Move[]): Promise<number> {
  let failed = 0
  for (const { name, action } of moves) {
    const photo = { dogId: name.slice(0, 36), urls: [`/photos/${name}`] }
    try {
      await (action === 'remove' ? removePhotos : quarantinePhotos)(dataDir, photo)
      // A plan that changed meanwhile has another action: it stays for the next round.
      await db.deleteFrom('photo_moves').where('name', '=', name).where('action', '=', action).execute()
    } catch (error) {
      failed++
      console.error(`Photo to ${action} in the next round:`, name, error)
    }
  }
  return failed
}

/** Applies due moves once a minute; a round that fails is logged and the next one runs. */
export const startPhotoMoves = (db: Db, dataDir: string, { intervalMs = ROUND_INTERVAL_MS } = {}): Job =>
  runEvery(
    { intervalMs },
    'Photos to move in the next round:',
    async () => void (await applyAllPhotoMoves(db, dataDir)),
  )
