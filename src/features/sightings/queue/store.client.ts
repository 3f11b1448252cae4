import { createStore, del, get, promisifyRequest, set, values } from 'idb-keyval'
import { registerSync, setQueueHint } from '#lib/device-queue.client.ts'
import { SIGHTING_QUEUE_HINT } from '#lib/offline.ts'
import { type NewQueuedSighting, type QueuedSighting, toQueuedSighting } from './queue.ts'

// The queue in IndexedDB, shared by pages and the service worker.

let opened: ReturnType<typeof createStore> | undefined
const queueStore = () => (opened ??= createStore('perrario-avistamientos', 'avistamientos'))

/** The queued sightings, oldest first. */
export const readQueue = async (): Promise<QueuedSighting[]> =>
  (await values<QueuedSighting>(queueStore())).toSorted((a, b) => a.createdAt - b.createdAt)

/** A queued sighting; undefined where it was deleted. */
export const readQueuedSighting = (id: string): Promise<QueuedSighting | undefined> =>
  get<QueuedSighting>(id, queueStore())

/** Updates a queued sighting, unless it was deleted or replaced meanwhile. */
export const updateQueuedSighting = (sighting: QueuedSighting): Promise<void> =>
  queueStore()('readwrite', (store) => {
    // One transaction: between two, a tab may delete it.
    const request = store.get(sighting.id) as IDBRequest<QueuedSighting | undefined>
    request.addEventListener('success', () => {
      if (request.result?.createdAt === sighting.createdAt) store.put(sighting, sighting.id)
    })
    return promisifyRequest(store.transaction)
  })

/** Deletes a queued sighting; idempotent. */
export const deleteQueuedSighting = (id: string): Promise<void> => del(id, queueStore())

/** `full`: the device's storage is full. `failed`: it stores nothing at all. */
export type EnqueueResult = 'stored' | 'full' | 'failed'

/** Adds a sighting to the queue, or replaces a queued one. */
export async function enqueueSighting(sighting: NewQueuedSighting): Promise<EnqueueResult> {
  try {
    await set(sighting.id, toQueuedSighting(sighting, Date.now()), queueStore())
  } catch (error) {
    console.warn('perrario · the sighting could not be queued', error)
    return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'failed'
  }
  setQueueHint(SIGHTING_QUEUE_HINT)
  await registerSync()
  return 'stored'
}
