// Only for the server and tests: browsers from before the `v` flag could not even read this file.

export const EMOJI_TEXTS = {
  none: 'Elige un emoji.',
  one: 'Tiene que ser un solo emoji.',
} as const

const ONE = /^\p{RGI_Emoji}$/v
/** No emoji is longer; what is, is not worth looking at. */
export const EMOJI_LENGTH_MAX = 40

const isPicture = (letter: string) => /\p{Emoji}/u.test(letter) && !/\p{Emoji_Presentation}/u.test(letter)

/** Adds the «shown as a picture» marks (U+FE0F) that keyboards leave out: «❤» is «❤️», «1⃣» is «1️⃣». */
function qualify(text: string): string {
  const letters = [...text.replace(/\p{Variation_Selector}/gu, '')]
  const toned = (next: string | undefined) => next !== undefined && /\p{Emoji_Modifier}/u.test(next)
  return letters
    .map((letter, at) => (isPicture(letter) && !toned(letters[at + 1]) ? `${letter}\uFE0F` : letter))
    .join('')
}

/**
 * The one emoji that `text` is, as Unicode recommends writing it: a flag, a keycap, a skin tone or a family is one; null
 * for anything else.
 */
export function oneEmoji(text: string): string | null {
  const given = text.trim()
  if (given.length > EMOJI_LENGTH_MAX) return null
  if (ONE.test(given)) return given
  const qualified = qualify(given)
  return ONE.test(qualified) ? qualified : null
}

/** What is wrong with `text` as an emoji; null when nothing is. */
export function emojiProblem(text: string): string | null {
  if (text.trim() === '') return EMOJI_TEXTS.none
  return oneEmoji(text) === null ? EMOJI_TEXTS.one : null
}
