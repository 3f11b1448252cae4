import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { deleteSightingPhotos, PHOTOS_PER_BATCH } from '#db/sighting-photos.ts'
import { eraseDog as eraseComments } from '#features/comments/erase.server.ts'
import { eraseDog as eraseLikes } from '#features/likes/erase.server.ts'
import { deleteDogEvents } from '#features/live/event-history.server.ts'
import { eraseDog as eraseOpinions } from '#features/opinions/erase.server.ts'
import { deleteRequests } from './ownership/ownership.server.ts'
import { deleteDetachedNotifications } from '#features/notifications/detached-notifications.server.ts'
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
    (trx, limit) => deleteDetachedNotifications(trx, dogId, limit),
    signal,
  )
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
  await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => deleteDogEvents(trx, dogId, limit), signal)
  await runInBatches(db, PHOTOS_PER_BATCH, (trx, limit) => deleteSightingPhotos(trx, { dogId }, limit), signal)
}
