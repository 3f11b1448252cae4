import { replaceConfusables } from '#lib/text/confusables.ts'
import { foldText } from '#lib/text/text.ts'

/** What texts are searched by: signs are blanks in both, and blanks stand once. */
export interface SearchKey {
  /** In lower case without accents. */
  plain: string
  /** In lower case with them. */
  low: string
  /** Whether an `ñ` was typed: who types it means it (docs/product.md §17.2). */
  hasEnye: boolean
}

/** Catalan's «l·l» is one sound; an accent that no letter took is none. */
const IGNORED_CHARS = /[·\p{M}]/u
const WORD_CHARS = /[\p{L}\p{N}]/u

const mapLetters = (text: string, read: (letter: string) => string) =>
  [...text.toWellFormed().normalize('NFC')]
    .map((letter) => (IGNORED_CHARS.test(letter) ? '' : WORD_CHARS.test(letter) ? read(letter) : ' '))
    .join('')
    .replace(/ +/g, ' ')
    .trim()

/** Reads a text as the triggers read names (db/migrations/2026-11-25-words.ts); empty where it holds no letter or number. */
export function searchKey(text: string): SearchKey {
  const plain = mapLetters(text, (letter) => foldText(replaceConfusables(letter)).replace(/[^\p{L}\p{N}]/gu, ''))
  const low = mapLetters(text, (letter) => letter.toLowerCase().normalize('NFC'))
  return { plain, low, hasEnye: low.includes('ñ') }
}
