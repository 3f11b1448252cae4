import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { toDogFormData, toSaveOutcome } from '#features/dogs/form/save/save-dog.client.ts'
import { fetchCurrentBreedNames } from '#features/dogs/form/form-api.client.ts'
import { sendQueued } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { sendForm } from '#features/photos/upload.client.ts'
import { QUEUE_HINT } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { offlineQueue, postQueued } from '#ui/queue/offline-queue.client.ts'
import { afterSend, findObstacle } from './after-send.ts'
import { bringUpToDate } from './bring-up-to-date.client.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'

/** The new dogs that wait on this device. */
export const dogQueue = offlineQueue<QueuedDog>({
  name: QUEUE_HINT,
  store: 'perros',
  prefix: 'perro/',
  texts: QUEUE_TEXTS,
  async send(dog, _session, onProgress) {
    const photos = await readQueuedPhotos(dog)
    const problem = findObstacle(dog, photos.length, await fetchCurrentBreedNames(), MIXED_BREED)
    if (problem) return { ...dog, state: 'stuck', problem }
    const form = toDogFormData(dog.values, photos, dog.member)
    const outcome = await toSaveOutcome(() => post(dog, form, onProgress))
    const isOlder = outcome.kind === 'saved' && (await bringUpToDate(dog, photos, outcome))
    return afterSend(dog, outcome, Date.now(), isOlder)
  },
})

/** A visitor's dog is sent without the session cookie, which only fetch can omit; a worker has nothing but fetch. */
function post({ id, member }: QueuedDog, form: FormData, onProgress: (share: number) => void) {
  if (member === null || !('XMLHttpRequest' in globalThis))
    return sendQueued((proof) => postQueued(id, paths.api.dogs, form, member === null ? 'omit' : 'same-origin', proof))
  return sendForm('POST', paths.api.dogs, form, { onProgress, headers: { 'Idempotency-Key': id } })
}

/** The photos still stored, in order, each with its description. */
export async function readQueuedPhotos({ id, photos, alts }: QueuedDog): Promise<{ file: File; alt: string }[]> {
  const files = await dogQueue.readFiles(id, photos)
  return files.flatMap((file, index) => (file && file.size > 0 ? [{ file, alt: alts?.[index] ?? '' }] : []))
}
