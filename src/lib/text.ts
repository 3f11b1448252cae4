const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })

/** How many characters a person would count: a flag, a family emoji or «é» is one. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

/** The first `limit` characters as a person counts them; never cuts an emoji in two. */
export function cutCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text
  let count = 0
  for (const { index } of graphemes.segment(text)) if (count++ === limit) return text.slice(0, index)
  return text
}

/** Control characters (line breaks and tabs are text), and those that turn the direction of all that follows. */
const UNSEEN = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu
/** Blanks and marks without a shape. */
const SHAPELESS = /[\s\p{Cf}\p{Z}\p{Variation_Selector}\u115F\u1160\u2800\u3164\uFFA0]/gu

/** Without the characters that nobody types and nobody sees. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, (c) => (c === '\n' || c === '\t' ? c : ''))

/** A text of which nothing would be seen says nothing. */
export const isShapeless = (text: string): boolean => text.replace(SHAPELESS, '') === ''

/** The longest text of a dog that is kept (spec.md §5, text sanitiser). */
export const SANITISED_LIMIT = 1000

/** The text sanitiser of spec.md §5: trim, strip < and >, cut to 1000 characters. */
export function sanitise(text: string): string {
  return cutCharacters(text.trim().replace(/[<>]/g, ''), SANITISED_LIMIT)
}

/** Lower case without accents, for comparing as a person does who does not type accents. `ñ` becomes `n`. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
