import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { deleteSightingPhotos, PHOTOS_PER_BATCH } from '#db/sighting-photos.ts'
import { eraseDog as eraseComments } from '#features/comments/erase.server.ts'
import { eraseDog as eraseLikes } from '#features/likes/erase.server.ts'
import { eraseDog as eraseOpinions } from '#features/opinions/erase.server.ts'
import { deleteLostRowsOfDog } from '#features/lost/end-case.server.ts'
import { setProposed } from '#features/moderation/cases.server.ts'
import { discardCases, findContent } from '#features/moderation/content.server.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import { publishDogEvent } from './dog-events.server.ts'
import { deleteRequests } from './ownership/ownership.server.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { deleteDogTargetNotifications } from '#features/notifications/target-notifications.server.ts'

/** The deletion of each is published to its bell, with five statements. */
const NOTIFICATIONS_PER_BATCH = 20
/** Rows that are only deleted, with their triggers and index entries. */
const ROWS_PER_BATCH = 25

/**
 * Deletes, in batches, what other members have piled up around a dog that is about to be deleted: notifications, comments,
 * likes, opinions, requests for it, events and photos of sightings. The transaction that deletes the dog itself is then short, and
 * deletes what has come in between.
 */
export async function emptyDog(db: Db, dogId: string, signal?: AbortSignal): Promise<void> {
  await runInBatches(db, NOTIFICATIONS_PER_BATCH, (trx, limit) => deleteDogNotifications(trx, dogId, limit), signal)
  await runInBatches(
    db,
    NOTIFICATIONS_PER_BATCH,
    (trx, limit) => deleteDogTargetNotifications(trx, dogId, limit),
    signal,
  )
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => eraseComments(trx, dogId, limit), signal)
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => eraseLikes(trx, dogId, limit), signal)
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => eraseOpinions(trx, dogId, limit), signal)
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => deleteRequests(trx, { dogId }, limit), signal)
  await runInBatches(db, PHOTOS_PER_BATCH, (trx, limit) => deleteSightingPhotos(trx, { dogId }, limit), signal)
}

/**
 * Deletes the dog's rows, shown or hidden, with all that refers to it. Call it inside a transaction once the rights are checked, and
 * `applyPhotoMoves` after the commit.
 */
export async function deleteDogRows(trx: Trx, id: string): Promise<void> {
  const dog = await findContent(trx, 'dog', id)
  const images = await trx.selectFrom('dog_images_all').select('url').where('dog_id', '=', id).execute()
  const urls = images.map(({ url }) => url)
  await eraseComments(trx, id, Number.MAX_SAFE_INTEGER)
  await eraseOpinions(trx, id, Number.MAX_SAFE_INTEGER)
  await deleteLostRowsOfDog(trx, id)
  await deleteDogTargetNotifications(trx, id)
  await deleteDogNotifications(trx, id)
  await setProposed(trx, id, null)
  await trx.deleteFrom('dogs_all').where('id', '=', id).execute()
  await discardCases(trx, 'dog', [id])
  await discardCases(trx, 'photo', urls)
  // Open pages have never had one that waited, and were told of one that was hidden.
  if (dog?.hidden === 0) await publishDogEvent(trx, 'removed', id)
  await planRemoval(trx, { dogId: id, urls: dog ? [...urls, dog.photo_url] : urls })
}
