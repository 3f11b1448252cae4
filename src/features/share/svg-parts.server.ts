import { capHeightOf, type FittedText, truncateToWidth, textWidth, renderText } from './glyphs.server.ts'
import { CARD, CARD_TEXTS } from './share.ts'

/** The light theme's tokens (ui/styles/tokens.css) as hex, which librsvg reads. Pictures in chats have no dark theme. */
export const CARD_COLOURS = {
  paper: '#fcf5e9',
  dot: '#8c7d6d',
  ink: '#2e2118',
  soft: '#655447',
  line: '#e0d6c6',
  collar: '#ca341c',
  collarSoft: '#ffe9e3',
  sticker: '#ffffff',
  edge: '#33251c',
  chip: '#f5ead5',
  chipInk: '#473322',
  shade: '#6a4f39',
  sealInk: '#2c1e13',
  park: '#1d754c',
  sun: '#f7c747',
  sunEdge: '#d79f14',
  sunInk: '#492b00',
} as const

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface LineOptions {
  fill?: string
  /** `x` is the right end. */
  end?: boolean
}

/** A line in the family of headings; `y` is the baseline. */
export const renderHeading = (text: string, x: number, y: number, size: number, options: LineOptions = {}): string =>
  renderText(text, { x, y, size, family: 'head', fill: CARD_COLOURS.ink, ...options })

/** A line in the family of texts; `y` is the baseline. */
export const renderLine = (text: string, x: number, y: number, size: number, options: LineOptions = {}): string =>
  renderText(text, { x, y, size, fill: CARD_COLOURS.soft, ...options })

/** The lines of a heading; `y` is the first baseline, `leading` in units of the size. */
export const renderHeadings = ({ lines, size }: FittedText, x: number, y: number, leading: number): string =>
  lines.map((line, i) => renderHeading(line, x, y + i * size * leading, size)).join('')

/** From the first baseline to the last one. */
export const depthOf = ({ lines, size }: FittedText, leading: number): number => (lines.length - 1) * size * leading

/** The background of all pictures: dotted paper. */
export const renderBackground = (width: number, height: number): string =>
  `<defs><pattern id="dots" width="22" height="22" patternUnits="userSpaceOnUse"><circle cx="11" cy="11" r="1.5" fill="${CARD_COLOURS.dot}" fill-opacity=".16"/></pattern></defs>` +
  `<path fill="${CARD_COLOURS.paper}" d="M0 0h${width}v${height}H0z"/><path fill="url(#dots)" d="M0 0h${width}v${height}H0z"/>`

/** Place and size as SVG attributes. */
export const boxAttributes = ({ x, y, width, height }: Box): string =>
  `x="${x}" y="${y}" width="${width}" height="${height}"`

/** A rectangle. @param rest its other attributes */
export const renderRect = (box: Box, rest: string): string => `<rect ${boxAttributes(box)} ${rest}/>`

/** A soft shadow from a few faint rectangles: a blur would cost as much as all the rest of the picture. */
export function renderShadow({ x, y, width, height }: Box, radius: number): string {
  const sheets = Array.from({ length: 9 }, (_, i) => {
    const grow = 14 - i * 3.4
    const at = `x="${x - grow}" y="${y + 14 - grow * 0.6}" width="${width + 2 * grow}" height="${height + 2 * grow}"`
    return `<rect ${at} rx="${radius + Math.max(0, grow)}"/>`
  })
  return `<g fill="${CARD_COLOURS.shade}" fill-opacity=".035">${sheets.join('')}</g>`
}

/** Outline icons of lucide (ISC), 24 units wide, drawn with 2. */
const ICONS = {
  pin: '<path d="M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0"/><circle cx="12" cy="10" r="3"/>',
  holo: '<path d="M11.017 2.814a1 1 0 0 1 1.966 0l1.051 5.558a2 2 0 0 0 1.594 1.594l5.558 1.051a1 1 0 0 1 0 1.966l-5.558 1.051a2 2 0 0 0-1.594 1.594l-1.051 5.558a1 1 0 0 1-1.966 0l-1.051-5.558a2 2 0 0 0-1.594-1.594l-5.558-1.051a1 1 0 0 1 0-1.966l5.558-1.051a2 2 0 0 0 1.594-1.594zM20 2v4M22 4h-4"/><circle cx="4" cy="20" r="2"/>',
  platinum:
    '<path d="M11.525 2.295a.53.53 0 0 1 .95 0l2.31 4.679a2.123 2.123 0 0 0 1.595 1.16l5.166.756a.53.53 0 0 1 .294.904l-3.736 3.638a2.123 2.123 0 0 0-.611 1.878l.882 5.14a.53.53 0 0 1-.771.56l-4.618-2.428a2.122 2.122 0 0 0-1.973 0L6.396 21.01a.53.53 0 0 1-.77-.56l.881-5.139a2.122 2.122 0 0 0-.611-1.879L2.16 9.795a.53.53 0 0 1 .294-.906l5.165-.755a2.122 2.122 0 0 0 1.597-1.16z"/>',
  verified:
    '<path d="M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76Z"/><path d="m16 9-5.5 5.5L8 12"/>',
  paw: '<circle cx="11" cy="4" r="2"/><circle cx="18" cy="8" r="2"/><circle cx="20" cy="16" r="2"/><path d="M9 10a5 5 0 0 1 5 5v3.5a3.5 3.5 0 0 1-6.84 1.045Q6.52 17.48 4.46 16.84A3.5 3.5 0 0 1 5.5 10Z"/>',
  bone: '<path d="M17 10c.7-.7 1.69 0 2.5 0a2.5 2.5 0 1 0 0-5 .5.5 0 0 1-.5-.5 2.5 2.5 0 1 0-5 0c0 .81.7 1.8 0 2.5l-7 7c-.7.7-1.69 0-2.5 0a2.5 2.5 0 0 0 0 5c.28 0 .5.22.5.5a2.5 2.5 0 1 0 5 0c0-.81-.7-1.8 0-2.5Z"/>',
} as const

export const renderIcon = (
  name: keyof typeof ICONS,
  x: number,
  y: number,
  size: number,
  stroke: string,
  fill = 'none',
): string =>
  `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size / 24})" fill="${fill}" stroke="${stroke}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${ICONS[name]}</g>`

/** «Perrario» and the dot of its collar, the dot in its ring; `y` is the baseline. */
export function renderWordmark(x: number, y: number, size: number): string {
  const width = textWidth('Perrario', 'head', size)
  const [cx, cy, r] = [x + width + size * 0.5, y - size * 0.3, size * 0.23]
  return (
    renderHeading('Perrario', x, y, size) +
    `<circle cx="${cx}" cy="${cy}" r="${r * 1.5}" fill="${CARD_COLOURS.collarSoft}"/><circle cx="${cx}" cy="${cy}" r="${r}" fill="${CARD_COLOURS.collar}"/>`
  )
}

/** The red band along the upper edge of a link preview, 96 pixels high. @param note its right end, empty for none */
export const renderWantedBand = (note: string): string =>
  `<path fill="${CARD_COLOURS.collar}" d="M0 0h${CARD.width}v96H0z"/>` +
  renderHeading(CARD_TEXTS.wanted, 74, 48 + capHeightOf('head', 62) / 2, 62, { fill: '#fff' }) +
  renderLine(note, CARD.width - 60, 48 + capHeightOf('text', 34) / 2, 34, { fill: '#fff', end: true })

/** The column of text on a link preview, right of the sticker. */
export const TEXT_COLUMN = { x: 610, width: 530 }

/** The footer of a link preview. */
export const renderFooter = (): string =>
  renderWordmark(TEXT_COLUMN.x, 560, 40) +
  renderLine(CARD_TEXTS.slogan, TEXT_COLUMN.x + TEXT_COLUMN.width, 558, 24, { end: true })

/** A line of text in a rounded box, no wider than `maxWidth`. */
export function renderChip(
  text: string,
  x: number,
  y: number,
  size: number,
  maxWidth: number,
  fill: string = CARD_COLOURS.chip,
): { svg: string; width: number } {
  const pad = size * 0.7
  const shown = truncateToWidth(text, 'text', size, maxWidth - 2 * pad)
  const [width, height] = [textWidth(shown, 'text', size) + 2 * pad, size * 1.7]
  const baseline = y + height / 2 + capHeightOf('text', size) / 2
  return {
    width,
    svg:
      `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${height}" rx="${height / 2}" fill="${fill}"/>` +
      renderLine(shown, x + pad, baseline, size, { fill: CARD_COLOURS.chipInk }),
  }
}
