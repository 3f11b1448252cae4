import { createStore, del, delMany, get, getMany, keys, set, setMany } from 'idb-keyval'
import { fromStored, toStored } from '#features/photos/stored-file.client.ts'
import type { QueuedDog } from './queue.ts'

// The queue in IndexedDB, which pages and the service worker share. A dog and its photos are written in one transaction:
// all of it is there, or nothing.

let opened: ReturnType<typeof createStore> | undefined
const queueStore = () => (opened ??= createStore('perrario-cola', 'perros'))

const dogKey = (id: string) => `perro/${id}`
const photoKey = (id: string, at: number) => `foto/${id}/${at}`

/** @throws what the device said: QuotaExceededError where there is no room */
export async function storeQueuedDog(dog: QueuedDog, photos: readonly File[]): Promise<void> {
  // Read first: a transaction does not wait for it.
  const stored = await Promise.all(photos.map(toStored))
  await deletePhotosFrom(dog.id, photos.length)
  await setMany(
    [[dogKey(dog.id), dog], ...stored.map((photo, at): [string, unknown] => [photoKey(dog.id, at), photo])],
    queueStore(),
  )
}

/** Keeps what changed about it; not, where it is gone meanwhile. */
export async function updateQueuedDog(dog: QueuedDog): Promise<void> {
  if (await get(dogKey(dog.id), queueStore())) await set(dogKey(dog.id), dog, queueStore())
}

/** In the order they were added. */
export async function readQueue(): Promise<QueuedDog[]> {
  const all = await keys<string>(queueStore())
  const found = await getMany<QueuedDog | undefined>(
    all.filter((key) => key.startsWith('perro/')),
    queueStore(),
  )
  return found.filter((dog) => dog !== undefined).toSorted((a, b) => a.createdAt - b.createdAt)
}

export const readQueuedDog = (id: string): Promise<QueuedDog | undefined> => get<QueuedDog>(dogKey(id), queueStore())

/** The photos that are still there, in order, each with what is said of it. */
export async function readQueuedPhotos(dog: QueuedDog): Promise<{ file: File; alt: string }[]> {
  const found = await getMany<unknown>(
    Array.from({ length: dog.photos }, (_, at) => photoKey(dog.id, at)),
    queueStore(),
  )
  return found.flatMap((photo, at) => {
    const file = fromStored(photo, 'foto.jpg')
    return file && file.size > 0 ? [{ file, alt: dog.alts?.[at] ?? '' }] : []
  })
}

export async function deleteQueuedDog(id: string): Promise<void> {
  await deletePhotosFrom(id, 0)
  await del(dogKey(id), queueStore())
}

async function deletePhotosFrom(id: string, from: number): Promise<void> {
  const mine = `foto/${id}/`
  const spare = (await keys<string>(queueStore())).filter(
    (key) => key.startsWith(mine) && Number(key.slice(mine.length)) >= from,
  )
  if (spare.length > 0) await delMany(spare, queueStore())
}
