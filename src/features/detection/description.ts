import type { BreedGuess } from './detection.ts'

/** The sizes of dogs, as the form has them. */
export const SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const

const LENGTHS_AND_KINDS = [
  'corto',
  'medio',
  'largo',
  'liso',
  'ondulado',
  'rizado',
  'duro',
  'lanoso',
  'sin pelo',
] as const
const COLOURS = ['negro', 'blanco', 'gris', 'marrón', 'canela', 'dorado', 'crema', 'rojizo'] as const
const PATTERNS = ['bicolor', 'tricolor', 'atigrado', 'manchado'] as const
/** All words of a coat that an answer may hold. Text in a photo can add no others. */
export const COAT_WORDS = [...LENGTHS_AND_KINDS, ...COLOURS, ...PATTERNS] as const
export type CoatWord = (typeof COAT_WORDS)[number]

/** What a photo says of a dog. */
export interface DogDescription {
  /** Breeds of the catalogue, best first; Mestizo among them. */
  breeds: BreedGuess[]
  size: (typeof SIZES)[number] | null
  /** Of `COAT_WORDS`. */
  coat: CoatWord[]
}
