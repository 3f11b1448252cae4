import { drawableText, fitText, capHeightOf, truncateToWidth, textWidth, renderText } from './glyphs.server.ts'
import {
  renderChip,
  renderBackground,
  renderIcon,
  CARD_COLOURS,
  renderWantedBand,
  renderWordmark,
} from './svg-parts.server.ts'
import { loadDogImage } from './card-images.server.ts'
import { renderSeal, renderSticker } from './sticker.server.ts'
import { CARD, type DogCardData, STICKER, CARD_TEXTS } from './share.ts'

/** The column of text on a link preview, right of the sticker. */
export const TEXT_COLUMN = { x: 610, width: 530 }
const NAMELESS = 'Un perro'

/** The name as far as its glyphs exist. A name in another script, or of emojis alone, is replaced by the breed. */
const drawableName = (data: DogCardData): string => drawableText(data.name) || drawableText(data.breed) || NAMELESS

/** The footer of every link preview. */
export const renderFooter = (): string =>
  renderWordmark(TEXT_COLUMN.x, 560, 40) +
  renderText(CARD_TEXTS.slogan, {
    x: TEXT_COLUMN.x + TEXT_COLUMN.width,
    y: 558,
    size: 24,
    fill: CARD_COLOURS.soft,
    end: true,
  })

/** Renders a dog's link preview: its sticker on the left, its data on the right. @returns the content of an SVG */
export async function renderDogCard(data: DogCardData, dataDir: string): Promise<string> {
  const { lost } = data
  // Below the band of a lost dog everything has less height.
  const box = lost ? { x: 88, y: 130, width: 444, height: 444 } : { x: 74, y: 74, width: 472, height: 472 }
  const centre = lost ? 318 : 286
  const motif = await loadDogImage(dataDir, data.photo, data.breedSlug, box.width - 40)
  const name = fitText(
    drawableName(data),
    'head',
    lost ? [88, 76, 66, 56] : [112, 100, 88, 76, 66, 56],
    TEXT_COLUMN.width,
    2,
  )
  const zone = drawableText(lost?.zone ?? data.zone ?? '')
  const facts = [data.age, data.weight].filter(Boolean).join(' · ')
  const leading = name.size * 0.98
  // The breed has a line of its own, unless it replaces the name.
  const hasOwnLine = drawableText(data.name) !== '' && drawableText(data.breed) !== ''
  // Name, breed, facts and zone are one block, centred above the footer.
  const heights = [
    capHeightOf('head', name.size) + (name.lines.length - 1) * leading,
    hasOwnLine ? 30 + 51 : 16,
    facts ? 26 + 30 : 0,
    zone ? 24 + 28 : 0,
  ]
  let y = centre - heights.reduce((sum, height) => sum + height, 0) / 2 + capHeightOf('head', name.size)
  const parts = name.lines.map((line, i) =>
    renderText(line, { x: TEXT_COLUMN.x, y: y + i * leading, size: name.size, family: 'head', fill: CARD_COLOURS.ink }),
  )
  y += (name.lines.length - 1) * leading + (hasOwnLine ? 30 : 16)
  if (hasOwnLine) parts.push(renderChip(drawableText(data.breed), TEXT_COLUMN.x, y, 30, TEXT_COLUMN.width).svg)
  y += hasOwnLine ? 51 : 0
  if (facts) parts.push(renderText(facts, { x: TEXT_COLUMN.x, y: (y += 26 + 26), size: 36, fill: CARD_COLOURS.ink }))
  if (zone) {
    parts.push(renderIcon('pin', TEXT_COLUMN.x, (y += 24) - 2, 32, CARD_COLOURS.soft))
    parts.push(
      renderText(truncateToWidth(zone, 'text', 32, TEXT_COLUMN.width - 44), {
        x: TEXT_COLUMN.x + 44,
        y: y + 26,
        size: 32,
        fill: CARD_COLOURS.soft,
      }),
    )
  }
  const picture = await renderSticker({ box, edge: 20, style: data.style, frame: data.frame, motif, tilt: -2 })
  const mark = data.style
    ? `<g transform="rotate(-2 310 ${box.y + box.height / 2})">${renderSeal(data.style, box.x + box.width - 30, box.y + 2, 24)}</g>`
    : ''
  const band = lost ? renderWantedBand(CARD_TEXTS.wanted, `desde el ${lost.since}`, CARD.width) : ''
  return renderBackground(CARD.width, CARD.height) + picture + mark + band + parts.join('') + renderFooter()
}

/** Renders a dog's sticker for download. @returns the content of an SVG */
export async function renderStickerCard(data: DogCardData, dataDir: string): Promise<string> {
  const [width, edge] = [714, 32]
  const x = (STICKER.width - width) / 2
  const inner = { x: x + edge + 14, width: width - 2 * edge - 28 }
  const age = data.age ?? ''
  const ageWidth = textWidth(age, 'text', 36)
  const name = fitText(drawableName(data), 'head', [76, 66, 56, 48], inner.width - (age ? ageWidth + 28 : 0), 2)
  const leading = name.size * 1.02
  const nameHeight = capHeightOf('head', name.size) + (name.lines.length - 1) * leading
  const height = edge + (width - 2 * edge) + 40 + nameHeight + 38 + 58 + 40
  const box = { x, y: (STICKER.height - 70 - height) / 2 + 6, width, height }
  const motif = await loadDogImage(dataDir, data.photo, data.breedSlug, width - 2 * edge)
  const baseline = box.y + edge + (width - 2 * edge) + 40 + capHeightOf('head', name.size)
  const row = baseline + (name.lines.length - 1) * leading + 38
  const soft = data.style ? CARD_COLOURS.chipInk : '#5f4f42'
  const zone = drawableText(data.zone ?? '')
  // The breed gets its share of the row, and what a short zone leaves.
  const zoneMaxWidth = zone ? textWidth(zone, 'text', 34) + 28 + 44 : 0
  const breedMaxWidth = Math.max(inner.width * 0.56, inner.width - zoneMaxWidth)
  const breedFill = data.style ? '#ffffffb8' : CARD_COLOURS.chip
  const breed = renderChip(drawableText(data.breed) || NAMELESS, inner.x, row, 34, breedMaxWidth, breedFill)
  const zoneText = zone && truncateToWidth(zone, 'text', 34, inner.width - breed.width - 28 - 44)
  const zoneX = inner.x + inner.width - textWidth(zoneText, 'text', 34)
  const parts = [
    await renderSticker({ box, edge, style: data.style, frame: data.frame, motif }),
    data.style ? renderSeal(data.style, box.x + width - 50, box.y + 2, 30) : '',
    ...name.lines.map((line, i) =>
      renderText(line, {
        x: inner.x,
        y: baseline + i * leading,
        size: name.size,
        family: 'head',
        fill: CARD_COLOURS.ink,
      }),
    ),
    age && renderText(age, { x: inner.x + inner.width, y: baseline, size: 36, fill: soft, end: true }),
    breed.svg,
    zoneText &&
      renderIcon('pin', zoneX - 42, row + 12, 34, soft) +
        renderText(zoneText, { x: zoneX, y: row + 29 + capHeightOf('text', 34) / 2, size: 34, fill: soft }),
  ]
  const mark = textWidth('Perrario', 'head', 44)
  return (
    renderBackground(STICKER.width, STICKER.height) +
    parts.join('') +
    renderWordmark((STICKER.width - mark - 32) / 2, STICKER.height - 36, 44)
  )
}
