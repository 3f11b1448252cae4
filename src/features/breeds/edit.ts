import * as z from 'zod/mini'
import { sanitise } from '#lib/text/normalise.ts'
import { countCharacters } from '#lib/text/text.ts'

/** The fields of a breed that the admin may change (docs/product.md §7.4), with their labels. */
export const BREED_FIELDS = {
  nombre_castellano: 'Nombre',
  nombre_original: 'Nombre original',
  temperamento: 'Temperamento',
  pelaje: 'Pelaje',
  pais_origen: 'Origen',
  proposito_original: 'Propósito',
} as const
export type BreedField = keyof typeof BREED_FIELDS
export const FIELD_NAMES = Object.keys(BREED_FIELDS) as BreedField[]
export type BreedTexts = Record<BreedField, string>

export const BREED_EDIT_ERROR = 'Error al guardar los cambios'
const NAME_MAX_CHARS = 60
const TEXT_MAX_CHARS = 160
const INPUT_MAX_CODE_UNITS = 16 * 1024
const TOO_LONG = 'El texto es demasiado largo.'

/** Breed names: letters, numbers, spaces, hyphens (docs/product.md §22.4). */
const NAME_PATTERN = /^[\p{L}\p{M}\p{N} -]+$/u

/** Texts far beyond any limit are refused before they are sanitised. */
const sanitisedText = z.pipe(z.string().check(z.maxLength(INPUT_MAX_CODE_UNITS, TOO_LONG)), z.transform(sanitise))

const nonEmptyText = (empty: string) =>
  z.pipe(
    sanitisedText,
    z.string().check(
      z.minLength(1, empty),
      z.refine((value) => countCharacters(value) <= TEXT_MAX_CHARS, `Como máximo ${TEXT_MAX_CHARS} caracteres.`),
    ),
  )

/** The form's six texts, sanitised. The origin may be empty: the mixed breed has none. */
export const breedEditSchema = z.object({
  nombre_castellano: z.pipe(
    sanitisedText,
    z.string().check(
      z.minLength(1, 'El nombre no puede estar vacío.'),
      z.regex(NAME_PATTERN, 'Raza no válida. Solo se permiten letras, números, espacios y guiones.'),
      z.refine((value) => countCharacters(value) <= NAME_MAX_CHARS, `Como máximo ${NAME_MAX_CHARS} caracteres.`),
    ),
  ),
  nombre_original: nonEmptyText('El nombre original no puede estar vacío.'),
  temperamento: nonEmptyText('Escribe al menos un rasgo.'),
  pelaje: nonEmptyText('Describe el pelaje.'),
  pais_origen: z.pipe(
    sanitisedText,
    z
      .string()
      .check(
        z.refine((value) => countCharacters(value) <= TEXT_MAX_CHARS, `Como máximo ${TEXT_MAX_CHARS} caracteres.`),
      ),
  ),
  proposito_original: nonEmptyText('Escribe para qué nació la raza.'),
})

/** One save in a breed's history. */
export interface BreedEdit {
  id: string
  changes: Partial<BreedTexts>
  before: Partial<BreedTexts>
  alias: string | null
  created_at: number
  undone: boolean
}
