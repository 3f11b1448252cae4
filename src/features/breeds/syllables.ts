/** Shorter words fit into the narrowest box of a breed's name. */
const LONG_WORD_MIN_CHARS = 9
/** Letters of a word on a line, at least. */
const PIECE_MIN_CHARS = 3

const SOFT_HYPHEN = '\u00AD'

/** A vowel, then the consonants up to the next vowel. «qu» and «gu» before e and i are one sound. */
const BETWEEN_VOWELS = /([aeiouáéíóúüy])((?:qu|gu(?=[eiéí])|[^aeiouáéíóúüy\s-])+)(?=[aeiouáéíóúüy])/gi
/** Consonants that begin a syllable together, in Spanish or in the languages that breeds are named in. */
const ONSET = /(?:sch|tch|ch|ll|rr|sh|th|ph|ck|qu|gu|[pbtdcgkfv]r|[pbcgkf]l|tl|[^aeiouáéíóúüy])$/i

/**
 * Splits a word where a line may break, by the rules of Spanish: a syllable begins with the last consonant before its vowel and
 * those pronounced with it. The first and last piece have at least three letters. Breeds are named in many languages, so the
 * dictionary of one would do no better.
 */
export function syllables(word: string): string[] {
  const cuts = [...word.matchAll(BETWEEN_VOWELS)]
    .map(({ index, 1: vowel = '', 2: consonants = '' }) => {
      const onset = ONSET.exec(consonants)?.[0] ?? ''
      return index + vowel.length + consonants.length - onset.length
    })
    .filter((at) => at >= PIECE_MIN_CHARS && at <= word.length - PIECE_MIN_CHARS)
  return [0, ...cuts].map((at, i) => word.slice(at, cuts[i] ?? word.length))
}

/** A word with one soft hyphen, at the syllable nearest its middle: more would cost too many bytes on a page of names. */
function withSoftHyphen(word: string): string {
  const ends: number[] = []
  for (const piece of syllables(word).slice(0, -1)) ends.push((ends.at(-1) ?? 0) + piece.length)
  const [at] = ends.toSorted((a, b) => Math.abs(a - word.length / 2) - Math.abs(b - word.length / 2))
  return at ? word.slice(0, at) + SOFT_HYPHEN + word.slice(at) : word
}

/** Splits a name into long words, each with a soft hyphen, and the text between them. */
export function hyphenateName(name: string): { text: string; isLong: boolean }[] {
  return name
    .split(/([^\s-]+)/)
    .filter((text) => text !== '')
    .map((text) =>
      text.length < LONG_WORD_MIN_CHARS ? { text, isLong: false } : { text: withSoftHyphen(text), isLong: true },
    )
}
