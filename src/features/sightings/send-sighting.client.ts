import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { toStored } from '#lib/stored-file.client.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { toQueuedSighting } from './queue/queue.ts'
import { sightingQueue } from './queue/send.client.ts'
import { SIGHTING_MEMBER_FIELD } from './sightings.ts'

/** One press of «Enviar». */
export interface PressedSighting {
  /** The Idempotency-Key. */
  key: string
  dogId: string
  dogName: string
  /** Null for a visitor. */
  member: string | null
  /** The form as it stands. */
  form: FormData
  photo: Promise<File | null>
  pressedAt: number
  /** It waits in the queue under this key, and replaces what is there. */
  isQueued: boolean
  /** The time that it has there, unless another one was chosen. */
  queuedAt: string | null
}

export type SendResult =
  | { kind: 'sent' }
  | { kind: 'queued' }
  | { kind: 'refused'; sentence: string; isPhoto?: boolean }

/** A request that takes longer is aborted, and the sighting is queued on the device. */
const SEND_TIMEOUT_MS = 30 * SECOND_MS
const FAILED = 'No se ha podido enviar. Inténtalo de nuevo.'

/** Sends a sighting; puts it into the queue where there is no network, or the server does not answer. */
export async function sendSighting(sighting: PressedSighting): Promise<SendResult> {
  const photo = await sighting.photo
  const answer = navigator.onLine ? await post(sighting, photo).catch(() => null) : null
  if (answer === null || answer.status >= 500) return enqueue(sighting, photo)
  if (answer.status !== 201) {
    const { detail = FAILED, errors } = answer.body ?? {}
    return { kind: 'refused', sentence: detail, isPhoto: errors?.photo !== undefined }
  }
  if (sighting.isQueued) await sightingQueue.remove(sighting.key)
  return { kind: 'sent' }
}

interface Problem {
  detail?: string
  errors?: Readonly<Record<string, string>>
}

function post({ key, dogId, form, queuedAt, member }: PressedSighting, photo: File | null) {
  form.delete('photo')
  if (photo) form.set('photo', photo, 'foto.jpg')
  if (queuedAt !== null) form.set('at', queuedAt)
  form.set(SIGHTING_MEMBER_FIELD, member ?? '')
  return sendWithProof(async (headers) => {
    const response = await fetch(lostPaths.api.sightings(dogId), {
      method: 'POST',
      body: form,
      headers: { Accept: 'application/json', 'Idempotency-Key': key, ...headers },
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    return { status: response.status, body: (await response.json().catch(() => null)) as Problem | null }
  })
}

async function enqueue(sighting: PressedSighting, photo: File | null): Promise<SendResult> {
  const { key, dogId, dogName, member, form, pressedAt, queuedAt } = sighting
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  // On the device the time is that of the press, however late it is sent.
  const at = queuedAt ?? new Date(pressedAt - Number(text('ago')) * MINUTE_MS).toISOString()
  const fields = { lat: text('lat'), lon: text('lon'), zone: text('zone'), words: text('words'), at }
  const stored = photo && (await toStored(photo))
  const queued = toQueuedSighting({ id: key, member, dogId, dogName, fields, photo: stored }, Date.now())
  const sentence = await sightingQueue.enqueue(queued)
  return sentence === undefined ? { kind: 'queued' } : { kind: 'refused', sentence }
}
