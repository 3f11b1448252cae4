import { FRESH, type QueuedItem } from '#lib/queued-sends.ts'
import type { Dog } from '../dogs.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

/** A new dog queued on this device until there is a network. Its photos are stored beside it. */
export interface QueuedDog extends QueuedItem {
  values: FormValues
  /** The number of its photos. */
  photos: number
  /** The description of each photo; missing in dogs queued by an earlier version. */
  alts?: readonly string[]
  /** The response to a send got lost: the server may have the dog already, as it was then. */
  isUncertain: boolean
  /** Its photos have changed since the first send. */
  hasOtherPhotos: boolean
  /** The saved dog, until a page has notified the person. */
  sent: { dog: Dog; token: string | null; skipped: number; isOlder: boolean } | null
}

export const QUEUE_TEXTS = {
  queued: 'Guardado en este dispositivo. Se enviará cuando vuelva la conexión.',
  full: 'No queda sitio en el dispositivo: libera espacio o vuelve a intentarlo cuando tengas conexión.',
  notStored: 'No hay conexión y este navegador no deja guardar nada: no cierres el formulario.',
  gone: 'Este perro ya se ha enviado.',
  busy: 'Este perro se está enviando ahora mismo.',
  waiting: 'Se enviará cuando vuelva la conexión.',
  signedOut: 'Tu sesión ha terminado: inicia sesión y se enviará.',
  otherMembers: 'Un perro de quien usó este dispositivo',
  photosGone: 'Faltan fotos en este dispositivo: edítalo y vuelve a elegirlas.',
  serverFails: 'El servidor no ha podido guardarlo. Sigue aquí: inténtalo más tarde.',
  refused: (status: number) =>
    `El servidor no lo ha aceptado (error ${status}). Sigue aquí: edítalo o inténtalo más tarde.`,
  breedGone: (breed: string) => `La raza «${breed}» ya no está en la lista: edítalo y elige otra.`,
  /** For a dog that the first send created and that was edited on the device afterwards. */
  older: 'Llegó como lo enviaste la primera vez, sin tus últimos cambios.',
  sending: (share: number) => (share < 1 ? `Enviando… ${Math.round(share * 100)} %` : 'Guardando…'),
} as const

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
  ...FRESH,
  createdAt: now,
  sent: null,
})
