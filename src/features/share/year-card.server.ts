import { formatCount } from '#lib/numbers.ts'
import { HEART_PATH } from '#features/years/cards.ts'
import { loadDogImage, type SvgImage } from './card-images.server.ts'
import { capHeightOf, drawableText, fitText, renderText, textWidth, truncateToWidth } from './glyphs.server.ts'
import { renderSticker } from './sticker.server.ts'
import { CARD_COLOURS, renderBackground, renderWordmark } from './svg-parts.server.ts'
import { STICKER, type YearCardData } from './share.ts'

/** The column of everything on the picture. */
const COLUMN = { x: 72, width: STICKER.width - 144 }
/** Where the space for photos, map or bars begins and ends. */
const STAGE = { top: 356, bottom: 822 }
const FOOTER_Y = STICKER.height - 52

/** Shades of a province, from none to most. */
const MAP_COLOURS = [CARD_COLOURS.chip, '#bcd3b4', '#8bb693', '#559774', CARD_COLOURS.park] as const

/** One, two or three stickers, the first on top. */
const STICKERS = [
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
] as const

async function renderPhotos(motifs: readonly SvgImage[]): Promise<string> {
  const places = STICKERS[motifs.length - 1] ?? []
  const rendered = places.map(({ x, y, side, tilt }, i) =>
    renderSticker({
      box: { x, y, width: side, height: side },
      edge: 16,
      style: null,
      motif: motifs[motifs.length - 1 - i]!,
      id: `s${i}`,
      tilt,
    }),
  )
  return (await Promise.all(rendered)).join('')
}

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
      return (
        renderText(truncateToWidth(drawableText(label), 'text', 32, labelWidth), {
          x: COLUMN.x,
          y,
          size: 32,
          fill: CARD_COLOURS.ink,
        }) +
        renderText(figure, {
          x: COLUMN.x + COLUMN.width,
          y,
          size: 34,
          family: 'head',
          fill: CARD_COLOURS.ink,
          end: true,
        }) +
        `<rect x="${COLUMN.x}" y="${y + 16}" width="${Math.max(10, (COLUMN.width * count) / most).toFixed(1)}" height="16" rx="8" fill="${CARD_COLOURS.park}"/>`
      )
    })
    .join('')
}

const renderHeart = (): string =>
  `<path transform="translate(${STICKER.width / 2 - 168} ${STAGE.top + 50}) scale(14)" fill="${CARD_COLOURS.collarSoft}" stroke="${CARD_COLOURS.collar}" stroke-width="1.2" d="${HEART_PATH}"/>`

/** Renders a card of a member's year, portrait for phones. @returns the content of an SVG */
export async function renderYearCard(data: YearCardData, dataDir: string): Promise<string> {
  const motifs = await Promise.all(
    data.photos.map(({ photo, breedSlug }) => loadDogImage(dataDir, photo, breedSlug, 440)),
  )
  const title = fitText(drawableText(data.title), 'head', [46, 42, 38], COLUMN.width, 2)
  const figure = fitText(drawableText(data.figure) || 'Perrario', 'head', [150, 120, 96, 76, 60], COLUMN.width, 1)
  const text = fitText(drawableText(data.text), 'text', [36, 33, 30], COLUMN.width, 3)
  let y = 76 + capHeightOf('head', title.size)
  const parts = title.lines.map((line, i) =>
    renderText(line, {
      x: COLUMN.x,
      y: y + i * title.size * 1.1,
      size: title.size,
      family: 'head',
      fill: CARD_COLOURS.ink,
    }),
  )
  y += (title.lines.length - 1) * title.size * 1.1
  // In the middle between the title and the stage.
  const figureY = (y + STAGE.top) / 2 + capHeightOf('head', figure.size) / 2
  const [line = ''] = figure.lines
  parts.push(
    renderText(line, { x: COLUMN.x, y: figureY, size: figure.size, family: 'head', fill: CARD_COLOURS.collar }),
  )
  if (data.map) parts.push(renderMap(data.map))
  else if (data.rows.length > 0) parts.push(renderRows(data.rows))
  else if (motifs.length > 0) parts.push(await renderPhotos(motifs))
  else if (data.name === 'fan') parts.push(renderHeart())
  const isBare = !data.map && data.rows.length === 0 && motifs.length === 0 && data.name !== 'fan'
  const textY = isBare ? STAGE.top + 90 : 880
  parts.push(
    ...text.lines.map((words, i) =>
      renderText(words, { x: COLUMN.x, y: textY + i * text.size * 1.22, size: text.size, fill: CARD_COLOURS.ink }),
    ),
  )
  return (
    renderBackground(STICKER.width, STICKER.height) +
    parts.join('') +
    renderWordmark(COLUMN.x, FOOTER_Y, 44) +
    renderText(String(data.year), {
      x: COLUMN.x + COLUMN.width,
      y: FOOTER_Y,
      size: 36,
      family: 'head',
      fill: CARD_COLOURS.soft,
      end: true,
    })
  )
}
