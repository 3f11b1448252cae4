import { MAX_GUESSES } from '#features/riddle/riddle.ts'
import { TEXT_COLUMN, renderFooter } from './dog-card.server.ts'
import { capHeightOf, fitText, renderText, textWidth } from './glyphs.server.ts'
import { renderSticker } from './sticker.server.ts'
import { CARD_COLOURS, renderBackground, renderIcon } from './svg-parts.server.ts'
import { CARD, type RiddleCardData } from './share.ts'

const MARK = { size: 70, step: 92 }

/** A paw for each guess that went past the breed, the bone where it was found, and a ring for each that was left. */
function renderMarks({ guesses, isWon }: RiddleCardData, x: number, y: number): string {
  return Array.from({ length: MAX_GUESSES }, (_, i) => {
    const left = x + i * MARK.step
    if (i >= guesses)
      return `<circle cx="${left + MARK.size / 2}" cy="${y + MARK.size / 2}" r="25" fill="none" stroke="${CARD_COLOURS.line}" stroke-width="6"/>`
    return isWon && i === guesses - 1
      ? renderIcon('bone', left, y, MARK.size, CARD_COLOURS.park, CARD_COLOURS.park)
      : renderIcon('paw', left, y, MARK.size, CARD_COLOURS.collar, CARD_COLOURS.collar)
  }).join('')
}

/** The riddle's sticker: a question mark, because nothing of the breed may be seen. */
const questionMark = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => {
  const size = height * 0.8
  return renderText('?', {
    x: x + (width - textWidth('?', 'head', size)) / 2,
    y: y + (height + capHeightOf('head', size)) / 2,
    size,
    family: 'head',
    fill: CARD_COLOURS.collar,
  })
}

/** Renders the result of a riddle: its number, its day and the marks, nothing of its breed. @returns the content of an SVG */
export async function renderRiddleCard(data: RiddleCardData): Promise<string> {
  const { x, width } = TEXT_COLUMN
  const sticker = await renderSticker({
    box: { x: 74, y: 74, width: 472, height: 472 },
    edge: 20,
    style: null,
    motif: questionMark,
    tilt: -2,
  })
  const title = fitText(`Reto n.º ${data.number}`, 'head', [84, 76, 68], width, 1)
  const parts = [
    renderText(title.lines[0] ?? '', { x, y: 180, size: title.size, family: 'head', fill: CARD_COLOURS.ink }),
    renderText(data.date, { x, y: 234, size: 30, fill: CARD_COLOURS.soft }),
    renderMarks(data, x, 284),
    renderText(data.result, { x, y: 430, size: 34, fill: CARD_COLOURS.ink }),
  ]
  return renderBackground(CARD.width, CARD.height) + sticker + parts.join('') + renderFooter()
}
