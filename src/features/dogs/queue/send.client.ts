import { withLock, withLockIfFree } from '#lib/queued-sends.client.ts'
import { isDue } from '#lib/queued-sends.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { paths } from '#lib/paths.ts'
import type { SaveOutcome } from '#features/dogs/form/save/save-outcome.ts'
import { toDogFormData, toSaveOutcome } from '#features/dogs/form/save/save-dog.client.ts'
import { fetchCurrentBreedNames, fetchSignedInId } from '#features/dogs/form/form-api.client.ts'
import { afterSend, findObstacle } from './after-send.ts'
import { bringUpToDate, dogLock } from './bring-up-to-date.client.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { updateQueuedDog, readQueuedPhotos, readQueue, readQueuedDog } from './store.client.ts'

// Sends the queued dogs, from a page or the service worker. Web Locks, which they share, keep two from sending at once.
// Without Web Locks the Idempotency-Key still makes one dog.

export const QUEUE_LOCK = 'perrario-cola'

/** Enough for ten photos over a bad network. */
const SEND_TIMEOUT_MS = 5 * 60_000

export type PostDog = (dog: QueuedDog, form: FormData) => Promise<SaveOutcome>

/** Sends a dog by fetch. A visitor's is sent without cookies: it must not become the dog of a member who signed in since. */
export const postByFetch: PostDog = ({ id, member }, form) =>
  toSaveOutcome(async () => {
    const response = await fetch(paths.api.dogs, {
      method: 'POST',
      body: form,
      headers: { Accept: 'application/json', 'Idempotency-Key': id },
      credentials: member === null ? 'omit' : 'same-origin',
      // A stalled request would lock the queue of every tab.
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  })

/**
 * Sends the due dogs, one after the other.
 * @param onChange called after each change of a dog
 * @returns false when a network failure left dogs unsent
 */
export const sendQueue = (post: PostDog, onChange: (id: string) => void): Promise<boolean> =>
  withLock(QUEUE_LOCK, async () => {
    const due = (await readQueue()).filter((dog) => isDue(dog, Date.now()))
    let isComplete = true
    let isServerReachable = true
    for (const { id } of due) {
      await withLockIfFree(dogLock(id), async () => {
        // A second read: the person may have edited or discarded it.
        const dog = await readQueuedDog(id)
        if (!dog || !isDue(dog, Date.now())) return
        // Checked for each dog: another member may have signed in while the previous one was sent.
        const session = await fetchSignedInId().catch(() => undefined)
        if (session === undefined) return void (isServerReachable = false)
        const after = await trySend(dog, session, post)
        if (after === dog) return
        await updateQueuedDog(after)
        onChange(id)
        if (after.state === 'waiting') isComplete = false
      })
      // The other dogs would fail too.
      if (!isServerReachable) return false
    }
    return isComplete
  })

async function trySend(dog: QueuedDog, sessionId: string | null, post: PostDog): Promise<QueuedDog> {
  if (dog.member !== null && dog.member !== sessionId) {
    // Another member's dog stays as it is. A signed-out member is asked once to sign in.
    if (sessionId !== null || dog.state === 'signed-out') return dog
    return { ...dog, state: 'signed-out', problem: QUEUE_TEXTS.signedOut }
  }
  const photos = await readQueuedPhotos(dog)
  const problem = findObstacle(dog, photos.length, await fetchCurrentBreedNames(), MIXED_BREED)
  if (problem) return { ...dog, state: 'stuck', problem }
  const outcome = await post(dog, toDogFormData(dog.values, photos, dog.member))
  const isOlder = outcome.kind === 'saved' && (await bringUpToDate(dog, photos, outcome))
  return afterSend(dog, outcome, Date.now(), isOlder)
}
