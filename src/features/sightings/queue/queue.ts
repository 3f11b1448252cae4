import { FRESH, type QueuedItem } from '#lib/queued-sends.ts'

/** A sighting queued on this device until there is a network, with the time at which «Enviar» was pressed. */
export interface QueuedSighting extends QueuedItem {
  dogId: string
  /** The dog after «Has visto»: «a Toby». */
  dogName: string
  fields: SightingFields
  /** As IndexedDB stores it (lib/stored-file.client.ts). */
  photo: { bytes: ArrayBuffer; name: string; type: string } | null
  /** The dog is not looked for any more: it cannot be sent, only discarded. */
  isOver: boolean
}

/** Fields of the API's form. */
export interface SightingFields {
  lat: string
  lon: string
  zone: string
  words: string
  /** ISO 8601 */
  at: string
}

/** The form's address, with this and the id of a queued sighting, takes it up. */
export const EDIT_FRAGMENT = '#cola='

export type NewQueuedSighting = Pick<QueuedSighting, 'id' | 'member' | 'dogId' | 'dogName' | 'fields' | 'photo'>

export const SIGHTING_QUEUE_TEXTS = {
  waiting: 'Lo enviaremos cuando vuelva la conexión.',
  full: 'No queda sitio en el dispositivo: libera espacio o vuelve a intentarlo cuando tengas conexión.',
  notStored: 'No hay conexión y este navegador no deja guardar nada: no cierres esta página e inténtalo luego.',
  signedOut: 'Tu sesión ha terminado: inicia sesión y se enviará.',
  otherMembers: 'Un avistamiento de quien usó este dispositivo',
  gone: 'Este perro ya no está en Perrario.',
  serverFails: 'El servidor no ha podido guardarlo. Sigue aquí: inténtalo más tarde.',
  refused: (status: number) => `El servidor no lo ha aceptado (error ${status}). Sigue aquí: corrígelo o descártalo.`,
  sending: () => 'Enviando…',
  busy: 'Este avistamiento se está enviando ahora mismo.',
  sentTitle: 'Avistamiento enviado',
  sent: (dogName: string) => `Su familia ya sabe que has visto ${dogName}. ¡Gracias!`,
} as const

/** A sighting that has just been queued. @param now ms */
export const toQueuedSighting = (sighting: NewQueuedSighting, now: number): QueuedSighting => ({
  ...sighting,
  ...FRESH,
  createdAt: now,
  isOver: false,
})
