import { formatCount } from '#lib/numbers.ts'
import { HEART_PATH } from '#features/years/cards.ts'
import { loadDogImage, type SvgImage } from './card-images.server.ts'
import { capHeightOf, drawableText, fitText, textWidth, truncateToWidth } from './glyphs.server.ts'
import { STICKER, type YearCardData } from './share.ts'
import { type Fan, renderFan } from './sticker.server.ts'
import { CARD_COLOURS, depthOf, renderHeading, renderHeadings, renderLine, renderWordmark } from './svg-parts.server.ts'

/** The column of everything on the picture. */
const COLUMN = { x: 72, width: STICKER.width - 144 }
/** Where the space for photos, map or bars begins and ends. */
const STAGE = { top: 356, bottom: 822 }
const FOOTER_Y = STICKER.height - 52

/** Shades of a province, from none to most. */
const MAP_COLOURS = [CARD_COLOURS.chip, '#bcd3b4', '#8bb693', '#559774', CARD_COLOURS.park] as const

const FAN_LAYOUTS: readonly Fan[] = [
  [{ x: 212, y: 372, side: 440, tilt: -2 }],
  [
    { x: 402, y: 414, side: 372, tilt: 4 },
    { x: 92, y: 384, side: 372, tilt: -5 },
  ],
  [
    { x: 494, y: 390, side: 300, tilt: 6 },
    { x: 74, y: 384, side: 300, tilt: -7 },
    { x: 260, y: 452, side: 344, tilt: -1 },
  ],
]

function renderMap({ width, height, shapes }: NonNullable<YearCardData['map']>): string {
  const scale = Math.min(COLUMN.width / width, (STAGE.bottom - STAGE.top) / height)
  const x = (STICKER.width - width * scale) / 2
  const paths = shapes.map(({ d, level }) => `<path fill="${MAP_COLOURS[level] ?? CARD_COLOURS.park}" d="${d}"/>`)
  return `<g transform="translate(${x.toFixed(1)} ${STAGE.top}) scale(${scale.toFixed(3)})" stroke="#9a8672" stroke-width=".7" stroke-linejoin="round">${paths.join('')}</g>`
}

function renderRows(rows: YearCardData['rows']): string {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const step = Math.min(92, (STAGE.bottom - STAGE.top) / rows.length)
  return rows
    .map(({ label, count }, i) => {
      const y = STAGE.top + 36 + i * step
      const figure = formatCount(count)
      const labelWidth = COLUMN.width - textWidth(figure, 'head', 34) - 24
      const shown = truncateToWidth(drawableText(label), 'text', 32, labelWidth)
      return (
        renderLine(shown, COLUMN.x, y, 32, { fill: CARD_COLOURS.ink }) +
        renderHeading(figure, COLUMN.x + COLUMN.width, y, 34, { end: true }) +
        `<rect x="${COLUMN.x}" y="${y + 16}" width="${Math.max(10, (COLUMN.width * count) / most).toFixed(1)}" height="16" rx="8" fill="${CARD_COLOURS.park}"/>`
      )
    })
    .join('')
}

const renderHeart = (): string =>
  `<path transform="translate(${STICKER.width / 2 - 168} ${STAGE.top + 50}) scale(14)" fill="${CARD_COLOURS.collarSoft}" stroke="${CARD_COLOURS.collar}" stroke-width="1.2" d="${HEART_PATH}"/>`

/** Renders the map, the bars or the photos, whichever the card has. */
async function renderStage(data: YearCardData, motifs: readonly SvgImage[]): Promise<string> {
  if (data.map) return renderMap(data.map)
  if (data.rows.length > 0) return renderRows(data.rows)
  if (motifs.length > 0) return renderFan(FAN_LAYOUTS, motifs, 16)
  return data.name === 'fan' ? renderHeart() : ''
}

/** Renders a card of a member's year, portrait for phones. @returns the content of an SVG */
export async function renderYearCard(data: YearCardData, dataDir: string): Promise<string> {
  const motifs = await Promise.all(
    data.photos.map(({ photo, breedSlug }) => loadDogImage(dataDir, photo, breedSlug, 440)),
  )
  const title = fitText(drawableText(data.title), 'head', [46, 42, 38], COLUMN.width, 2)
  const figure = fitText(drawableText(data.figure) || 'Perrario', 'head', [150, 120, 96, 76, 60], COLUMN.width, 1)
  const text = fitText(drawableText(data.text), 'text', [36, 33, 30], COLUMN.width, 3)
  const top = 76 + capHeightOf('head', title.size)
  // In the middle between the title and the stage.
  const figureY = (top + depthOf(title, 1.1) + STAGE.top) / 2 + capHeightOf('head', figure.size) / 2
  const isBare = !data.map && data.rows.length === 0 && motifs.length === 0 && data.name !== 'fan'
  const textY = isBare ? STAGE.top + 90 : 880
  return (
    renderHeadings(title, COLUMN.x, top, 1.1) +
    renderHeading(figure.lines[0] ?? '', COLUMN.x, figureY, figure.size, { fill: CARD_COLOURS.collar }) +
    (await renderStage(data, motifs)) +
    text.lines
      .map((words, i) =>
        renderLine(words, COLUMN.x, textY + i * text.size * 1.22, text.size, { fill: CARD_COLOURS.ink }),
      )
      .join('') +
    renderWordmark(COLUMN.x, FOOTER_Y, 44) +
    renderHeading(String(data.year), COLUMN.x + COLUMN.width, FOOTER_Y, 36, { fill: CARD_COLOURS.soft, end: true })
  )
}
