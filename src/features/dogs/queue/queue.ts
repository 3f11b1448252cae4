import type { Dog } from '../dogs.ts'
import type { SaveOutcome } from '#features/dogs/form/save/save-outcome.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

/** A new dog that waits on this device for the network. Its photos are kept beside it. */
export interface QueuedDog {
  /** Also the Idempotency-Key: however often it is sent, it becomes one dog. */
  id: string
  values: FormValues
  /** How many photos it has. */
  photos: number
  /** What is said of each of them; not in what an earlier version kept. */
  alts?: readonly string[]
  /** Who wrote it, and as whom alone it is sent; null for a visitor. */
  member: string | null
  createdAt: number
  state: QueueState
  /** How often the server failed at it since somebody last looked. */
  tries: number
  /** Not to be sent earlier, milliseconds. */
  notBefore: number
  /** What the person is told. */
  problem: string
  /** A send whose answer got lost: the server may have the dog already, as it was then. */
  isUncertain: boolean
  /** Its photos are others since it was first sent. */
  hasOtherPhotos: boolean
  /** What was saved, until a page has told the person. */
  sent: { dog: Dog; token: string | null; skipped: number; isOlder: boolean } | null
}

/**
 * `waiting` for the network, `signed-out` until its member signs in, `stuck` until the person does something about it,
 * `sent` until a page has said so.
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
  /** Of a dog that came through at the first send, and was edited here since. */
  older: 'Llegó como lo enviaste la primera vez, sin tus últimos cambios.',
  sending: (share: number) => (share < 1 ? `Enviando… ${Math.round(share * 100)} %` : 'Guardando…'),
} as const

/** The Background Sync's name, where a browser has it: Chromium's wake the service worker once the network is back. */
export const SYNC_TAG = 'perrario-cola'
export { QUEUE_HINT } from './hint.ts'
/** Tabs and the service worker tell each other here that something changed: `sent` from the worker, `changed` from tabs. */
export const QUEUE_CHANNEL = 'perrario-cola'

/** After so many failures of the server it is left to the person. */
export const MAX_TRIES = 3
/** How long to wait after the first failure, and how much longer after each further one, ms. */
const FIRST_RETRY_DELAY_MS = 2000
const RETRY_BACKOFF_FACTOR = 4
/** How long to wait where the server says that it is too much at once, ms; it is not failing. */
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

/** What a send made of it. Nothing is ever dropped here: only a page that told the person, or the person, does that. */
export function afterSend(dog: QueuedDog, outcome: SaveOutcome, now: number, isOlder = false): QueuedDog {
  if (outcome.kind === 'saved') {
    const { dog: saved, token, skipped } = outcome
    return { ...dog, state: 'sent', problem: '', sent: { dog: saved, token, skipped, isOlder } }
  }
  if (outcome.kind === 'broken') return { ...dog, state: 'waiting', problem: '', isUncertain: true }
  const { status, message } = outcome
  if (status === 401) return { ...dog, state: 'signed-out', problem: QUEUE_TEXTS.signedOut }
  if (status === 429) return { ...dog, state: 'waiting', notBefore: now + RATE_LIMITED_DELAY_MS }
  // What stands between may refuse too, without a word of ours.
  if (status >= 300 && status < 500) return { ...dog, state: 'stuck', problem: message || QUEUE_TEXTS.refused(status) }
  // A gateway that gave up, or something else's page in place of an answer: the server may have the dog.
  const failed = { ...dog, tries: dog.tries + 1, isUncertain: true }
  if (failed.tries >= MAX_TRIES) return { ...failed, state: 'stuck', problem: QUEUE_TEXTS.serverFails }
  return {
    ...failed,
    state: 'waiting',
    notBefore: now + FIRST_RETRY_DELAY_MS * RETRY_BACKOFF_FACTOR ** (failed.tries - 1),
  }
}

/** What keeps it from being sent at all; undefined where nothing does. `breeds` is empty where the list is not known. */
export function findObstacle(
  dog: QueuedDog,
  photos: number,
  breeds: readonly string[],
  mixed: string,
): string | undefined {
  if (photos === 0 || photos < dog.photos) return QUEUE_TEXTS.photosGone
  const { breed } = dog.values
  if (breed && breed !== mixed && breeds.length > 0 && !breeds.includes(breed)) return QUEUE_TEXTS.breedGone(breed)
  return undefined
}

/** May be sent now, as far as it alone tells. */
export const isDue = (dog: QueuedDog, now: number): boolean =>
  (dog.state === 'waiting' && dog.notBefore <= now) || dog.state === 'signed-out'

/**
 * How long to wait before looking at the queue again, ms; undefined where nothing waits.
 * @param askAgain how often for those that wait for the network alone
 */
export function nextTryDelay(dogs: readonly QueuedDog[], now: number, askAgain: number): number | undefined {
  const pauses = dogs
    .filter(({ state }) => state === 'waiting')
    .map(({ notBefore }) => (notBefore > now ? notBefore - now : askAgain))
  return pauses.length > 0 ? Math.min(...pauses) : undefined
}

/** The person asked for it: tried again as if for the first time. */
export const resetForRetry = (dog: QueuedDog): QueuedDog =>
  dog.state === 'sent' ? dog : { ...dog, state: 'waiting', tries: 0, notBefore: 0, problem: '' }

/** To whom a waiting dog's name and photo are shown, and who may change it: its member, and anybody where a visitor wrote it. */
export const mayOpen = (dog: QueuedDog, member: string | null): boolean => dog.member === null || dog.member === member

/** Whose dogs a device shows: one's own and those of nobody; to whom is signed out, that others wait. */
export const isListedFor = (dog: QueuedDog, member: string | null): boolean =>
  dog.member === null || member === null || dog.member === member
