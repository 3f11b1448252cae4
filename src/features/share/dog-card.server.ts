import { loadDogImage } from './card-images.server.ts'
import { capHeightOf, drawableText, fitText, textWidth, truncateToWidth } from './glyphs.server.ts'
import { type DogCardData, STICKER } from './share.ts'
import { renderSeal, renderSticker } from './sticker.server.ts'
import {
  CARD_COLOURS,
  depthOf,
  renderChip,
  renderFooter,
  renderHeadings,
  renderIcon,
  renderLine,
  renderWantedBand,
  renderWordmark,
  TEXT_COLUMN,
} from './svg-parts.server.ts'

const NAMELESS = 'Un perro'

/** The name as far as its glyphs exist. A name in another script, or of emojis alone, is replaced by the breed. */
const drawableName = (data: DogCardData): string => drawableText(data.name) || drawableText(data.breed) || NAMELESS

/** Renders a dog's link preview: its sticker on the left, its data on the right. @returns the content of an SVG */
export async function renderDogCard(data: DogCardData, dataDir: string): Promise<string> {
  const { lost, style, frame } = data
  const { x, width } = TEXT_COLUMN
  // Below the band of a lost dog everything has less height.
  const box = lost ? { x: 88, y: 130, width: 444, height: 444 } : { x: 74, y: 74, width: 472, height: 472 }
  const motif = await loadDogImage(dataDir, data.photo, data.breedSlug, box.width - 40)
  const sizes = lost ? [88, 76, 66, 56] : [112, 100, 88, 76, 66, 56]
  const name = fitText(drawableName(data), 'head', sizes, width, 2)
  const breed = drawableText(data.name) && drawableText(data.breed)
  const facts = [data.age, data.weight].filter(Boolean).join(' · ')
  const zone = drawableText(lost?.zone ?? data.zone ?? '')
  // Name, breed (unless it replaces the name), facts and zone are one block, centred above the footer.
  const capHeight = capHeightOf('head', name.size)
  const below = (breed ? 81 : 16) + (facts ? 56 : 0) + (zone ? 52 : 0)
  const top = (lost ? 318 : 286) - (capHeight + depthOf(name, 0.98) + below) / 2 + capHeight
  let y = top + depthOf(name, 0.98) + (breed ? 30 : 16)
  const parts = [renderHeadings(name, x, top, 0.98)]
  if (breed) parts.push(renderChip(breed, x, y, 30, width).svg)
  if (breed) y += 51
  if (facts) parts.push(renderLine(facts, x, (y += 52), 36, { fill: CARD_COLOURS.ink }))
  if (zone) {
    parts.push(renderIcon('pin', x, y + 22, 32, CARD_COLOURS.soft))
    parts.push(renderLine(truncateToWidth(zone, 'text', 32, width - 44), x + 44, y + 50, 32))
  }
  const seal = style && renderSeal(style, box.x + box.width - 30, box.y + 2, 24)
  return (
    (await renderSticker({ box, edge: 20, style, frame, motif, tilt: -2 })) +
    (seal ? `<g transform="rotate(-2 310 ${box.y + box.height / 2})">${seal}</g>` : '') +
    (lost ? renderWantedBand(`desde el ${lost.since}`) : '') +
    parts.join('') +
    renderFooter()
  )
}

/** Renders a dog's sticker for download. @returns the content of an SVG */
export async function renderStickerCard(data: DogCardData, dataDir: string): Promise<string> {
  const { style, frame } = data
  const [width, edge] = [714, 32]
  const side = width - 2 * edge
  const x = (STICKER.width - width) / 2
  const inner = { x: x + edge + 14, end: x + width - edge - 14, width: side - 28 }
  const age = data.age ?? ''
  const nameWidth = inner.width - (age ? textWidth(age, 'text', 36) + 28 : 0)
  const name = fitText(drawableName(data), 'head', [76, 66, 56, 48], nameWidth, 2)
  const capHeight = capHeightOf('head', name.size)
  const height = edge + side + 40 + capHeight + depthOf(name, 1.02) + 38 + 58 + 40
  const box = { x, y: (STICKER.height - 70 - height) / 2 + 6, width, height }
  const motif = await loadDogImage(dataDir, data.photo, data.breedSlug, side)
  const baseline = box.y + edge + side + 40 + capHeight
  const row = baseline + depthOf(name, 1.02) + 38
  const soft = { fill: style ? CARD_COLOURS.chipInk : '#5f4f42' }
  const zone = drawableText(data.zone ?? '')
  // The breed gets its share of the row, and what a short zone leaves.
  const zoneMaxWidth = zone ? textWidth(zone, 'text', 34) + 72 : 0
  const breedMaxWidth = Math.max(inner.width * 0.56, inner.width - zoneMaxWidth)
  const chipFill = style ? '#ffffffb8' : CARD_COLOURS.chip
  const breed = renderChip(drawableText(data.breed) || NAMELESS, inner.x, row, 34, breedMaxWidth, chipFill)
  const zoneText = zone && truncateToWidth(zone, 'text', 34, inner.width - breed.width - 72)
  const zoneX = inner.end - textWidth(zoneText, 'text', 34)
  return (
    (await renderSticker({ box, edge, style, frame, motif })) +
    (style ? renderSeal(style, box.x + width - 50, box.y + 2, 30) : '') +
    renderHeadings(name, inner.x, baseline, 1.02) +
    renderLine(age, inner.end, baseline, 36, { ...soft, end: true }) +
    breed.svg +
    (zoneText && renderIcon('pin', zoneX - 42, row + 12, 34, soft.fill)) +
    renderLine(zoneText, zoneX, row + 29 + capHeightOf('text', 34) / 2, 34, soft) +
    renderWordmark((STICKER.width - textWidth('Perrario', 'head', 44) - 32) / 2, STICKER.height - 36, 44)
  )
}
