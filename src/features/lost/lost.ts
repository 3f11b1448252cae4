import { type GeoPoint } from '#lib/geo.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** Radius of the circle that others see of where a dog was last seen, metres. */
export const LOST_CIRCLE_M = 500
/** How far the circle's centre is from the exact point, metres. */
export const OFFSET_MIN_M = 100
export const OFFSET_MAX_M = 400
/** The circle of a place stays where its owner says that a dog is lost as near to it, km. */
export const SAME_PLACE_KM = 0.3

/** Days after a case is opened on which its owner is asked whether the dog is still lost. */
export const QUESTION_DAYS = [3, 10, 30] as const
/** An unanswered last question ends the case after these days. */
export const ANSWER_DAYS = 7
/** What outlives a case goes after these days. */
export const HISTORY_DAYS = 30
/** A dog that is gone for longer is not looked for here. */
export const SINCE_MAX_YEARS = 2
/** Clocks of phones are ahead of ours by as much. */
export const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS
export const HELP_MAX_CHARS = 500
/** A point farther than this from every place of the gazetteer is at sea or in a desert, km. */
export const NEAREST_PLACE_MAX_KM = 40

/** How a case ends by its owner: the dog is at home, or they stop looking. */
export const LOST_ENDINGS = ['home', 'other'] as const
export type LostEnding = (typeof LOST_ENDINGS)[number]

/** Who is alerted of a case: members around, those within ten kilometres, or nobody, because of its dog or its owner. */
export type AlertScope = 'all' | 'near' | 'dog' | 'owner'

/** A lost dog as anybody may see it: `shown` is the centre of the circle, never the place itself. */
export interface PublicLostCase {
  id: string
  dog_id: string
  since: number
  zone: string
  province: string
  shown: GeoPoint
  help: string
  chip: boolean | null
  code: string
  opened_at: number
}

/** The same for the dog's owner: with the exact point, where they gave one, and what the site asks them. */
export interface OwnLostCase extends PublicLostCase {
  point: GeoPoint | null
  /** When the open question «¿Sigue perdido?» was asked; null without one. */
  asked_at: number | null
  /** Null: of a case from before this was stored. */
  alerts: AlertScope | null
}

/** What the form to reopen a case is filled in with: what its owner wrote in the one that ended for want of an answer. */
export interface LostPrefill {
  since: number
  zone: string
  help: string
}

/** What a list shows of a lost dog on its card. */
export interface LostMark {
  since: number
  zone: string
}

export const LOST_TEXTS = {
  noDog: 'El perro que buscas no existe o ha sido eliminado.',
  owner: 'Solo su dueño puede decir que se ha perdido.',
  hidden: 'Su ficha está oculta. Mientras tanto solo puedes terminar la búsqueda.',
  notLost: 'Este perro no está marcado como perdido.',
  since: 'Escribe el día y la hora en que se perdió.',
  future: 'Ese momento todavía no ha llegado.',
  tooOld: `Aquí buscamos perros que faltan desde hace menos de ${SINCE_MAX_YEARS} años.`,
  place: 'Escribe dónde se le vio por última vez: un pueblo, un barrio o un punto del mapa.',
  onePlace: 'Elige una de las dos cosas: la zona o el punto del mapa.',
  zone: 'No conocemos ese lugar. Prueba con el nombre del pueblo o del barrio.',
  zoneLong: 'El lugar no puede tener más de 100 caracteres.',
  tooWide: 'Ese lugar es demasiado grande. Elige un pueblo, un barrio o una provincia.',
  point: 'Ese punto no está en el mapa.',
  nowhere: 'Ese punto está lejos de cualquier pueblo. Elige otro.',
  helpLong: `Puedes escribir hasta ${HELP_MAX_CHARS} caracteres.`,
  helpUnfit: 'Ese texto no se puede publicar: parece un anuncio de venta o un insulto.',
  chip: 'Elige si lleva chip, si no lo lleva o si no lo sabes.',
  ending: 'Elige «¡En casa!» o «Ya no lo buscamos».',
  thanks: 'Elige si das las gracias o no.',
  tooMany: 'Has cambiado el aviso muchas veces. Espera un poco e inténtalo de nuevo.',
  tooManyOpened: 'Hoy ya has abierto varios avisos de perros perdidos. Mañana podrás abrir otro.',
} as const

/** What a band says of the chip; null where the owner said nothing. */
export const chipText = (chip: boolean | null): string | null =>
  chip === null ? null : chip ? 'Lleva chip.' : 'No lleva chip.'
