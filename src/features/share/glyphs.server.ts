import bricolage from '#data/letters/bricolage-800.json' with { type: 'json' }
import figtree from '#data/letters/figtree-600.json' with { type: 'json' }

/** The two families, each in the one weight that pictures use. */
export type Family = 'head' | 'text'

interface FontData {
  capHeight: number
  /** Kerning by the left letter and the right one, in thousandths of an em. */
  kern: Record<string, Record<string, number>>
  /** Advance in thousandths of an em, and the outline on a baseline at 0. */
  letters: Record<string, [advance: number, outline: string]>
}

const FONTS = { head: bricolage, text: figtree } as unknown as Record<Family, FontData>
/** Letter spacing in thousandths of an em (look/README.md, Type). */
const TRACKING: Record<Family, number> = { head: -22, text: 0 }
const ELLIPSIS = '…'

const getOwn = <T>(rows: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(rows, key) ? rows[key] : undefined

/**
 * The part of a text that has glyphs in both families: other characters (other scripts, emojis) are removed and spaces
 * collapsed. Empty where nothing is left, and the caller draws something else.
 */
export function drawableText(text: string): string {
  const drawable = [...text.normalize('NFC')].map((letter) =>
    /\s/u.test(letter) ? ' ' : getOwn(FONTS.head.letters, letter) && getOwn(FONTS.text.letters, letter) ? letter : '',
  )
  return drawable.join('').replace(/ +/g, ' ').trim()
}

/** The position of each letter of a drawable text, and its width, in thousandths of an em. */
function layOutGlyphs(text: string, family: Family): { at: [letter: string, x: number][]; width: number } {
  const { kern, letters } = FONTS[family]
  const at: [string, number][] = []
  let [x, last] = [0, '']
  for (const letter of text) {
    const advance = getOwn(letters, letter)?.[0]
    if (advance === undefined) continue
    if (last) x += (getOwn(getOwn(kern, last) ?? {}, letter) ?? 0) + TRACKING[family]
    at.push([letter, x])
    x += advance
    last = letter
  }
  return { at, width: x }
}

/** The width of a text in pixels. */
export const textWidth = (text: string, family: Family, size: number): number =>
  (layOutGlyphs(text, family).width * size) / 1000

/** Pixels from the baseline to the top of a capital. */
export const capHeightOf = (family: Family, size: number): number => (FONTS[family].capHeight * size) / 1000

/** Renders text as outlines, so that no font needs to be installed. `y` is the baseline, `x` the left end, or with `end` the right. */
export function renderText(
  text: string,
  { x, y, size, fill, family = 'text' as Family, end = false }: TextOptions,
): string {
  const { at, width } = layOutGlyphs(text, family)
  const scale = size / 1000
  const left = end ? x - width * scale : x
  const outlines = at
    .map(([letter, dx]) => [getOwn(FONTS[family].letters, letter)?.[1], dx] as const)
    .filter(([outline]) => outline)
    .map(([outline, dx]) => `<path transform="translate(${dx} 0)" d="${outline}"/>`)
  return `<g fill="${fill}" transform="translate(${left.toFixed(1)} ${y.toFixed(1)}) scale(${scale})">${outlines.join('')}</g>`
}

interface TextOptions {
  x: number
  y: number
  size: number
  fill: string
  family?: Family
  end?: boolean
}

/** The text, or as much of its beginning as fits `width` with an ellipsis. */
export function truncateToWidth(text: string, family: Family, size: number, width: number): string {
  if (textWidth(text, family, size) <= width) return text
  const letters = [...text]
  while (letters.length > 0 && textWidth(letters.join('').trimEnd() + ELLIPSIS, family, size) > width) letters.pop()
  return letters.join('').trimEnd() + ELLIPSIS
}

/** Wraps text into lines of at most `width`; a wider word is broken. */
function wrapText(text: string, family: Family, size: number, width: number): string[] {
  const fits = (line: string) => textWidth(line, family, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) lines.push(line)
    line = ''
    for (const letter of word) {
      if (line && !fits(line + letter)) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return line ? [...lines, line] : lines
}

export interface FittedText {
  lines: string[]
  size: number
}

/**
 * The largest of `sizes` at which the text has at most `maxLines` lines without breaking a word; else the smallest, with
 * broken words and truncated. No line is wider than `width`.
 */
export function fitText(
  text: string,
  family: Family,
  sizes: readonly number[],
  width: number,
  maxLines: number,
): FittedText {
  const fitsWithoutBreaks = (size: number) => text.split(' ').every((word) => textWidth(word, family, size) <= width)
  for (const size of sizes) {
    const lines = wrapText(text, family, size, width)
    if (lines.length <= maxLines && fitsWithoutBreaks(size)) return { lines, size }
  }
  const size = sizes.at(-1)!
  const lines = wrapText(text, family, size, width)
  if (lines.length <= maxLines) return { lines, size }
  const rest = lines.slice(maxLines - 1).join(' ')
  return { lines: [...lines.slice(0, maxLines - 1), truncateToWidth(rest, family, size, width)], size }
}
