import type * as z from 'zod/mini'
import type { TextWarning } from '#features/contact/text-warning.ts'
import type { GeoPoint } from '#lib/geo.ts'
import type { sightingAnswer } from './answers.ts'

/** A sighting as its case's owner sees it. Times in milliseconds. */
export type Sighting = z.output<typeof sightingAnswer>

/** A sighting on the owner's map. */
export interface SightingMark {
  id: string
  /** Its place in the order of time, from 1: the same in the list. */
  number: number
  at: number
  zone: string
  /** Null for one that is not drawn: refused by the owner, or of a place that the gazetteer no longer has. */
  point: GeoPoint | null
  /** The middle of a named place. */
  isApproximate: boolean
}

/** A sighting as who sent it is shown it. */
export interface OwnSighting {
  id: string
  at: number
  zone: string
}

export interface SightingMarks {
  /** The first seen first. */
  marks: SightingMark[]
  /** Where the dog was lost. */
  home: GeoPoint & { isApproximate: boolean }
}

/** The longest words, in characters as a person counts them. */
export const SIGHTING_WORDS_LIMIT = 500
export const SIGHTINGS_PAGE_SIZE = 30
/** The newest of one sender that they are shown. */
export const OWN_SIGHTINGS_MAX = 50
/** The query's name of a sighting that is withdrawn. */
export const WITHDRAWN_FIELD = 'retirar'
/** The parameter of the form that asks for a mail when the family writes. */
export const MAIL_FIELD = 'aviso'
/** The hidden field with the id of the member who opened the form; empty for a visitor. */
export const SIGHTING_MEMBER_FIELD = 'miembro'

/** How long before the owner missed the dog somebody may have seen it: they say when as they remember, hours. */
export const EARLY_HOURS = 24

/** Answers to «¿Cuándo?» on the page without script, minutes ago. */
export const AGO_OPTIONS = [
  { minutes: 0, label: 'Ahora mismo' },
  { minutes: 15, label: 'Hace un cuarto de hora' },
  { minutes: 30, label: 'Hace media hora' },
  { minutes: 60, label: 'Hace una hora' },
  { minutes: 120, label: 'Hace dos horas' },
  { minutes: 240, label: 'Hace cuatro horas' },
  { minutes: 480, label: 'Hace ocho horas' },
  { minutes: 1440, label: 'Ayer' },
  { minutes: 2880, label: 'Anteayer' },
] as const

export const SIGHTING_TEXTS = {
  notLost: 'Este perro ya no está marcado como perdido.',
  place: 'Di dónde ha sido: pulsa «Estoy aquí ahora» o escribe el pueblo o el barrio.',
  point: 'Ese sitio no existe: la latitud va de -90 a 90 y la longitud de -180 a 180.',
  sea: 'Ese punto está en el mar.',
  zone: 'No conocemos ese sitio. Escribe el pueblo o el barrio, y el resto cuéntalo abajo.',
  ownerBanned:
    'Ahora no podemos pasar avisos a quien lo busca. Si lo tienes delante, avisa al 112 o a la policía local.',
  time: 'No entendemos esa hora.',
  future: 'Esa hora todavía no ha llegado.',
  early: 'A esa hora todavía no se había perdido.',
  words: `No puede tener más de ${SIGHTING_WORDS_LIMIT} caracteres.`,
  photos: 'Solo cabe una foto.',
  honeypot:
    'Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Vuelve a pulsar «Enviar».',
  tooMany: 'Desde tu conexión ya han llegado muchos avisos. Espera un rato e inténtalo de nuevo.',
  flood: 'Están llegando muchísimos avisos de este perro. Inténtalo dentro de un rato.',
  gone: 'Este aviso ya no existe.',
  inReview: 'Estamos revisando este aviso. Cuando acabemos podrás retirarlo, si sigue ahí.',
  noSender: 'A quien envió este aviso no se le puede escribir.',
  action: 'No se sabe qué hacer con este aviso.',
} as const

/** Whether the fold of words with this warning looks mild: a finder has good reason to leave a phone number. */
export const isMildWarning = (warning: TextWarning): boolean => warning === 'phone'

/** «1 avistamiento», «3 avistamientos» */
export const sightingCount = (count: number): string => `${count} ${count === 1 ? 'avistamiento' : 'avistamientos'}`
