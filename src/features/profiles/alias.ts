import { normaliseText } from '#lib/text/normalise.ts'
import { countCharacters } from '#lib/text/text.ts'
import { ALIAS_LIMIT } from './profiles.ts'

export const ALIAS_TEXTS = {
  empty: 'El alias no puede estar vacío',
  long: `El alias no puede tener más de ${ALIAS_LIMIT} caracteres.`,
  unseen: 'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.',
  unfit: 'Elige otro alias: este no se puede usar.',
  taken: 'Este alias ya está en uso.',
} as const

/** Control, private and unassigned characters that `tidyAlias` leaves. */
const INVISIBLE_PATTERN = /[\p{Cc}\p{Co}\p{Cn}]/u

/** Code units: a single visible character can consist of thousands. */
export const MAX_ALIAS_CODE_UNITS = 1000

/** An alias as it is stored: NFC, without invisible characters, trimmed, inner white space as single spaces. */
export const tidyAlias = (text: string): string => normaliseText(text).normalize('NFC').replace(/\s+/g, ' ')

/** The Spanish error of a tidied alias; null for a well-formed one, which may still be taken. */
export function findAliasProblem(alias: string): string | null {
  if (alias === '') return ALIAS_TEXTS.empty
  if (alias.length > MAX_ALIAS_CODE_UNITS || countCharacters(alias) > ALIAS_LIMIT) return ALIAS_TEXTS.long
  return INVISIBLE_PATTERN.test(alias) ? ALIAS_TEXTS.unseen : null
}
