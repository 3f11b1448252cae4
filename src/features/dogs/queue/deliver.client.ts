import { inBackground } from '#lib/background.client.ts'
import { QUEUE_HINT } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { clearQueueHint, withLock } from '#lib/queued-sends.client.ts'
import { nextTryDelay } from '#lib/queued-sends.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { sendForm } from '#features/photos/upload.client.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { DOG_TEXTS } from '#features/dogs/write/dog-fields.ts'
import { skippedText } from '#features/dogs/form/save/save-outcome.ts'
import { dispatchDogSaved, storePendingDog } from '#features/dogs/form/save/saved-dog.client.ts'
import { toSaveOutcome } from '#features/dogs/form/save/save-dog.client.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { type PostDog, postByFetch, QUEUE_LOCK, sendQueue } from './send.client.ts'
import { deleteQueuedDog, readQueue } from './store.client.ts'

// A page's part of sending: progress, retries, and toasts for dogs that any tab or the service worker sent.

/** Retries without an `online` event, since browsers do not always notice that the network or the server is back. */
const NETWORK_CHECK_INTERVAL_MS = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Sends the due dogs and notifies the person of those sent.
 * @param onProgress receives the share of a dog that is sent, 0 to 1
 * @param onChange called after each change of a dog, and at the end
 */
export async function deliver(onProgress: (id: string, share: number) => void, onChange: () => void): Promise<void> {
  // A visitor's dog must be sent without the session cookie, which only fetch can omit.
  const post: PostDog = (dog, form) => {
    onProgress(dog.id, 0)
    if (dog.member === null) return postByFetch(dog, form)
    const headers = { 'Idempotency-Key': dog.id }
    const onShare = (share: number) => onProgress(dog.id, share)
    return toSaveOutcome(() => sendForm('POST', paths.api.dogs, form, { onProgress: onShare, headers }))
  }
  await sendQueue(post, onChange)
  await notifySentDogs()
  const remaining = await readQueue()
  if (remaining.length === 0) clearQueueHint(QUEUE_HINT)
  const delay = nextTryDelay(remaining, Date.now(), NETWORK_CHECK_INTERVAL_MS)
  clearTimeout(timer)
  if (delay !== undefined) timer = setTimeout(() => void deliver(onProgress, onChange), delay)
  onChange()
}

/** Shows a toast for each sent dog and deletes it from the queue, under the queue's lock, so that only one tab does. */
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
  const name = dogInSentence(dog.name).replace(/^el /, 'El ')
  toast({
    title: 'Perro añadido',
    text:
      token === null
        ? `${name} ya está en el álbum.`
        : `${name} ya está en el álbum. Entra en «Mi perfil» y regístrate para que sea tuyo.`,
    kind: 'success',
  })
  // A dog queued by an earlier version of the form may have a street number, which the server has removed.
  inBackground(
    import('#features/places/street-number.ts').then(({ withoutStreetNumber }) => {
      if (withoutStreetNumber(values.zone) !== values.zone) toast({ title: DOG_TEXTS.zoneNumber })
    }),
  )
  if (isOlder) toast({ title: QUEUE_TEXTS.older })
  if (skipped > 0) toast({ title: skippedText(skipped), kind: 'error' })
  dispatchDogSaved(dog, 'add')
}
