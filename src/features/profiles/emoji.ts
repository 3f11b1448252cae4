// For the server and tests only: browsers without the `v` flag cannot parse this file.

export const EMOJI_TEXTS = {
  none: 'Elige un emoji.',
  one: 'Tiene que ser un solo emoji.',
} as const

const SINGLE_EMOJI = /^\p{RGI_Emoji}$/v
/** Longer than any emoji. */
export const MAX_EMOJI_CODE_UNITS = 40

const needsVariationSelector = (letter: string) => /\p{Emoji}/u.test(letter) && !/\p{Emoji_Presentation}/u.test(letter)

/** Adds the emoji presentation selectors (U+FE0F) that keyboards leave out: «❤» becomes «❤️», «1⃣» becomes «1️⃣». */
function qualify(text: string): string {
  const letters = [...text.replace(/\p{Variation_Selector}/gu, '')]
  const isSkinTone = (next: string | undefined) => next !== undefined && /\p{Emoji_Modifier}/u.test(next)
  return letters
    .map((letter, index) =>
      needsVariationSelector(letter) && !isSkinTone(letters[index + 1]) ? `${letter}\uFE0F` : letter,
    )
    .join('')
}

/**
 * Parses a single emoji, fully qualified as Unicode recommends; a flag, a keycap, a skin tone or a family counts as one. Null
 * for any other text.
 */
export function parseEmoji(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > MAX_EMOJI_CODE_UNITS) return null
  if (SINGLE_EMOJI.test(trimmed)) return trimmed
  const qualified = qualify(trimmed)
  return SINGLE_EMOJI.test(qualified) ? qualified : null
}

/** The Spanish error of `text` as an emoji; null for a valid one. */
export function findEmojiProblem(text: string): string | null {
  if (text.trim() === '') return EMOJI_TEXTS.none
  return parseEmoji(text) === null ? EMOJI_TEXTS.one : null
}
