import { textSchema } from '#features/moderation/text-schema.ts'
import { SEARCH_MAX_CHARS } from '#features/places/places.ts'
import * as z from 'zod/mini'

export const FOUND_SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
export type FoundSize = (typeof FOUND_SIZES)[number]

/** Distances that finders and owners are told of, km: «a menos de 5 km», never metres. */
export const BANDS_KM = [5, 10, 25, 50] as const
export type BandKm = (typeof BANDS_KM)[number]

export const formatBand = (km: number): string => `a menos de ${km} km`

/** Notices that a member, or a visitor's network, sends in a day. */
export const NOTICES_PER_DAY = 5
/** A notice ends by itself after so many days, unless its finder renews it. */
export const NOTICE_DAYS = 30
/** Who found a dog longer ago tells the authority. */
export const MAX_FOUND_DAYS = 60
/** Answers that one member may give to a finder's question. */
export const CLAIM_TRIES = 3

export const WORDS_LIMIT = 500
export const QUESTION_LIMIT = 120
export const ANSWER_LIMIT = 200
export const SHORT_LIMIT = 80
/** The longest side of the photo that is stored. */
export const FOUND_PHOTO_SIDE_PX = 800

/** The form's field that a browser without script sends: the answer is a page then. */
export const PLAIN_FORM_FIELD = 'formulario'

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
  breed: `La raza no puede tener más de ${SHORT_LIMIT} caracteres.`,
  words: `Lo que cuentas no puede tener más de ${WORDS_LIMIT} caracteres.`,
  question: `La pregunta no puede tener más de ${QUESTION_LIMIT} caracteres.`,
  answer: 'Escribe la respuesta.',
  longAnswer: `La respuesta no puede tener más de ${ANSWER_LIMIT} caracteres.`,
  tries: `Ya has respondido ${CLAIM_TRIES} veces a este aviso.`,
  pending: 'Tu respuesta ya está enviada. Espera a que la lea quien lo encontró.',
  accepted: 'Ya te han dicho que sí: escríbele.',
  decided: 'Esa respuesta ya está contestada.',
  gone: 'Este aviso no existe o ya ha terminado.',
  notFinder: 'Solo puede hacerlo quien encontró al perro.',
  notOwner: 'Solo puede responder quien busca a un perro parecido.',
  state: 'Di si aceptas o no.',
  many: 'Hoy ya has avisado de cinco perros. Si has encontrado más, llama a la policía local (092).',
  sent: 'Has enviado muchas cosas seguidas. Espera un poco e inténtalo de nuevo.',
  honeypot:
    'Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Aquí sigue todo: vuelve a enviarlo.',
  tooFast: '¡Qué rapidez! Para no confundirte con un programa, espera un par de segundos y vuelve a enviarlo.',
} as const

/** UTF-16 code units of a number or a time: longer ones are neither. */
const MAX_NUMBER_CODE_UNITS = 40
const coordinate = (limit: number) =>
  z.pipe(
    z.string(FOUND_TEXTS.point).check(z.regex(/^-?\d{1,3}(?:\.\d{1,20})?$/, FOUND_TEXTS.point)),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z.number().check(z.minimum(-limit, FOUND_TEXTS.point), z.maximum(limit, FOUND_TEXTS.point)),
    ),
  )
const emptyToUndefined = z.transform((value: unknown) => (value === '' ? undefined : value))
const optional = <T extends z.ZodMiniType>(schema: T) => z.pipe(emptyToUndefined, z.optional(schema))
const text = (limit: number, long: string) => z._default(textSchema(limit, { long }), '')

/** The fields of `POST /api/found`, as texts of a form. */
export const foundInput = z
  .object({
    /** ISO 8601 with an offset; without one it is Madrid's time. Default: now. */
    found_at: optional(z.string(FOUND_TEXTS.time).check(z.maxLength(MAX_NUMBER_CODE_UNITS, FOUND_TEXTS.time))),
    zone: text(SEARCH_MAX_CHARS, FOUND_TEXTS.unknownZone),
    lat: optional(coordinate(90)),
    lon: optional(coordinate(180)),
    size: optional(z.enum(FOUND_SIZES, FOUND_TEXTS.size)),
    coat: text(SHORT_LIMIT, FOUND_TEXTS.coat),
    collar: text(SHORT_LIMIT, FOUND_TEXTS.collar),
    breed: text(SHORT_LIMIT, FOUND_TEXTS.breed),
    words: text(WORDS_LIMIT, FOUND_TEXTS.words),
    question: text(QUESTION_LIMIT, FOUND_TEXTS.question),
  })
  .check(
    z.refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), {
      error: FOUND_TEXTS.point,
      path: ['lat'],
    }),
    z.refine(({ lat, zone }) => lat !== undefined || zone !== '', { error: FOUND_TEXTS.place, path: ['zone'] }),
  )
export type FoundInput = z.output<typeof foundInput>
export const FOUND_FIELDS = [
  'found_at',
  'zone',
  'lat',
  'lon',
  'size',
  'coat',
  'collar',
  'breed',
  'words',
  'question',
] as const

/** The body of `POST /api/found/{id}/claims`. */
export const claimInput = z.object({
  answer: textSchema(ANSWER_LIMIT, { long: FOUND_TEXTS.longAnswer, none: FOUND_TEXTS.answer }).check(
    z.minLength(1, FOUND_TEXTS.answer),
  ),
})

/** The body of `PATCH /api/found/{id}/claims/{claimId}`. */
export const decisionInput = z.object({ accept: z.boolean(FOUND_TEXTS.state) })

/** Who asks for a notice: a member, a device that holds secrets of notices (by their ids), or both. */
export interface FoundViewer {
  userId: string | null
  secrets: ReadonlyMap<string, string>
}
