import bricolage from '#data/letters/bricolage-800.json' with { type: 'json' }
import figtree from '#data/letters/figtree-600.json' with { type: 'json' }

/** The two families, each in the one weight that pictures use. */
export type Family = 'head' | 'text'

interface FontData {
  capHeight: number
  /** By the left letter: thousandths of an em, and the letters to the right that move by them. */
  kern: Record<string, Record<string, string>>
  /** Advance in thousandths of an em, and the outline on a baseline at 0. */
  letters: Record<string, [advance: number, outline: string]>
}

const FONTS = { head: bricolage, text: figtree } as unknown as Record<Family, FontData>
/** How tight the letters stand, thousandths of an em (look/README.md, Type). */
const TRACKING: Record<Family, number> = { head: -22, text: 0 }
const ELLIPSIS = '…'

const getOwn = <T>(rows: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(rows, key) ? rows[key] : undefined

const kerningPairs = new Map<Family, Map<string, number>>()
function kerningOf(family: Family): Map<string, number> {
  const known = kerningPairs.get(family)
  if (known) return known
  const made = new Map<string, number>()
  for (const [left, row] of Object.entries(FONTS[family].kern))
    for (const [by, rights] of Object.entries(row)) for (const right of rights) made.set(left + right, Number(by))
  kerningPairs.set(family, made)
  return made
}

/**
 * What of a text can be drawn: letters that neither family has (other scripts, emojis) are left out, spaces once. Empty
 * where nothing is left, so that whoever draws says something else; an empty box never stands for a letter.
 */
export function drawableText(text: string): string {
  const known = [...text.normalize('NFC')].map((letter) =>
    /\s/u.test(letter) ? ' ' : getOwn(FONTS.head.letters, letter) && getOwn(FONTS.text.letters, letter) ? letter : '',
  )
  return known.join('').replace(/ +/g, ' ').trim()
}

/** Where each letter of a drawable text stands, thousandths of an em, and where the text ends. */
function layOutGlyphs(text: string, family: Family): { at: [letter: string, x: number][]; width: number } {
  const kern = kerningOf(family)
  const at: [string, number][] = []
  let [x, last] = [0, '']
  for (const letter of text) {
    const advance = getOwn(FONTS[family].letters, letter)?.[0]
    if (advance === undefined) continue
    if (last) x += (kern.get(last + letter) ?? 0) + TRACKING[family]
    at.push([letter, x])
    x += advance
    last = letter
  }
  return { at, width: x }
}

/** Pixels that a text takes at a size. */
export const textWidth = (text: string, family: Family, size: number): number =>
  (layOutGlyphs(text, family).width * size) / 1000

/** Pixels from the baseline to the top of a capital. */
export const capHeightOf = (family: Family, size: number): number => (FONTS[family].capHeight * size) / 1000

/** The text as outlines: no machine needs to have the font. `y` is the baseline; `x` the left end, or the right one. */
export function renderText(
  text: string,
  { x, y, size, fill, family = 'text' as Family, end = false }: TextOptions,
): string {
  const { at, width } = layOutGlyphs(text, family)
  const scale = size / 1000
  const left = end ? x - width * scale : x
  const outlines = at
    .map(([letter, dx]) => [getOwn(FONTS[family].letters, letter)![1], dx] as const)
    .filter(([outline]) => outline !== '')
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

/** The text, or as much of its beginning as fits `width` with three dots behind it. */
export function truncateToWidth(text: string, family: Family, size: number, width: number): string {
  if (textWidth(text, family, size) <= width) return text
  const letters = [...text]
  while (letters.length > 0 && textWidth(letters.join('').trimEnd() + ELLIPSIS, family, size) > width) letters.pop()
  return letters.join('').trimEnd() + ELLIPSIS
}

/** Lines no wider than `width`; a word that alone is wider is broken where it must be. */
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
 * The largest of `sizes` at which the text takes at most `most` lines without breaking a word; the smallest, broken and cut,
 * where none does. No line is ever wider than `width`.
 */
export function fitText(
  text: string,
  family: Family,
  sizes: readonly number[],
  width: number,
  most: number,
): FittedText {
  const whole = (size: number) => text.split(' ').every((word) => textWidth(word, family, size) <= width)
  for (const size of sizes) {
    const lines = wrapText(text, family, size, width)
    if (lines.length <= most && whole(size)) return { lines, size }
  }
  const size = sizes.at(-1)!
  const lines = wrapText(text, family, size, width)
  if (lines.length <= most) return { lines, size }
  const rest = lines.slice(most - 1).join(' ')
  return { lines: [...lines.slice(0, most - 1), truncateToWidth(rest, family, size, width)], size }
}
