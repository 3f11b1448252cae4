import { sendQueued } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { SIGHTING_QUEUE_HINT } from '#lib/offline.ts'
import type { SendFailure } from '#lib/queued-sends.ts'
import { fromStored } from '#lib/stored-file.client.ts'
import { offlineQueue, postQueued } from '#ui/queue/offline-queue.client.ts'
import { SIGHTING_MEMBER_FIELD } from '../sightings.ts'
import { afterSend } from './after-send.ts'
import { type QueuedSighting, SIGHTING_QUEUE_TEXTS } from './queue.ts'

/** The sightings that wait on this device. */
export const sightingQueue = offlineQueue<QueuedSighting>({
  name: SIGHTING_QUEUE_HINT,
  store: 'avistamientos',
  prefix: '',
  texts: SIGHTING_QUEUE_TEXTS,
  send: async (sighting, session) =>
    afterSend(sighting, await post(sighting, session).then(toOutcome, () => BROKEN), Date.now()),
})

interface Answer {
  status: number
  body: unknown
}

const BROKEN: SendFailure = { kind: 'broken' }
const toOutcome = ({ status, body }: Answer): 'sent' | SendFailure =>
  status === 201 ? 'sent' : { kind: 'refused', status, message: (body as { detail?: string } | null)?.detail ?? '' }

function post({ id, dogId, member, fields, photo }: QueuedSighting, session: string | null): Promise<Answer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value as string)
  body.set(SIGHTING_MEMBER_FIELD, member ?? '')
  const file = fromStored(photo, 'foto.jpg')
  if (file) body.set('photo', file, 'foto.jpg')
  // A visitor's must not become that of a member who has signed in since.
  const credentials = member === null && session !== null ? 'omit' : 'same-origin'
  return sendQueued((headers) => postQueued(id, lostPaths.api.sightings(dogId), body, credentials, headers))
}
