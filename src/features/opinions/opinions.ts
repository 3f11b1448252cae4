import * as z from 'zod/mini'
import { normaliseText } from '#lib/text/normalise.ts'
import { countCharacters } from '#lib/text/text.ts'

/** The longest reason, in grapheme clusters (docs/product.md §27.6). */
export const REASON_LIMIT = 200
/** The largest reason in bytes: a single grapheme cluster can have thousands. */
const REASON_MAX_BYTES = 4096
/** Longer than any name of a breed. */
const BREED_MAX_CHARS = 120
/** Opinions on one dog. More say nothing new, and the count of all is read by an index at every render. */
export const MAX_OPINIONS = 500
/** Opinions per page. */
export const OPINIONS_PAGE_SIZE = 20
/** Breeds that are named with their counts, and reasons on the dog's page. */
export const SHOWN_BREEDS = 3
export const SHOWN_REASONS = 2

export const OPINION_TEXTS = {
  breed: 'Escribe una raza.',
  unknownBreed: 'No conocemos esa raza. Elige una de la lista.',
  long: `El motivo no puede tener más de ${REASON_LIMIT} caracteres.`,
  heavy: 'El motivo ocupa demasiado: usa menos emojis o signos.',
  unfit: 'Ese motivo no se puede publicar. Escríbelo de otra manera.',
  ownDog: 'Es tu perro: aquí opinan los demás, y tú decides.',
  notAsked: 'Sobre este perro no se piden opiniones ahora.',
  full: 'Este perro ya tiene muchísimas opiniones. ¡Gracias igualmente!',
  notYours: 'Solo su dueño, o quien lo descubrió si no lo tiene, pregunta por su raza.',
} as const

export const opinionInput = z.object({
  breed: z
    .string(OPINION_TEXTS.breed)
    .check(z.trim(), z.minLength(1, OPINION_TEXTS.breed), z.maxLength(BREED_MAX_CHARS, OPINION_TEXTS.unknownBreed)),
  reason: z.optional(z.string(OPINION_TEXTS.heavy).check(z.maxLength(REASON_MAX_BYTES, OPINION_TEXTS.heavy))),
})
export type OpinionInput = z.output<typeof opinionInput>

/** Whether the question is open; a plain form sends a word. */
export const requestInput = z.object({
  asked: z.union([
    z.boolean(),
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((word) => word === 'true'),
    ),
  ]),
})

/** A reason as it is stored: as typed, without invisible characters and spare space, on one line. */
export const tidyReason = (text: string): string => normaliseText(text).replace(/\s+/g, ' ')

/** Why a tidied reason is refused, as a text to show; null when it is valid. */
export function reasonProblem(text: string): string | null {
  if (new TextEncoder().encode(text).length > REASON_MAX_BYTES) return OPINION_TEXTS.heavy
  return countCharacters(text) > REASON_LIMIT ? OPINION_TEXTS.long : null
}

/** A breed with how many members think that the dog is one. */
export interface BreedCount {
  slug: string
  name: string
  opinions: number
}

/** An opinion as pages show it. */
export interface BreedOpinion {
  id: string
  user_id: string
  /** Of its author. */
  alias: string
  emoji: string
  /** The breed's slug and name. */
  slug: string
  breed: string
  /** Empty where its author wrote nothing. */
  reason: string
  created_at: number
}

/** What the dog's page shows of the question; null where it shows nothing. */
export interface OpinionSummary {
  isOpen: boolean
  /** Whether the reader decides: asks, closes and takes a breed over. */
  isDecider: boolean
  total: number
  /** The breeds that most members name. */
  breeds: readonly BreedCount[]
  reasons: readonly BreedOpinion[]
}

/** «4 de 6 dicen Podenco andaluz», «1 de 6 dice Beagle», «Una persona dice Beagle» */
export function agreementText({ name, opinions }: Pick<BreedCount, 'name' | 'opinions'>, total: number): string {
  if (total === 1) return `Una persona dice ${name}`
  return `${opinions} de ${total} ${opinions === 1 ? 'dice' : 'dicen'} ${name}`
}

/** The other breeds in one row: «2 dicen Galgo español · 1 dice Beagle» */
export const othersText = (breeds: readonly Pick<BreedCount, 'name' | 'opinions'>[]): string =>
  breeds.map(({ name, opinions }) => `${opinions} ${opinions === 1 ? 'dice' : 'dicen'} ${name}`).join(' · ')

/** «6 opiniones» */
export const opinionCount = (count: number): string => (count === 1 ? '1 opinión' : `${count} opiniones`)
