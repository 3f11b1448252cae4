import { limitCombiningMarks, truncateCharacters } from './text.ts'

/** Line breaks of any kind: a form sends CRLF, and pasted text may have others. */
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g
/**
 * Characters that nobody sees: control characters, annotation marks, the Braille blank, and what Unicode calls default ignorable
 * (bidirectional marks, zero-width characters, soft hyphens, variation selectors, fillers). The group has what stays: line feeds and
 * tabs; tags, selectors and joiners of an emoji; joiners between Arabic or Indic letters, which have a form of their own there.
 */
const INVISIBLE =
  /([\n\t]|\u{1F3F4}[\u{E0030}-\u{E007A}]{3,6}\u{E007F}|\p{Extended_Pictographic}\p{Emoji_Modifier}?[\uFE0E\uFE0F]?(?:\u200D(?=\p{Extended_Pictographic}))?|[\d#*]\uFE0F(?=\u20E3)|[\u0620-\u0DFF][\u200C\u200D](?=[\u0620-\u0DFF]))|[\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/gu
/** Blanks, and combining marks without a letter. */
const BLANK = /[\s\p{Cf}\p{M}]/gu

/** `text` without invisible characters: not even a blank is in their place. */
export const removeInvisible = (text: string): string => text.replace(INVISIBLE, '$1')

/** Line breaks beyond two in a row, with the blanks between them. */
const SPARE_BREAKS = /\n[^\S\n]*\n(?:[^\S\n]*\n)+/g

/** `text` with at most two line breaks in a row: what is stored from before may have more. */
export const collapseBreaks = (text: string): string => text.replace(SPARE_BREAKS, '\n\n')

/** Whether nothing of the text is visible. */
const isBlank = (text: string): boolean => text.replace(BLANK, '') === ''

/**
 * Typed text as it is stored: well-formed, line breaks as LF, at most two in a row, without invisible characters and piles of combining marks, trimmed;
 * '' where nothing of it is visible.
 */
export function normaliseText(typed: string): string {
  const visible = removeInvisible(typed.toWellFormed().replace(LINE_BREAK, '\n'))
  const text = collapseBreaks(limitCombiningMarks(visible)).trim()
  return isBlank(text) ? '' : text
}

/** Characters of a dog's text that are stored (docs/product.md §22.4). */
export const SANITISED_MAX_CHARS = 1000

/** The text sanitiser of docs/product.md §22.4: trim, strip < and >, cut to 1000 characters. */
export function sanitise(text: string): string {
  return normaliseText(truncateCharacters(text.trim().replace(/[<>]/g, ''), SANITISED_MAX_CHARS))
}
