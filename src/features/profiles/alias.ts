import { removeInvisible } from '#lib/text/normalise.ts'
import { countCharacters } from '#lib/text/text.ts'
import { isLatinConfusable } from '#lib/text/confusables.ts'
import { ALIAS_LIMIT } from './profiles.ts'

export const ALIAS_TEXTS = {
  empty: 'El alias no puede estar vacío',
  long: `El alias no puede tener más de ${ALIAS_LIMIT} caracteres.`,
  emoji: 'El alias no puede llevar emojis: el tuyo se elige aparte.',
  unseen: 'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.',
  lookalike: (letter: string) => `«${letter}» parece una letra latina, pero es de otro alfabeto.`,
  sign: "El alias solo admite letras latinas, números, espacios y los signos - _ . , ' · & + ! ? ¡ ¿ ª º",
  bare: 'El alias necesita alguna letra o algún número.',
  unfit: 'Elige otro alias: este no se puede usar.',
  taken: 'Este alias ya está en uso.',
} as const

// Latin letters with the diacritics of European languages. Obsolete letters that look like others (long s, kra) are left out.
const LATIN_LETTERS = 'A-Za-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u0137\\u0139-\\u0148\\u014A-\\u017E\\u0218-\\u021B'
const ALLOWED_PATTERN = new RegExp(`^[${LATIN_LETTERS}0-9 \\-_.,'’·&+!?¡¿ªº]*$`)
const LETTER_OR_DIGIT_PATTERN = new RegExp(`[${LATIN_LETTERS}0-9]`)
const EMOJI_PATTERN = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u
/** Unassigned and private characters, and format characters that `removeInvisible` leaves. */
const INVISIBLE_PATTERN = /\p{C}/u

/** Code units: a single visible character can consist of thousands. */
export const MAX_ALIAS_CODE_UNITS = 1000

/** An alias as it is stored: NFC, without invisible characters, trimmed, inner white space as single spaces. */
export const tidyAlias = (text: string): string =>
  removeInvisible(text.toWellFormed()).normalize('NFC').replace(/\s+/g, ' ').trim()

/** The Spanish error of a tidied alias; null for a well-formed one, which may still be taken. */
export function findAliasProblem(alias: string): string | null {
  if (alias === '') return ALIAS_TEXTS.empty
  if (alias.length > MAX_ALIAS_CODE_UNITS || countCharacters(alias) > ALIAS_LIMIT) return ALIAS_TEXTS.long
  if (ALLOWED_PATTERN.test(alias)) return LETTER_OR_DIGIT_PATTERN.test(alias) ? null : ALIAS_TEXTS.bare
  if (EMOJI_PATTERN.test(alias)) return ALIAS_TEXTS.emoji
  if (INVISIBLE_PATTERN.test(alias)) return ALIAS_TEXTS.unseen
  const confusable = [...alias].find(isLatinConfusable)
  return confusable ? ALIAS_TEXTS.lookalike(confusable) : ALIAS_TEXTS.sign
}
