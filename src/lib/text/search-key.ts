import { replaceConfusables } from './confusables.ts'
import { foldText } from './text.ts'

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

/** Normalises a text for search; empty without letters and digits. */
export function searchKey(text: string): SearchKey {
  const plain = mapLetters(text, (letter) => foldText(replaceConfusables(letter)).replace(/[^\p{L}\p{N}]/gu, ''))
  const low = mapLetters(text, (letter) => letter.toLowerCase().normalize('NFC'))
  return { plain, low, hasEnye: low.includes('ñ') }
}

/** Characters of a name that are indexed: a longer one consists of piled up accents. */
const MAX_INDEXED_CHARS = 200

/** A row of the search index (`dog_words`, `member_words`) without its id. */
export interface NameWord {
  /** 0 for the whole name, 1 for the others. */
  place: 0 | 1
  plain: string
  low: string
}

/**
 * The search index of a name: from each of its words to the end, so that exact names, prefixes and prefixes of words are each one
 * range of an index.
 */
export function listNameWords(name: string): NameWord[] {
  let { plain, low } = searchKey([...name].slice(0, MAX_INDEXED_CHARS).join(''))
  const words: NameWord[] = plain ? [{ place: 0, plain, low }] : []
  while (plain.includes(' ')) {
    plain = plain.slice(plain.indexOf(' ') + 1)
    low = low.slice(low.indexOf(' ') + 1)
    words.push({ place: 1, plain, low })
  }
  return words
}
