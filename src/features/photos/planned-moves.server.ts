import type { Db, Trx } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { type ActingTopic, runDueJobs } from '#features/outbox/outbox.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { formerPhotoKey, photoKey } from './files.server.ts'
import { type DogPhotos, photoNamesOf, removePhotos } from './photos.server.ts'

/** Files that are to be removed, or to be returned from where versions before moved them: by their public names. */
export const PHOTO_FILES = 'photo-files'

/** An action removes its files itself, right after its commit: the outbox has what is left, ms later. */
const ACTION_MS = 5 * SECOND_MS
/** After a store's refusal. */
const RETRY_MS = 30 * SECOND_MS
/** How long a store may take to write what it was sent. */
const WRITE_TTL_MS = 10 * MINUTE_MS

/**
 * Records that these files are to be removed. Call it in the transaction that deletes the rows naming them, and
 * `applyPhotoMoves` after the commit: if the process ends in between, the next start removes the files.
 */
export const planRemoval = (trx: Trx, photos: DogPhotos, now = Date.now(), delayMs = ACTION_MS): Promise<void> =>
  enqueue(
    trx,
    PHOTO_FILES,
    photoNamesOf(photos).map((name) => ({ key: name, payload: 'remove', runAt: now + delayMs })),
    now,
  )

/** The same in ten minutes: of a file that a store may still get, though it answered that it cannot be reached. */
export const planLaterRemoval = (trx: Trx, photos: DogPhotos, now?: number): Promise<void> =>
  planRemoval(trx, photos, now, WRITE_TTL_MS)

/** What a store refuses is tried again. One that is unavailable would be waited for once for each photo. */
export const photoFiles = (dataDir: string): ActingTopic => ({
  name: PHOTO_FILES,
  failure: 'una foto espera a la próxima vuelta',
  retryMs: () => RETRY_MS,
  pauseMs: (error) => (error instanceof StoreUnavailableError ? RETRY_MS : 0),
  async run(_, { key: name, payload }) {
    if (payload === 'remove') await removePhotos(dataDir, { dogId: name.slice(0, 36), urls: [`/photos/${name}`] })
    // One that is missing, or returned already, is no error.
    else await photoStore(dataDir).move(formerPhotoKey(name), photoKey(name))
    return 'done'
  },
})

/** Applies the planned moves of one dog's photo files. What fails is logged, and left to the outbox. */
export async function applyPhotoMoves(db: Db, dataDir: string, dogId: string | null): Promise<void> {
  if (!dogId) return
  try {
    await runDueJobs(db, [photoFiles(dataDir)], { now: Date.now() + ACTION_MS, keysFrom: `${dogId}_` })
  } catch (error) {
    console.error('perrario · las fotos que quedan por mover esperan a la próxima vuelta:', error)
  }
}

/**
 * Applies the planned moves of all dogs.
 * @param isStart what was refused is tried again at once. Nothing else runs yet, so moves that wait for a row to be committed are due as well: the
 *   process that planned them is gone. Not where other machines use the store or the database
 */
export async function applyAllPhotoMoves(
  db: Db,
  dataDir: string,
  { isStart = false, now = Date.now() } = {},
): Promise<void> {
  const isAlone = isStart && !photoStore(dataDir).isRemote && !isSharedByNodes(db)
  const aheadMs = isAlone ? WRITE_TTL_MS : ACTION_MS + (isStart ? RETRY_MS : 0)
  await runDueJobs(db, [photoFiles(dataDir)], { now: now + aheadMs })
}
