import { paths } from '#lib/paths.ts'
import { sendForm } from '#features/photos/upload.client.ts'
import { withoutStreetNumber } from '#features/places/street-number.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { DOG_TEXTS } from '#features/dogs/write/dog-input.ts'
import { displayName } from '../dogs.ts'
import { skippedText } from '#features/dogs/form/save/save-outcome.ts'
import { storePendingDog } from '#features/dogs/form/save/pending-dogs.client.ts'
import { dispatchDogSaved } from '#features/dogs/form/save/saved-event.client.ts'
import { toSaveOutcome } from '#features/dogs/form/save/save-dog.client.ts'
import { nextTryDelay, QUEUE_HINT, QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { withLock, type PostDog, postByFetch, QUEUE_LOCK, sendQueue } from './send.client.ts'
import { deleteQueuedDog, readQueue } from './store.client.ts'

// A page's half of sending: with progress, tried again in time, and telling the person what was sent, by whomever.

/** A browser does not always notice that the network, or the server, is back: looked after so often, ms. */
const NETWORK_CHECK_INTERVAL_MS = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Sends what is due and tells what was sent.
 * @param onProgress told how much of a dog has left, 0 to 1
 * @param onChange told when one changed, and at the end
 */
export async function deliver(onProgress: (id: string, share: number) => void, onChange: () => void): Promise<void> {
  // Only with a session does a request with one tell a visitor's dog from a member's; fetch alone can leave it out.
  const post: PostDog = (dog, form) => {
    onProgress(dog.id, 0)
    if (dog.member === null) return postByFetch(dog, form)
    const headers = { 'Idempotency-Key': dog.id }
    const progress = (share: number) => onProgress(dog.id, share)
    return toSaveOutcome(() => sendForm('POST', paths.api.dogs, form, { onProgress: progress, headers }))
  }
  await sendQueue(post, onChange)
  await notifySentDogs()
  const left = await readQueue()
  if (left.length === 0) clearQueueHint()
  const pause = nextTryDelay(left, Date.now(), NETWORK_CHECK_INTERVAL_MS)
  clearTimeout(timer)
  if (pause !== undefined) timer = setTimeout(() => void deliver(onProgress, onChange), pause)
  onChange()
}

/** Under the queue's lock: of several tabs one tells, and the dog goes from the queue with that. */
const notifySentDogs = () =>
  withLock(QUEUE_LOCK, async () => {
    for (const dog of await readQueue()) {
      if (!dog.sent) continue
      await deleteQueuedDog(dog.id)
      showSentToast(dog, dog.sent)
    }
  })

function showSentToast({ values }: QueuedDog, { dog, token, skipped, isOlder }: NonNullable<QueuedDog['sent']>): void {
  if (token !== null) storePendingDog(dog, values.relationship, token)
  const name = displayName(dog.name)
  toast({
    title: 'Perro añadido',
    text:
      token === null
        ? `${name} ya está en el álbum.`
        : `${name} ya está en el álbum. Entra en «Mi perfil» y regístrate para que sea tuyo.`,
    kind: 'success',
  })
  // What an earlier version of the form kept may hold the number of a door, which the server took off.
  if (withoutStreetNumber(values.zone) !== values.zone) toast({ title: DOG_TEXTS.zoneNumber })
  if (isOlder) toast({ title: QUEUE_TEXTS.older })
  if (skipped > 0) toast({ title: skippedText(skipped), kind: 'error' })
  dispatchDogSaved(dog, 'add')
}

function clearQueueHint(): void {
  try {
    localStorage.removeItem(QUEUE_HINT)
  } catch {
    // Then the next page looks into an empty queue.
  }
}
