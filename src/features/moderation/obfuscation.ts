// What people do to a word so that a filter does not find it and a reader does: digits for letters, separators between
// letters, stars. The text is in lower case, without accents and with collapsed white space (`normalizeText`).

/** Signs that stand for letters. 1 is either of two (`withoutL` in text-filter.ts). */
const LEET_LETTERS: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '€': 'e',
  '!': 'i',
}

const decodeLeet = (text: string): string => text.replace(/[013-9@$€!]/g, (sign) => LEET_LETTERS[sign] ?? sign)

/** Replaces digits and signs inside words by the letters they stand for («v3nd0», «v€ndo»). */
const decodeLeetWords = (text: string): string =>
  text
    .replace(/(?<=[a-z])[€!](?=[a-z])/g, (sign) => LEET_LETTERS[sign] ?? sign)
    .replace(/[a-z0-9@$]+/g, (word) =>
      /[a-z]/.test(word) && !/^\d+(?:kg|g|m|cm|km|h|a|eur|euros?)$/.test(word) ? decodeLeet(word) : word,
    )

/** Letters that stand alone, fewer of which are initials («P. G.», «a.m.»). */
const MIN_SPELLED_LETTERS = 4
/** UTF-16 units between two letters of a spelled word: an emoji with its spaces. */
const MAX_GAP_CHARS = 5

interface Spelled {
  /** The text with each spelled word written in one («v/e/n/d/o» as «vendo»). */
  joined: string
  /** The spelled words alone; words spelled one after the other are one («sevende»). */
  words: string[]
}

/** Joins letters and digits that stand alone, with anything or nothing to see between them. */
function joinSpelledWords(text: string): Spelled {
  const words: string[] = []
  const parts: string[] = []
  let from = 0
  let run: { start: number; end: number; letters: string } | undefined
  const close = () => {
    if (run && run.letters.length >= MIN_SPELLED_LETTERS && /[a-z]/.test(run.letters)) {
      const word = decodeLeet(run.letters)
      words.push(word)
      parts.push(text.slice(from, run.start), word)
      from = run.end
    }
    run = undefined
  }
  for (const { 0: token, index } of text.matchAll(/[a-z0-9@$€]+/g)) {
    const end = index + token.length
    if (token.length > 1) close()
    else if (run && index - run.end <= MAX_GAP_CHARS) run = { start: run.start, end, letters: run.letters + token }
    else {
      close()
      run = { start: index, end, letters: token }
    }
  }
  close()
  return { joined: parts.join('') + text.slice(from), words }
}

/** Reads a text as a person does who wants to: `joined` is the whole of it, `words` what was spelled letter by letter. */
export const decodeObfuscation = (text: string): Spelled => joinSpelledWords(decodeLeetWords(text))

/** The source of a pattern for `word` with a separator somewhere in it, as `ven-do`; each letter may be doubled. */
export const splitWordSource = (word: string, separator: string): string =>
  Array.from(word, (letter) => `${letter}{1,2}`).join(`(?:${separator})?`)

/** Separators that no sentence has inside of a word: not a full stop or comma, after which many people leave out the space. */
export const TIGHT_SEPARATOR = '[^a-z0-9 .,;:!?…]{1,2}'
/** Those, full stops and commas, and one space: for words whose parts are no words. */
export const ANY_SEPARATOR = '[^a-z0-9 ]{1,2}| '

/** Whether `text` has one of `words` with stars for some of its letters («p*ta»): half of them at most, and not the first. */
export function hasStarredWord(text: string, words: readonly string[]): boolean {
  if (!/[*#]/.test(text)) return false
  for (const [token] of text.matchAll(/[a-z][a-z*#]{2,11}/g)) {
    if (!/[*#]/.test(token)) continue
    const stars = token.replace(/[a-z]/g, '').length
    if (stars * 2 > token.length) continue
    const isSame = (word: string) =>
      word.length === token.length && Array.from(token).every((sign, i) => /[*#]/.test(sign) || sign === word[i])
    if (words.some(isSame)) return true
  }
  return false
}
