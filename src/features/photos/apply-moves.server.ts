import type { Db } from '#db/client.ts'
import type { PhotoMovesTable } from '#db/schema.ts'
import { quarantinePhotos } from './quarantine.server.ts'
import { removePhotos } from './photos.server.ts'

const ROUND_INTERVAL_MS = 60_000
const BATCH_SIZE = 500

/** Does what is written down of one dog's files. What the disk refuses is logged and tried again in a minute. */
export async function applyPhotoMoves(db: Db, dataDir: string, dogId: string | null): Promise<void> {
  if (!dogId) return
  try {
    const rows = await db
      .selectFrom('photo_moves')
      .select(['name', 'action'])
      .where('name', '>=', `${dogId}_`)
      // The character after «_».
      .where('name', '<', `${dogId}\``)
      .where('due_at', '<=', Date.now())
      .execute()
    await applyMoves(db, dataDir, rows)
  } catch (error) {
    console.error('Photos to move in the next round:', error)
  }
}

/**
 * The same of all dogs.
 * @param isStart nothing else runs yet: what waits for its row waits for a process that is gone
 * @returns how many files were dealt with, and how many the disk refused
 */
export async function applyAllPhotoMoves(
  db: Db,
  dataDir: string,
  { isStart = false, now = Date.now() } = {},
): Promise<{ settled: number; failed: number }> {
  const total = { settled: 0, failed: 0 }
  for (let after = ''; ;) {
    let rows = db.selectFrom('photo_moves').select(['name', 'action']).where('name', '>', after)
    if (!isStart) rows = rows.where('due_at', '<=', now)
    const batch = await rows.orderBy('name').limit(BATCH_SIZE).execute()
    if (batch.length === 0) return total
    const failed = await applyMoves(db, dataDir, batch)
    total.failed += failed
    total.settled += batch.length - failed
    after = batch.at(-1)!.name
  }
}

type Move = Pick<PhotoMovesTable, 'name' | 'action'>

async function applyMoves(db: Db, dataDir: string, moves: readonly Move[]): Promise<number> {
  let failed = 0
  for (const { name, action } of moves) {
    const photo = { dogId: name.slice(0, 36), urls: [`/photos/${name}`] }
    try {
      await (action === 'remove' ? removePhotos : quarantinePhotos)(dataDir, photo)
      // Written down anew meanwhile, it stays.
      await db.deleteFrom('photo_moves').where('name', '=', name).where('action', '=', action).execute()
    } catch (error) {
      failed++
      console.error(`Photo to ${action} in the next round:`, name, error)
    }
  }
  return failed
}

export interface PhotoMoveJob {
  close: () => Promise<void>
}

/** Looks once a minute for what is left to do; a round that fails keeps none from coming. */
export function openPhotoMoveJob(db: Db, dataDir: string, { every = ROUND_INTERVAL_MS } = {}): PhotoMoveJob {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= applyAllPhotoMoves(db, dataDir)
      .then(() => {})
      .catch((error: unknown) => console.error('Photos to move in the next round:', error))
      .finally(() => void (running = undefined))
  }, every).unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
