import * as z from 'zod/mini'
import { countCharacters, sanitise } from '#lib/text.ts'

/** What the admin may change of a breed (docs/product.md §7.4), with its label. */
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
const NAME_LIMIT = 60
const TEXT_LIMIT = 160
const TYPED_MAX = 16 * 1024
const TOO_LONG = 'El texto es demasiado largo.'

/** Breed names: letters, numbers, spaces, hyphens (docs/product.md §22.4). */
const NAME = /^[\p{L}\p{M}\p{N} -]+$/u

/** Refused unread beyond what any of them may hold many times over. */
const typed = z.pipe(z.string().check(z.maxLength(TYPED_MAX, TOO_LONG)), z.transform(sanitise))

const text = (empty: string) =>
  z.pipe(
    typed,
    z.string().check(
      z.minLength(1, empty),
      z.refine((value) => countCharacters(value) <= TEXT_LIMIT, `Como máximo ${TEXT_LIMIT} caracteres.`),
    ),
  )

/** The form's six texts, sanitised. An origin may be empty: the mixed breed comes from nowhere in particular. */
export const breedEditSchema = z.object({
  nombre_castellano: z.pipe(
    typed,
    z.string().check(
      z.minLength(1, 'El nombre no puede estar vacío.'),
      z.regex(NAME, 'Raza no válida. Solo se permiten letras, números, espacios y guiones.'),
      z.refine((value) => countCharacters(value) <= NAME_LIMIT, `Como máximo ${NAME_LIMIT} caracteres.`),
    ),
  ),
  nombre_original: text('El nombre original no puede estar vacío.'),
  temperamento: text('Escribe al menos un rasgo.'),
  pelaje: text('Describe el pelaje.'),
  pais_origen: z.pipe(
    typed,
    z
      .string()
      .check(z.refine((value) => countCharacters(value) <= TEXT_LIMIT, `Como máximo ${TEXT_LIMIT} caracteres.`)),
  ),
  proposito_original: text('Escribe para qué nació la raza.'),
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
