import type { TextWarning } from '#features/contact/text-warning.ts'

export const FOUND_SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
export type FoundSize = (typeof FOUND_SIZES)[number]

/** The distances that finders and owners see, km: «a menos de 5 km», never metres. */
export const DISTANCE_BANDS_KM = [5, 10, 25, 50] as const
export type DistanceBandKm = (typeof DISTANCE_BANDS_KM)[number]

/** «a menos de 5 km». @param km of DISTANCE_BANDS_KM */
export const formatDistanceBand = (km: number): string => `a menos de ${km} km`

/** Notices that a member, or a visitor's network, sends in a day. */
export const NOTICES_PER_DAY = 5
/** A notice ends by itself after so many days. */
export const NOTICE_DAYS = 30
/** Who found a dog longer ago is sent to the authority. */
export const MAX_FOUND_DAYS = 60
/** Answers that one member may give to a finder's question. */
export const CLAIM_TRIES = 3
/** Answers of one page of a finder's notice. */
export const CLAIMS_PAGE_SIZE = 30
/** The query's name of a page of answers. */
export const CLAIMS_CURSOR = 'respuestas'

export const WORDS_LIMIT = 500
export const QUESTION_LIMIT = 120
export const ANSWER_LIMIT = 200
export const SHORT_LIMIT = 80

/** Answers to «¿Cuándo?» of the form, minutes ago. */
export const FOUND_AGO_OPTIONS = [
  { minutes: 0, label: 'Ahora mismo' },
  { minutes: 30, label: 'Hace media hora' },
  { minutes: 60, label: 'Hace una hora' },
  { minutes: 180, label: 'Hace tres horas' },
  { minutes: 480, label: 'Hace ocho horas' },
  { minutes: 1440, label: 'Ayer' },
  { minutes: 2880, label: 'Anteayer' },
  { minutes: 7 * 1440, label: 'Hace una semana' },
] as const

/** «Estoy aquí ahora» has found the device. */
export const LOCATED_TEXT = 'Tenemos el sitio. Los demás verán solo la zona.'

export const FOUND_TEXTS = {
  photo: 'Añade una foto del perro.',
  photos: 'Con una foto basta.',
  place: 'Di dónde lo has encontrado: con un pueblo o un barrio, o con tu posición.',
  unknownZone: 'No conocemos ese lugar. Prueba con el nombre del pueblo o del barrio.',
  wideZone: 'Ese lugar es demasiado grande. Di un pueblo o un barrio.',
  point: 'La posición no es válida.',
  sea: 'Ese punto cae en el mar. Marca dónde lo has encontrado o escribe el pueblo.',
  time: 'Di cuándo lo has encontrado.',
  future: 'Esa hora aún no ha llegado.',
  past: `De eso hace más de ${MAX_FOUND_DAYS} días. Avisa a la policía local o al ayuntamiento.`,
  size: 'Elige un tamaño de la lista.',
  coat: `El pelo no puede tener más de ${SHORT_LIMIT} caracteres.`,
  collar: `El collar no puede tener más de ${SHORT_LIMIT} caracteres.`,
  words: `Lo que cuentas no puede tener más de ${WORDS_LIMIT} caracteres.`,
  question: `La pregunta no puede tener más de ${QUESTION_LIMIT} caracteres.`,
  answer: 'Escribe la respuesta.',
  longAnswer: `La respuesta no puede tener más de ${ANSWER_LIMIT} caracteres.`,
  tries: `Ya has respondido ${CLAIM_TRIES} veces a este aviso.`,
  pending: 'Tu respuesta ya está enviada. Espera a que la lea quien lo encontró.',
  accepted: 'Ya te han dicho que sí: escríbele.',
  decided: 'Esa respuesta ya está contestada.',
  gone: 'Este aviso no existe o ya ha terminado.',
  state: 'Di si aceptas o no.',
  many: 'Hoy ya has avisado de cinco perros. Si has encontrado más, llama a la policía local (092).',
  sent: 'Has enviado muchas cosas seguidas. Espera un poco e inténtalo de nuevo.',
  reported: 'Di por qué lo denuncias.',
  reviewed: 'Ya está decidido.',
  honeypot:
    'Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Vuelve a pulsar «Enviar».',
} as const

/** Why a notice or an answer is reported. */
export const FOUND_REPORT_REASONS = {
  false: 'Es falso',
  money: 'Pide dinero',
  other: 'Ofende, o es otra cosa',
} as const
export type FoundReportReason = keyof typeof FOUND_REPORT_REASONS

/** Who asks for a notice: a member, a device that holds secrets of notices (by their ids), or both. */
export interface FoundViewer {
  userId: string | null
  secrets: ReadonlyMap<string, string>
}

/** A lost dog that looks like a found one. */
export interface NoticeDog {
  id: string
  name: string
  photo_url: string
  bandKm: number
}

export interface NoticeClaim {
  id: string
  answer: string
  warning: TextWarning | null
  state: 'open' | 'accepted' | 'refused'
  createdAt: number
  /** The conversation of an accepted one. */
  threadId: string | null
  /** It waits for the admin. */
  isReported: boolean
}

interface NoticeBase {
  id: string
  zone: string
  foundAt: number
  size: string | null
  question: string
  questionWarning: TextWarning | null
  photo: { width: number; height: number }
  /** The finder's: lost dogs near. An owner's: their own that look like it. */
  dogs: NoticeDog[]
  claims: NoticeClaim[]
}

export interface FinderNotice extends NoticeBase {
  role: 'finder'
  coat: string
  collar: string
  words: string
  isBreedGuessed: boolean
  /** It was sent without account: the device alone opens it. */
  isOfDevice: boolean
  /** Where the next page of answers begins; null: there is none. */
  nextCursor: string | null
}
/** What an owner reads: what the finder has written of the dog stays with them, since it is what a true owner can say. */
export interface OwnerNotice extends NoticeBase {
  role: 'owner'
  triesLeft: number
  /** The owner has reported it. */
  isReported: boolean
}
