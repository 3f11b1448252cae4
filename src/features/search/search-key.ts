import { replaceConfusables } from '#lib/text/confusables.ts'
import { foldText } from '#lib/text/text.ts'

/** A text normalised for search. In both forms, other characters than letters and digits are spaces, and runs of spaces one. */
export interface SearchKey {
  /** In lower case without accents. */
  plain: string
  /** In lower case with accents. */
  low: string
  /** Whether the text has an `ñ`, which is then searched as such (docs/product.md §17.2). */
  hasEnye: boolean
}

/** The dot of Catalan's «l·l», and combining marks that NFC could not compose. */
const IGNORED_CHARS = /[·\p{M}]/u
const WORD_CHARS = /[\p{L}\p{N}]/u

const mapLetters = (text: string, read: (letter: string) => string) =>
  [...text.toWellFormed().normalize('NFC')]
    .map((letter) => (IGNORED_CHARS.test(letter) ? '' : WORD_CHARS.test(letter) ? read(letter) : ' '))
    .join('')
    .replace(/ +/g, ' ')
    .trim()

/** Normalises a text as the triggers do with names (db/migrations/2026-11-22-0912-name-words.ts); empty without letters and digits. */
export function searchKey(text: string): SearchKey {
  const plain = mapLetters(text, (letter) => foldText(replaceConfusables(letter)).replace(/[^\p{L}\p{N}]/gu, ''))
  const low = mapLetters(text, (letter) => letter.toLowerCase().normalize('NFC'))
  return { plain, low, hasEnye: low.includes('ñ') }
}
