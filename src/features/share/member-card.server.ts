import { loadDogImage, type SvgImage } from './card-images.server.ts'
import { capHeightOf, drawableText, fitText, textWidth } from './glyphs.server.ts'
import type { MemberCardData } from './share.ts'
import { type Fan, renderFan } from './sticker.server.ts'
import {
  CARD_COLOURS,
  depthOf,
  renderFooter,
  renderHeading,
  renderHeadings,
  renderIcon,
  renderLine,
  TEXT_COLUMN,
} from './svg-parts.server.ts'

const FAN_LAYOUTS: readonly Fan[] = [
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
]

/** Renders up to three overlapping stickers left of the text, the first image on top. */
export const renderMemberFan = (motifs: readonly SvgImage[]): Promise<string> => renderFan(FAN_LAYOUTS, motifs, 15)

/**
 * Renders a collar's tag with the alias's first letter. The profile's emoji is not rendered, because no font for it is sure
 * to be installed.
 */
function renderMedal(alias: string, x: number, y: number, radius: number): string {
  const letter = (/[\p{L}\d]/u.exec(drawableText(alias))?.[0] ?? 'P').toUpperCase()
  const size = radius * 1.15
  const left = x - textWidth(letter, 'head', size) / 2
  return (
    `<path d="M${x - radius * 1.5} ${y - radius * 1.45}q${radius * 1.5} ${radius * 0.62} ${radius * 3} 0" fill="none" stroke="${CARD_COLOURS.collar}" stroke-width="${radius * 0.34}" stroke-linecap="round"/>` +
    `<circle cx="${x}" cy="${y - radius * 1.02}" r="${radius * 0.17}" fill="none" stroke="${CARD_COLOURS.sunEdge}" stroke-width="${radius * 0.11}"/>` +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${CARD_COLOURS.sun}"/><circle cx="${x}" cy="${y}" r="${radius * 0.86}" fill="none" stroke="${CARD_COLOURS.sunEdge}" stroke-width="${radius * 0.06}"/>` +
    renderHeading(letter, left, y + capHeightOf('head', size) / 2, size, { fill: CARD_COLOURS.sunInk })
  )
}

/** Renders the figures side by side, in the largest size at which they fit the column; `y` is the baseline. */
function renderCounters({ counters }: MemberCardData, y: number): string {
  const gap = 44
  const widthsAt = (size: number) =>
    counters.map(([term, figure]) => Math.max(textWidth(figure, 'head', size), textWidth(term, 'text', 26)) + gap)
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0)
  const size = [54, 48, 42, 36, 30].find((each) => sum(widthsAt(each)) - gap <= TEXT_COLUMN.width) ?? 24
  return counters
    .map(([term, figure], i) => {
      const x = TEXT_COLUMN.x + sum(widthsAt(size).slice(0, i))
      return renderHeading(figure, x, y, size) + renderLine(term, x, y + 38, 26)
    })
    .join('')
}

/** Renders a member's link preview: their newest dogs and figures. @returns the content of an SVG */
export async function renderMemberCard(data: MemberCardData, dataDir: string): Promise<string> {
  const { x, width } = TEXT_COLUMN
  const motifs = await Promise.all(
    data.photos.map(({ photo, breedSlug }) => loadDogImage(dataDir, photo, breedSlug, 420)),
  )
  const isWithoutDogs = motifs.length === 0
  const aliasWidth = width - (data.verified ? 64 : 0)
  const alias = fitText(drawableText(data.alias) || 'Perrario', 'head', [92, 80, 70, 60, 50], aliasWidth, 2)
  const capHeight = capHeightOf('head', alias.size)
  const top = (isWithoutDogs ? 176 : 236) + capHeight - depthOf(alias, 0.4)
  const bottom = top + depthOf(alias, 1)
  const end = x + textWidth(alias.lines.at(-1) ?? '', 'head', alias.size) + 18
  return (
    (await renderMemberFan(motifs)) +
    renderHeadings(alias, x, top, 1) +
    (data.verified ? renderIcon('verified', end, bottom - capHeight / 2 - 22, 46, CARD_COLOURS.park) : '') +
    renderLine(data.since, x, bottom + 50, 28) +
    renderCounters(data, bottom + 142) +
    (isWithoutDogs ? renderMedal(data.alias, 310, 340, 150) : renderMedal(data.alias, x + 62, 136, 42)) +
    renderFooter()
  )
}
