import type { Dog } from '../dogs.ts'
import type { SaveOutcome } from '#features/dogs/form/save/save-outcome.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

/** A new dog queued on this device until there is a network. Its photos are stored beside it. */
export interface QueuedDog {
  /** Also the Idempotency-Key: repeated sends make one dog. */
  id: string
  values: FormValues
  /** The number of its photos. */
  photos: number
  /** The description of each photo; missing in dogs queued by an earlier version. */
  alts?: readonly string[]
  /** The member who wrote it, in whose session alone it is sent; null for a visitor. */
  member: string | null
  createdAt: number
  state: QueueState
  /** Server failures since the person last retried. */
  tries: number
  /** The earliest time of the next try, ms since 1970. */
  notBefore: number
  /** The message shown; '' without one. */
  problem: string
  /** The response to a send got lost: the server may have the dog already, as it was then. */
  isUncertain: boolean
  /** Its photos have changed since the first send. */
  hasOtherPhotos: boolean
  /** The saved dog, until a page has notified the person. */
  sent: { dog: Dog; token: string | null; skipped: number; isOlder: boolean } | null
}

/**
 * `waiting` for the network, `signed-out` until its member signs in, `stuck` until the person edits, retries or discards
 * it, `sent` until a page has notified the person.
 */
export type QueueState = 'waiting' | 'signed-out' | 'stuck' | 'sent'

export const QUEUE_TEXTS = {
  queued: 'Guardado en este dispositivo. Se enviará cuando vuelva la conexión.',
  full: 'No queda sitio en el dispositivo: libera espacio o vuelve a intentarlo cuando tengas conexión.',
  notStored: 'No hay conexión y este navegador no deja guardar nada: no cierres el formulario.',
  gone: 'Este perro ya se ha enviado.',
  busy: 'Este perro se está enviando ahora mismo.',
  waiting: 'Se enviará cuando vuelva la conexión.',
  signedOut: 'Tu sesión ha terminado: inicia sesión y se enviará.',
  otherMembersDog: 'Un perro de quien usó este dispositivo',
  photosGone: 'Faltan fotos en este dispositivo: edítalo y vuelve a elegirlas.',
  serverFails: 'El servidor no ha podido guardarlo. Sigue aquí: inténtalo más tarde.',
  refused: (status: number) =>
    `El servidor no lo ha aceptado (error ${status}). Sigue aquí: edítalo o inténtalo más tarde.`,
  breedGone: (breed: string) => `La raza «${breed}» ya no está en la lista: edítalo y elige otra.`,
  /** For a dog that the first send created and that was edited on the device afterwards. */
  older: 'Llegó como lo enviaste la primera vez, sin tus últimos cambios.',
  sending: (share: number) => (share < 1 ? `Enviando… ${Math.round(share * 100)} %` : 'Guardando…'),
} as const

/** The Background Sync tag: Chromium wakes the service worker with it once the network is back. */
export const SYNC_TAG = 'perrario-cola'
/** BroadcastChannel of tabs and service worker for changes of the queue: `sent` from the worker, `changed` from tabs. */
export const QUEUE_CHANNEL = 'perrario-cola'

/** After this many server failures the dog is `stuck`. */
export const MAX_TRIES = 3
/** The delay after the first failure, and its factor after each further one. */
const FIRST_RETRY_DELAY_MS = 2000
const RETRY_BACKOFF_FACTOR = 4
/** The delay after a 429, which does not count as a failure. */
const RATE_LIMITED_DELAY_MS = 60_000

export interface NewQueuedDog {
  id: string
  values: FormValues
  photos: number
  alts: readonly string[]
  member: string | null
  isUncertain: boolean
  hasOtherPhotos: boolean
}

export const toQueuedDog = (dog: NewQueuedDog, now: number): QueuedDog => ({
  ...dog,
  createdAt: now,
  state: 'waiting',
  tries: 0,
  notBefore: 0,
  problem: '',
  sent: null,
})

/** The queued dog after a send. It never leaves the queue here: only a notified or discarding person deletes it. */
export function afterSend(dog: QueuedDog, outcome: SaveOutcome, now: number, isOlder = false): QueuedDog {
  if (outcome.kind === 'saved') {
    const { dog: saved, token, skipped } = outcome
    return { ...dog, state: 'sent', problem: '', sent: { dog: saved, token, skipped, isOlder } }
  }
  if (outcome.kind === 'broken') return { ...dog, state: 'waiting', problem: '', isUncertain: true }
  const { status, message } = outcome
  if (status === 401) return { ...dog, state: 'signed-out', problem: QUEUE_TEXTS.signedOut }
  if (status === 429) return { ...dog, state: 'waiting', notBefore: now + RATE_LIMITED_DELAY_MS }
  // A proxy may refuse too, without a message of ours.
  if (status >= 300 && status < 500) return { ...dog, state: 'stuck', problem: message || QUEUE_TEXTS.refused(status) }
  // A gateway timeout, or another server's page instead of a response: the server may have the dog.
  const failed = { ...dog, tries: dog.tries + 1, isUncertain: true }
  if (failed.tries >= MAX_TRIES) return { ...failed, state: 'stuck', problem: QUEUE_TEXTS.serverFails }
  return {
    ...failed,
    state: 'waiting',
    notBefore: now + FIRST_RETRY_DELAY_MS * RETRY_BACKOFF_FACTOR ** (failed.tries - 1),
  }
}

/** The reason why the dog cannot be sent, or undefined. `breeds` is empty when the list is unknown. */
export function findObstacle(
  dog: QueuedDog,
  photoCount: number,
  breeds: readonly string[],
  mixedBreed: string,
): string | undefined {
  if (photoCount === 0 || photoCount < dog.photos) return QUEUE_TEXTS.photosGone
  const { breed } = dog.values
  if (breed && breed !== mixedBreed && breeds.length > 0 && !breeds.includes(breed)) return QUEUE_TEXTS.breedGone(breed)
  return undefined
}

/** Whether its state and delay allow a send now. */
export const isDue = (dog: QueuedDog, now: number): boolean =>
  (dog.state === 'waiting' && dog.notBefore <= now) || dog.state === 'signed-out'

/**
 * How long to wait before the next try of the queue, ms; undefined where no dog waits.
 * @param checkIntervalMs the delay for dogs that wait for the network only
 */
export function nextTryDelay(dogs: readonly QueuedDog[], now: number, checkIntervalMs: number): number | undefined {
  const delays = dogs
    .filter(({ state }) => state === 'waiting')
    .map(({ notBefore }) => (notBefore > now ? notBefore - now : checkIntervalMs))
  return delays.length > 0 ? Math.min(...delays) : undefined
}

/** The dog reset for a retry by the person, as if it had never been tried. */
export const resetForRetry = (dog: QueuedDog): QueuedDog =>
  dog.state === 'sent' ? dog : { ...dog, state: 'waiting', tries: 0, notBefore: 0, problem: '' }

/** Whether the device's member may see and edit a queued dog: its own member may, and anyone may a visitor's dog. */
export const mayOpen = (dog: QueuedDog, member: string | null): boolean => dog.member === null || dog.member === member

/** Whether the panel lists the dog: the member's own and visitors' dogs; signed out, also other members', without details. */
export const isListedFor = (dog: QueuedDog, member: string | null): boolean =>
  dog.member === null || member === null || dog.member === member
