import { TEXT_COLUMN, renderFooter } from './dog-card.server.ts'
import { capHeightOf, truncateToWidth, drawableText, fitText, renderText } from './glyphs.server.ts'
import { renderBackground, CARD_COLOURS } from './svg-parts.server.ts'
import { loadBreedImage } from './card-images.server.ts'
import { renderSticker } from './sticker.server.ts'
import { type BreedCardData, CARD } from './share.ts'

/** Renders a breed's link preview: its sticker in the album. @returns the content of an SVG */
export async function renderBreedCard(data: BreedCardData, dataDir: string): Promise<string> {
  const box = { x: 74, y: 74, width: 472, height: 472 }
  const motif = await loadBreedImage(dataDir, data.slug, box.width - 40)
  const name = fitText(drawableText(data.name), 'head', [104, 92, 80, 70, 60, 52], TEXT_COLUMN.width, 3)
  const original = truncateToWidth(drawableText(data.original), 'text', 30, TEXT_COLUMN.width)
  const {
    lines: [facts = ''],
    size: factsSize,
  } = fitText(data.facts.join(' · '), 'text', [34, 31, 28, 26], TEXT_COLUMN.width, 1)
  const leading = name.size * 0.98
  const nameHeight = capHeightOf('head', name.size) + (name.lines.length - 1) * leading
  let y = 286 - (nameHeight + (original ? 52 : 0) + 66) / 2 + capHeightOf('head', name.size)
  const parts = name.lines.map((line, i) =>
    renderText(line, { x: TEXT_COLUMN.x, y: y + i * leading, size: name.size, family: 'head', fill: CARD_COLOURS.ink }),
  )
  y += (name.lines.length - 1) * leading
  if (original) parts.push(renderText(original, { x: TEXT_COLUMN.x, y: (y += 54), size: 30, fill: CARD_COLOURS.soft }))
  parts.push(renderText(facts, { x: TEXT_COLUMN.x, y: y + 68, size: factsSize, fill: CARD_COLOURS.ink }))
  const picture = await renderSticker({ box, edge: 20, style: null, motif, tilt: -2, number: data.number })
  return renderBackground(CARD.width, CARD.height) + picture + parts.join('') + renderFooter()
}
