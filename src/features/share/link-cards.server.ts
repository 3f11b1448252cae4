import { MAX_GUESSES } from '#features/riddle/riddle.ts'
import { loadBreedImage, portraitImage, type SvgImage } from './card-images.server.ts'
import { capHeightOf, drawableText, fitText, textWidth, truncateToWidth } from './glyphs.server.ts'
import { renderMemberFan } from './member-card.server.ts'
import { type BreedCardData, CARD_TEXTS, type RiddleCardData } from './share.ts'
import { renderSticker } from './sticker.server.ts'
import {
  CARD_COLOURS,
  depthOf,
  renderFooter,
  renderHeading,
  renderHeadings,
  renderIcon,
  renderLine,
  renderWantedBand,
  renderWordmark,
  TEXT_COLUMN,
} from './svg-parts.server.ts'

const { x, width } = TEXT_COLUMN
/** A sticker left of the text. */
const STICKER_BESIDE = { box: { x: 74, y: 74, width: 472, height: 472 }, edge: 20, tilt: -2 }

/** Renders a breed's link preview: its sticker in the album. @returns the content of an SVG */
export async function renderBreedCard(data: BreedCardData, dataDir: string): Promise<string> {
  const motif = await loadBreedImage(dataDir, data.slug, STICKER_BESIDE.box.width - 40)
  const name = fitText(drawableText(data.name), 'head', [104, 92, 80, 70, 60, 52], width, 3)
  const original = truncateToWidth(drawableText(data.original), 'text', 30, width)
  const facts = fitText(data.facts.join(' · '), 'text', [34, 31, 28, 26], width, 1)
  const capHeight = capHeightOf('head', name.size)
  const top = 286 - (capHeight + depthOf(name, 0.98) + (original ? 52 : 0) + 66) / 2 + capHeight
  const bottom = top + depthOf(name, 0.98) + (original ? 54 : 0)
  return (
    (await renderSticker({ ...STICKER_BESIDE, motif, number: data.number })) +
    renderHeadings(name, x, top, 0.98) +
    renderLine(original, x, bottom, 30) +
    renderLine(facts.lines[0] ?? '', x, bottom + 68, facts.size, { fill: CARD_COLOURS.ink }) +
    renderFooter()
  )
}

/** A paw for each guess that went past the breed, the bone where it was found, and a ring for each that was left. */
function renderMarks({ guesses, isWon }: RiddleCardData, y: number): string {
  const [size, step] = [70, 92]
  return Array.from({ length: MAX_GUESSES }, (_, i) => {
    const left = x + i * step
    if (i >= guesses)
      return `<circle cx="${left + size / 2}" cy="${y + size / 2}" r="25" fill="none" stroke="${CARD_COLOURS.line}" stroke-width="6"/>`
    const [icon, colour] = isWon && i === guesses - 1 ? (['bone', 'park'] as const) : (['paw', 'collar'] as const)
    return renderIcon(icon, left, y, size, CARD_COLOURS[colour], CARD_COLOURS[colour])
  }).join('')
}

/** The riddle's sticker: a question mark, because nothing of the breed may be seen. */
const questionMark: SvgImage = (box) => {
  const size = box.height * 0.8
  const left = box.x + (box.width - textWidth('?', 'head', size)) / 2
  const baseline = box.y + (box.height + capHeightOf('head', size)) / 2
  return renderHeading('?', left, baseline, size, { fill: CARD_COLOURS.collar })
}

/** Renders the result of a riddle: its number, its day and the marks, nothing of its breed. @returns the content of an SVG */
export async function renderRiddleCard(data: RiddleCardData): Promise<string> {
  return (
    (await renderSticker({ ...STICKER_BESIDE, motif: questionMark })) +
    renderHeadings(fitText(`Reto n.º ${data.number}`, 'head', [84, 76, 68], width, 1), x, 180, 1) +
    renderLine(data.date, x, 234, 30) +
    renderMarks(data, 284) +
    renderLine(data.result, x, 430, 34, { fill: CARD_COLOURS.ink }) +
    renderFooter()
  )
}

/** The breeds on the site's link preview, the first one on top. */
const renderSiteFan = () => renderMemberFan(['beagle', 'dalmata', 'galgo-espanol'].map(portraitImage))

/** Renders the site's link preview. @returns the content of an SVG */
export async function renderSiteCard(): Promise<string> {
  const lines = CARD_TEXTS.invitation.map((line, i) => renderLine(line, 640, 420 + i * 38, 27))
  return (
    (await renderSiteFan()) +
    renderWordmark(640, 292, 108) +
    renderHeading(CARD_TEXTS.slogan, 640, 364, 46) +
    lines.join('')
  )
}

/** Renders the link preview of the list of lost dogs. @returns the content of an SVG */
export async function renderLostListCard(): Promise<string> {
  const [title, ...lines] = CARD_TEXTS.lostList
  return (
    `<g transform="translate(20 66) scale(.92)">${await renderSiteFan()}</g>` +
    renderWantedBand('') +
    renderHeadings(fitText(title, 'head', [70, 64, 58], width, 1), x, 290, 1) +
    lines.map((line, i) => renderLine(line, x, 352 + i * 42, 29)).join('') +
    renderFooter()
  )
}
