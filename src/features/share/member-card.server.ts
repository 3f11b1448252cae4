import { TEXT_COLUMN, renderFooter } from './dog-card.server.ts'
import { capHeightOf, drawableText, fitText, textWidth, renderText } from './glyphs.server.ts'
import { renderBackground, renderIcon, CARD_COLOURS } from './svg-parts.server.ts'
import { loadDogImage, type SvgImage, portraitImage } from './card-images.server.ts'
import { renderSticker } from './sticker.server.ts'
import { CARD, type MemberCardData } from './share.ts'

/** The positions of one, two or three overlapping stickers. The last is on top. */
const FAN_LAYOUTS = [
  [{ x: 90, y: 94, side: 440, tilt: -2 }],
  [
    { x: 56, y: 62, side: 356, tilt: -6 },
    { x: 178, y: 196, side: 356, tilt: 4 },
  ],
  [
    { x: 44, y: 70, side: 284, tilt: -7 },
    { x: 270, y: 58, side: 284, tilt: 6 },
    { x: 150, y: 250, side: 308, tilt: -2 },
  ],
] as const

/** Renders overlapping stickers, the first image on top. */
export async function renderStickerFan(motifs: readonly SvgImage[]): Promise<string> {
  const places = FAN_LAYOUTS[motifs.length - 1] ?? []
  const rendered = places.map(({ x, y, side, tilt }, i) =>
    renderSticker({
      box: { x, y, width: side, height: side },
      edge: 15,
      style: null,
      motif: motifs[motifs.length - 1 - i]!,
      id: `s${i}`,
      tilt,
    }),
  )
  return (await Promise.all(rendered)).join('')
}

/**
 * Renders a collar's tag with the alias's first letter. The profile's emoji is not rendered, because no font for it is sure
 * to be installed.
 */
function renderMedal(alias: string, x: number, y: number, radius: number): string {
  const letter =
    drawableText(alias)
      .match(/[\p{L}\d]/u)?.[0]
      ?.toUpperCase() ?? 'P'
  const size = radius * 1.15
  return (
    `<path d="M${x - radius * 1.5} ${y - radius * 1.45}q${radius * 1.5} ${radius * 0.62} ${radius * 3} 0" fill="none" stroke="${CARD_COLOURS.collar}" stroke-width="${radius * 0.34}" stroke-linecap="round"/>` +
    `<circle cx="${x}" cy="${y - radius * 1.02}" r="${radius * 0.17}" fill="none" stroke="${CARD_COLOURS.sunEdge}" stroke-width="${radius * 0.11}"/>` +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${CARD_COLOURS.sun}"/><circle cx="${x}" cy="${y}" r="${radius * 0.86}" fill="none" stroke="${CARD_COLOURS.sunEdge}" stroke-width="${radius * 0.06}"/>` +
    renderText(letter, {
      x: x - textWidth(letter, 'head', size) / 2,
      y: y + capHeightOf('head', size) / 2,
      size,
      family: 'head',
      fill: CARD_COLOURS.sunInk,
    })
  )
}

/** Renders the figures side by side, in the largest size at which they fit the column; `y` is the baseline. */
function renderCounters(data: MemberCardData, y: number): string {
  const gap = 44
  const widthOf = (term: string, figure: string, size: number) =>
    Math.max(textWidth(figure, 'head', size), textWidth(term, 'text', 26))
  const fits = (size: number) =>
    data.counters.reduce((sum, [term, figure]) => sum + widthOf(term, figure, size) + gap, -gap) <= TEXT_COLUMN.width
  const size = [54, 48, 42, 36, 30].find(fits) ?? 24
  let x: number = TEXT_COLUMN.x
  return data.counters
    .map(([term, figure]) => {
      const parts = [
        renderText(figure, { x, y, size, family: 'head', fill: CARD_COLOURS.ink }),
        renderText(term, { x, y: y + 38, size: 26, fill: CARD_COLOURS.soft }),
      ]
      x += widthOf(term, figure, size) + gap
      return parts.join('')
    })
    .join('')
}

/** Renders a member's link preview: their newest dogs and figures. @returns the content of an SVG */
export async function renderMemberCard(data: MemberCardData, dataDir: string): Promise<string> {
  const motifs = await Promise.all(
    data.photos.map(({ photo, breedSlug }) => loadDogImage(dataDir, photo, breedSlug, 420)),
  )
  const isWithoutDogs = motifs.length === 0
  const alias = fitText(
    drawableText(data.alias) || 'Perrario',
    'head',
    [92, 80, 70, 60, 50],
    TEXT_COLUMN.width - (data.verified ? 64 : 0),
    2,
  )
  const leading = alias.size
  const top = isWithoutDogs ? 176 : 236
  let y = top + capHeightOf('head', alias.size) - (alias.lines.length - 1) * leading * 0.4
  const parts = alias.lines.map((line, i) =>
    renderText(line, {
      x: TEXT_COLUMN.x,
      y: y + i * leading,
      size: alias.size,
      family: 'head',
      fill: CARD_COLOURS.ink,
    }),
  )
  y += (alias.lines.length - 1) * leading
  const end = TEXT_COLUMN.x + textWidth(alias.lines.at(-1) ?? '', 'head', alias.size) + 18
  if (data.verified)
    parts.push(renderIcon('verified', end, y - capHeightOf('head', alias.size) / 2 - 22, 46, CARD_COLOURS.park))
  parts.push(renderText(data.since, { x: TEXT_COLUMN.x, y: (y += 50), size: 28, fill: CARD_COLOURS.soft }))
  y += 92
  parts.push(renderCounters(data, y))
  parts.push(
    isWithoutDogs ? renderMedal(data.alias, 310, 340, 150) : renderMedal(data.alias, TEXT_COLUMN.x + 62, 136, 42),
  )
  return renderBackground(CARD.width, CARD.height) + (await renderStickerFan(motifs)) + parts.join('') + renderFooter()
}

/** The breeds on the site's link preview, the first one on top. */
const SITE_BREEDS = ['beagle', 'dalmata', 'galgo-espanol']
export const siteImages = (): SvgImage[] => SITE_BREEDS.map(portraitImage)
