import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { paths } from '#lib/paths.ts'
import type { SaveOutcome } from '#features/dogs/form/save/save-outcome.ts'
import {
  toDogFormData,
  saveEdits,
  toSaveOutcome,
  type SendablePhoto,
} from '#features/dogs/form/save/save-dog.client.ts'
import { fetchCurrentBreedNames, fetchSignedInId } from '#features/dogs/form/form-api.client.ts'
import { changedValues, toFormValues } from '#features/dogs/form/form-values.ts'
import { afterSend, isDue, findObstacle, QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { updateQueuedDog, readQueuedPhotos, readQueue, readQueuedDog } from './store.client.ts'

// Sends what waits, from a page or from the service worker. Locks that all of them share keep two from sending at once;
// where a browser has none, the Idempotency-Key still makes one dog of it.

export const QUEUE_LOCK = 'perrario-cola'
export const dogLock = (id: string) => `perrario-cola-${id}`

/** Runs `work` once nobody else holds `name`. */
export const withLock = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work()

/** Runs `work` unless somebody else holds `name`. */
const withLockIfFree = (name: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator
    ? navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : undefined))
    : work()

/** Ten photos over a bad network, ms. */
const SEND_TIMEOUT_MS = 5 * 60_000

export type PostDog = (dog: QueuedDog, form: FormData) => Promise<SaveOutcome>

/** Without the session where a visitor wrote it: whoever signed in since must not get it unasked, nor twice. */
export const postByFetch: PostDog = ({ id, member }, form) =>
  toSaveOutcome(async () => {
    const response = await fetch(paths.api.dogs, {
      method: 'POST',
      body: form,
      headers: { Accept: 'application/json', 'Idempotency-Key': id },
      credentials: member === null ? 'omit' : 'same-origin',
      // One that hangs would hold the queue for every tab.
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  })

/**
 * Sends every dog whose time has come, one after the other.
 * @param onChange told after each change of one
 * @returns false where the network ended it before all were tried
 */
export const sendQueue = (post: PostDog, onChange: (id: string) => void): Promise<boolean> =>
  withLock(QUEUE_LOCK, async () => {
    const due = (await readQueue()).filter((dog) => isDue(dog, Date.now()))
    let isThrough = true
    let isThere = true
    for (const { id } of due) {
      await withLockIfFree(dogLock(id), async () => {
        // Read again: the person may have edited or discarded it.
        const dog = await readQueuedDog(id)
        if (!dog || !isDue(dog, Date.now())) return
        // Asked for each: while the one before was sent somebody else may have signed in, whose this one would become.
        const session = await fetchSignedInId().catch(() => undefined)
        if (session === undefined) return void (isThere = false)
        const after = await trySend(dog, session, post)
        if (after === dog) return
        await updateQueuedDog(after)
        onChange(id)
        if (after.state === 'waiting') isThrough = false
      })
      // Nobody there: the others need not be tried.
      if (!isThere) return false
    }
    return isThrough
  })

async function trySend(dog: QueuedDog, session: string | null, post: PostDog): Promise<QueuedDog> {
  if (dog.member !== null && dog.member !== session) {
    // Somebody else's: left alone. A signed-out member is asked to sign in, once.
    if (session !== null || dog.state === 'signed-out') return dog
    return { ...dog, state: 'signed-out', problem: QUEUE_TEXTS.signedOut }
  }
  const photos = await readQueuedPhotos(dog)
  const problem = findObstacle(dog, photos.length, await fetchCurrentBreedNames(), MIXED_BREED)
  if (problem) return { ...dog, state: 'stuck', problem }
  const outcome = await post(dog, toDogFormData(dog.values, photos))
  const isOlder = outcome.kind === 'saved' && (await bringUpToDate(dog, photos, outcome))
  return afterSend(dog, outcome, Date.now(), isOlder)
}

/**
 * An earlier send whose answer got lost may have made the dog, before the person edited it: the answer then shows it as it
 * was. A member's is brought up to date; a visitor's cannot be edited by anybody before it is claimed.
 * @returns true where the dog stays older than what the person last wrote
 */
export async function bringUpToDate(
  { isUncertain, member, values, hasOtherPhotos }: QueuedDog,
  photos: readonly SendablePhoto[],
  outcome: Extract<SaveOutcome, { kind: 'saved' }>,
): Promise<boolean> {
  if (!isUncertain) return false
  const names = await fetchCurrentBreedNames()
  const before = toFormValues(outcome.dog, member, (name) => names.includes(name) || name === MIXED_BREED)
  const { relationship: _, ...changes } = changedValues(values, before)
  if (Object.keys(changes).length === 0 && !hasOtherPhotos) return false
  if (member === null) return true
  const edited = await saveEdits(outcome.dog.id, { values, before }, { photos, isChanged: hasOtherPhotos }, () => {})
  if (edited.kind === 'saved') outcome.dog = edited.dog
  return edited.kind !== 'saved'
}
