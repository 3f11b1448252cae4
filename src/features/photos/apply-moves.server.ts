import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import type { PhotoMovesTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { type Interval, type Job, runEvery } from '#lib/jobs.ts'
import { removePhotos } from './photos.server.ts'
import { formerPhotoKey, photoKey } from './files.server.ts'

const ROUND_INTERVAL_MS = 60_000
const BATCH_SIZE = 500

/** Applies the planned moves of one dog's photo files. What the store refuses is logged and tried again in a minute. */
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
    console.error('perrario · las fotos que quedan por mover esperan a la próxima vuelta:', error)
  }
}

/**
 * Applies the planned moves of all dogs.
 * @param isStart nothing else runs yet, so moves that wait for a row to be committed are due: the process that planned them is gone.
 *   Not where other machines use the store or the database
 * @returns how many files were moved or removed, and how many the store refused
 */
export async function applyAllPhotoMoves(
  db: Db,
  dataDir: string,
  { isStart = false, now = Date.now() } = {},
): Promise<{ applied: number; failed: number }> {
  const total = { applied: 0, failed: 0 }
  for (let after = ''; ;) {
    let rows = db.selectFrom('photo_moves').select(['name', 'action']).where('name', '>', after)
    if (!isStart || photoStore(dataDir).isRemote || isSharedByNodes(db)) rows = rows.where('due_at', '<=', now)
    const batch = await rows.orderBy('name').limit(BATCH_SIZE).execute()
    const last = batch.at(-1)
    if (!last) return total
    const { failed, isStoreUnavailable } = await applyMoves(db, dataDir, batch)
    total.failed += failed
    total.applied += batch.length - failed
    if (isStoreUnavailable) return total
    after = last.name
  }
}

type Move = Pick<PhotoMovesTable, 'name' | 'action'>

/** Moves at the same time in a store that is waited for. A local folder takes one after another. */
const REMOTE_MOVES = 8

interface MovesResult {
  /** How many the store refused. */
  failed: number
  isStoreUnavailable: boolean
}

async function applyMoves(db: Db, dataDir: string, moves: readonly Move[]): Promise<MovesResult> {
  let done = 0
  const outage: { reason?: string } = {}
  await forEachConcurrently(moves, photoStore(dataDir).isRemote ? REMOTE_MOVES : 1, async (move) => {
    // A store that is unavailable would be waited for once for each photo.
    if (outage.reason !== undefined) return
    try {
      await applyMove(db, dataDir, move)
      done++
    } catch (error) {
      if (error instanceof StoreUnavailableError) outage.reason = error.reason
      else console.error(`perrario · una foto espera a la próxima vuelta (${move.action}):`, move.name, error)
    }
  })
  const failed = moves.length - done
  const isStoreUnavailable = outage.reason !== undefined
  if (isStoreUnavailable)
    console.error(`perrario · fotos que esperan a la próxima vuelta: ${failed} (${outage.reason})`)
  return { failed, isStoreUnavailable }
}

async function applyMove(db: Db, dataDir: string, { name, action }: Move): Promise<void> {
  if (action === 'remove') await removePhotos(dataDir, { dogId: name.slice(0, 36), urls: [`/photos/${name}`] })
  // One that is missing, or returned already, is no error.
  else await photoStore(dataDir).move(formerPhotoKey(name), photoKey(name))
  // A plan that changed meanwhile has another action: it stays for the next round.
  await transact(db, (trx) =>
    trx.deleteFrom('photo_moves').where('name', '=', name).where('action', '=', action).execute(),
  )
}

/** Applies due moves once a minute; a round that fails is logged and the next one runs. */
export const startPhotoMoves = (db: Db, dataDir: string, interval: Partial<Interval> = {}): Job =>
  runEvery(
    { intervalMs: ROUND_INTERVAL_MS, ...interval },
    'perrario · las fotos que quedan por mover esperan a la próxima vuelta:',
    async () => void (await applyAllPhotoMoves(db, dataDir)),
  )
