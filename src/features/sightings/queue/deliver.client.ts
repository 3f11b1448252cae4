import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { SIGHTING_QUEUE_HINT } from '#lib/offline.ts'
import { clearQueueHint, withLock } from '#lib/queued-sends.client.ts'
import { nextTryDelay } from '#lib/queued-sends.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { QUEUE_LOCK, SIGHTING_QUEUE_TEXTS } from './queue.ts'
import { sendQueue } from './send.client.ts'
import { deleteQueuedSighting, readQueue } from './store.client.ts'

// A page's part of sending: retries, and toasts for sightings that any tab or the service worker sent.

/** Retries without an `online` event, since browsers do not always notice that the network or the server is back. */
const NETWORK_CHECK_INTERVAL_MS = 30_000

/** Dispatched on the window for each sighting that was sent; `detail` is its id. */
export const SIGHTING_SENT_EVENT = 'perrario:sighting-sent'

let timer: ReturnType<typeof setTimeout> | undefined

/** Sends the due sightings and notifies the person of those sent. @param onChange gets the id of the one being sent */
export async function deliver(onChange: (sendingId: string | null) => void): Promise<void> {
  await sendQueue(sendWithProof, onChange)
  await notifySent()
  const remaining = await readQueue()
  if (remaining.length === 0) clearQueueHint(SIGHTING_QUEUE_HINT)
  const delay = nextTryDelay(remaining, Date.now(), NETWORK_CHECK_INTERVAL_MS)
  clearTimeout(timer)
  if (delay !== undefined) timer = setTimeout(() => void deliver(onChange), delay)
  onChange(null)
}

/** Shows a toast for each that was sent and deletes it from the queue, under the queue's lock, so that only one tab does. */
const notifySent = () =>
  withLock(QUEUE_LOCK, async () => {
    for (const { id, state, dogName } of await readQueue()) {
      if (state !== 'sent') continue
      await deleteQueuedSighting(id)
      toast({ title: SIGHTING_QUEUE_TEXTS.sentTitle, text: SIGHTING_QUEUE_TEXTS.sent(dogName), kind: 'success' })
      dispatchEvent(new CustomEvent(SIGHTING_SENT_EVENT, { detail: id }))
    }
  })
