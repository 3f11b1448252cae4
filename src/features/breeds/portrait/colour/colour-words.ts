/** Spanish colour words and the coat colour each stands for. */
import portraits from '#data/portraits.json' with { type: 'json' }

/** Longer entries come first wherever one word contains another. */
const COLOUR_WORDS = Object.entries(portraits.colourWords)

export const WHITE = '#fbf7ef'
export const BLACK = '#37322f'
export const TAN = '#bd7739'

/** A coat colour word found in a description. */
export interface ColourWord {
  word: string
  colour: string
  at: number
}

/** Colour words of a description, in their order. */
export function colourWords(text: string): ColourWord[] {
  const found: ColourWord[] = []
  let rest = text
  for (const [word, colour] of COLOUR_WORDS) {
    for (let at = rest.indexOf(word); at >= 0; at = rest.indexOf(word)) {
      found.push({ word, colour, at })
      // Blanked, so that a shorter word does not match within a longer one.
      rest = rest.slice(0, at) + '_'.repeat(word.length) + rest.slice(at + word.length)
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

/** True for the brown family, whose nose and eyes are brown too. */
export const isLiver = (word: string): boolean =>
  /marr[oó]n|chocolate|h[ií]gado|habana|pardo|castaño|canela y|café/.test(word) && !/rojizo|lobo/.test(word)
