import { fromStored } from '#features/photos/stored-file.client.ts'
import { withLock, withLockIfFree } from '#lib/queued-sends.client.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { isDue, type SendFailure } from '#lib/queued-sends.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { SIGHTING_MEMBER_FIELD } from '../sightings.ts'
import { afterSend } from './after-send.ts'
import { QUEUE_LOCK, type QueuedSighting, SIGHTING_QUEUE_TEXTS, sightingLock } from './queue.ts'
import { readQueue, readQueuedSighting, updateQueuedSighting } from './store.client.ts'

// Sends the queued sightings, from a page or the service worker. Without Web Locks the Idempotency-Key still makes one of each.

const SEND_TIMEOUT_MS = 2 * MINUTE_MS
const SESSION_TIMEOUT_MS = 10 * SECOND_MS

export interface Answer {
  status: number
  body: { detail?: string } | null
}
/** Makes a request, perhaps again with further headers: a page solves a proof of work where one is asked for. */
export type Attempt = (send: (headers: Record<string, string>) => Promise<Answer>) => Promise<Answer>

/**
 * Sends the due sightings, one after the other.
 * @param onChange called before and after each send
 * @returns false when a network failure left some unsent
 */
export const sendQueue = (attempt: Attempt, onChange: (sendingId: string | null) => void): Promise<boolean> =>
  withLock(QUEUE_LOCK, async () => {
    let isComplete = true
    let isServerReachable = true
    for (const { id } of await readQueue()) {
      // A form that corrects it sends it itself.
      await withLockIfFree(sightingLock(id), async () => {
        // A second read: the person may have discarded it.
        const sighting = await readQueuedSighting(id)
        if (!sighting || !isDue(sighting, Date.now())) return
        // Asked for each: another member may have signed in meanwhile.
        const session = await fetchSignedInId().catch(() => undefined)
        if (session === undefined) return void (isServerReachable = false)
        onChange(id)
        const after = await trySend(sighting, session, attempt)
        if (after !== sighting) await updateQueuedSighting(after)
        onChange(null)
        if (after.state === 'waiting') isComplete = false
      })
      if (!isServerReachable) return false
    }
    return isComplete
  })

async function fetchSignedInId(): Promise<string | null> {
  const response = await fetch(paths.api.session, {
    headers: { Accept: 'application/json' },
    // As for a sighting: it is asked under the queue's lock.
    signal: AbortSignal.timeout(SESSION_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(response.statusText)
  return ((await response.json()) as { user: { id: string } | null }).user?.id ?? null
}

async function trySend(sighting: QueuedSighting, session: string | null, attempt: Attempt): Promise<QueuedSighting> {
  if (sighting.member !== null && sighting.member !== session) {
    // Another member's stays as it is. A signed-out member is asked once to sign in.
    if (session !== null || sighting.state === 'signed-out') return sighting
    return { ...sighting, state: 'signed-out', problem: SIGHTING_QUEUE_TEXTS.signedOut }
  }
  const outcome = await attempt((headers) => post(sighting, session, headers)).then(toOutcome, () => BROKEN)
  return afterSend(sighting, outcome, Date.now())
}

const BROKEN: SendFailure = { kind: 'broken' }
const toOutcome = ({ status, body }: Answer): 'sent' | SendFailure =>
  status === 201 ? 'sent' : { kind: 'refused', status, message: body?.detail ?? '' }

async function post(
  { id, dogId, member, fields, photo }: QueuedSighting,
  session: string | null,
  headers: Record<string, string>,
): Promise<Answer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value as string)
  body.set(SIGHTING_MEMBER_FIELD, member ?? '')
  const file = fromStored(photo, 'foto.jpg')
  if (file) body.set('photo', file, 'foto.jpg')
  const response = await fetch(lostPaths.api.sightings(dogId), {
    method: 'POST',
    body,
    headers: { Accept: 'application/json', 'Idempotency-Key': id, ...headers },
    // A visitor's must not become that of a member who has signed in since.
    credentials: member === null && session !== null ? 'omit' : 'same-origin',
    // A stalled request would lock the queue of every tab.
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  })
  return { status: response.status, body: (await response.json().catch(() => null)) as Answer['body'] }
}
