/** Shorter words fit into the narrowest place that a breed's name stands in. */
const LONG_WORD_MIN_CHARS = 9
/** A line has no fewer letters of a word than these. */
const PIECE_MIN_CHARS = 3

const SOFT_HYPHEN = '\u00AD'

/** A vowel or several, then the consonants up to the next vowel. «qu» and «gu» before e and i are one sound. */
const BETWEEN_VOWELS = /([aeiouáéíóúüy])((?:qu|gu(?=[eiéí])|[^aeiouáéíóúüy\s-])+)(?=[aeiouáéíóúüy])/gi
/** Consonants that begin a syllable together, in Spanish or in the languages that breeds are named in. */
const ONSET = /(?:sch|tch|ch|ll|rr|sh|th|ph|ck|qu|gu|[pbtdcgkfv]r|[pbcgkf]l|tl|[^aeiouáéíóúüy])$/i

/**
 * A word in pieces between which a line may end, by the rules of Spanish: a syllable takes the last consonant before its
 * vowel, and those that are spoken with it. No piece at an end is shorter than three letters. Breeds are named in many
 * languages, for which the dictionary of one knows no better.
 */
export function syllables(word: string): string[] {
  const cuts = [...word.matchAll(BETWEEN_VOWELS)]
    .map(({ index, 1: vowel, 2: consonants }) => {
      const onset = ONSET.exec(consonants!)?.[0] ?? ''
      return index + vowel!.length + consonants!.length - onset.length
    })
    .filter((at) => at >= PIECE_MIN_CHARS && at <= word.length - PIECE_MIN_CHARS)
  return [0, ...cuts].map((at, i) => word.slice(at, cuts[i] ?? word.length))
}

/** A word with a soft hyphen between the syllables in its middle: a page of names has no bytes for more. */
function withSoftHyphen(word: string): string {
  const ends: number[] = []
  for (const piece of syllables(word).slice(0, -1)) ends.push((ends.at(-1) ?? 0) + piece.length)
  const [at] = ends.toSorted((a, b) => Math.abs(a - word.length / 2) - Math.abs(b - word.length / 2))
  return at ? word.slice(0, at) + SOFT_HYPHEN + word.slice(at) : word
}

/** A name in stretches: long words, with a soft hyphen in each, and what stands between them. */
export function hyphenateName(name: string): { text: string; long: boolean }[] {
  return name
    .split(/([^\s-]+)/)
    .filter((text) => text !== '')
    .map((text) =>
      text.length < LONG_WORD_MIN_CHARS ? { text, long: false } : { text: withSoftHyphen(text), long: true },
    )
}
