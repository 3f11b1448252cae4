import { createStore, del, delMany, get, getMany, keys, set, setMany } from 'idb-keyval'
import { fromStored, toStored } from '#features/photos/stored-file.client.ts'
import type { QueuedDog } from './queue.ts'

// The queue in IndexedDB, shared by pages and the service worker. One transaction writes a dog with its photos.

let opened: ReturnType<typeof createStore> | undefined
const queueStore = () => (opened ??= createStore('perrario-cola', 'perros'))

const dogKey = (id: string) => `perro/${id}`
const photoKey = (id: string, index: number) => `foto/${id}/${index}`

/** Stores or replaces a queued dog. @throws DOMException, QuotaExceededError when the storage is full */
export async function storeQueuedDog(dog: QueuedDog, photos: readonly File[]): Promise<void> {
  // Photos are read first: an IndexedDB transaction ends while other work is awaited.
  const stored = await Promise.all(photos.map(toStored))
  await deletePhotosFrom(dog.id, photos.length)
  await setMany(
    [[dogKey(dog.id), dog], ...stored.map((photo, index): [string, unknown] => [photoKey(dog.id, index), photo])],
    queueStore(),
  )
}

/** Updates a queued dog, unless it was deleted meanwhile. */
export async function updateQueuedDog(dog: QueuedDog): Promise<void> {
  if (await get(dogKey(dog.id), queueStore())) await set(dogKey(dog.id), dog, queueStore())
}

/** The queued dogs, oldest first. */
export async function readQueue(): Promise<QueuedDog[]> {
  const all = await keys<string>(queueStore())
  const found = await getMany<QueuedDog | undefined>(
    all.filter((key) => key.startsWith('perro/')),
    queueStore(),
  )
  return found.filter((dog) => dog !== undefined).toSorted((a, b) => a.createdAt - b.createdAt)
}

export const readQueuedDog = (id: string): Promise<QueuedDog | undefined> => get<QueuedDog>(dogKey(id), queueStore())

/** The photos still stored, in order, each with its description. */
export async function readQueuedPhotos(dog: QueuedDog): Promise<{ file: File; alt: string }[]> {
  const found = await getMany<unknown>(
    Array.from({ length: dog.photos }, (_, index) => photoKey(dog.id, index)),
    queueStore(),
  )
  return found.flatMap((photo, index) => {
    const file = fromStored(photo, 'foto.jpg')
    return file && file.size > 0 ? [{ file, alt: dog.alts?.[index] ?? '' }] : []
  })
}

export async function deleteQueuedDog(id: string): Promise<void> {
  await deletePhotosFrom(id, 0)
  await del(dogKey(id), queueStore())
}

async function deletePhotosFrom(id: string, from: number): Promise<void> {
  const prefix = `foto/${id}/`
  const surplus = (await keys<string>(queueStore())).filter(
    (key) => key.startsWith(prefix) && Number(key.slice(prefix.length)) >= from,
  )
  if (surplus.length > 0) await delMany(surplus, queueStore())
}
