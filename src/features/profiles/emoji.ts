// Only for the server and tests: browsers from before the `v` flag could not even read this file.

export const EMOJI_TEXTS = {
  none: 'Elige un emoji.',
  one: 'Tiene que ser un solo emoji.',
} as const

const SINGLE_EMOJI = /^\p{RGI_Emoji}$/v
/** No emoji is longer; what is, is not worth looking at. */
export const MAX_EMOJI_CODE_UNITS = 40

const needsVariationSelector = (letter: string) => /\p{Emoji}/u.test(letter) && !/\p{Emoji_Presentation}/u.test(letter)

/** Adds the «shown as a picture» marks (U+FE0F) that keyboards leave out: «❤» is «❤️», «1⃣» is «1️⃣». */
function qualify(text: string): string {
  const letters = [...text.replace(/\p{Variation_Selector}/gu, '')]
  const toned = (next: string | undefined) => next !== undefined && /\p{Emoji_Modifier}/u.test(next)
  return letters
    .map((letter, at) => (needsVariationSelector(letter) && !toned(letters[at + 1]) ? `${letter}\uFE0F` : letter))
    .join('')
}

/**
 * The one emoji that `text` is, as Unicode recommends writing it: a flag, a keycap, a skin tone or a family is one; null
 * for anything else.
 */
export function parseEmoji(text: string): string | null {
  const given = text.trim()
  if (given.length > MAX_EMOJI_CODE_UNITS) return null
  if (SINGLE_EMOJI.test(given)) return given
  const qualified = qualify(given)
  return SINGLE_EMOJI.test(qualified) ? qualified : null
}

/** What is wrong with `text` as an emoji; null when nothing is. */
export function findEmojiProblem(text: string): string | null {
  if (text.trim() === '') return EMOJI_TEXTS.none
  return parseEmoji(text) === null ? EMOJI_TEXTS.one : null
}
