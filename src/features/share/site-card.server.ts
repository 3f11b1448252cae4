import { renderFooter, TEXT_COLUMN } from './dog-card.server.ts'
import { fitText, renderText } from './glyphs.server.ts'
import { renderStickerFan, siteImages } from './member-card.server.ts'
import { renderBackground, CARD_COLOURS, renderWantedBand, renderWordmark } from './svg-parts.server.ts'
import { CARD, CARD_TEXTS } from './share.ts'

/** Renders the site's link preview. @returns the content of an SVG */
export async function renderSiteCard(): Promise<string> {
  const x = 640
  const {
    lines: [slogan = ''],
    size,
  } = fitText(CARD_TEXTS.slogan, 'head', [46], 500, 1)
  return (
    renderBackground(CARD.width, CARD.height) +
    (await renderStickerFan(siteImages())) +
    renderWordmark(x, 292, 108) +
    renderText(slogan, { x, y: 364, size, family: 'head', fill: CARD_COLOURS.ink }) +
    CARD_TEXTS.invitation
      .map((line, i) => renderText(line, { x, y: 420 + i * 38, size: 27, fill: CARD_COLOURS.soft }))
      .join('')
  )
}

/** Renders the link preview of the list of lost dogs. @returns the content of an SVG */
export async function renderLostListCard(): Promise<string> {
  const [title, ...lines] = CARD_TEXTS.lostList
  const { x, width } = TEXT_COLUMN
  const { size } = fitText(title, 'head', [70, 64, 58], width, 1)
  return (
    renderBackground(CARD.width, CARD.height) +
    `<g transform="translate(20 66) scale(.92)">${await renderStickerFan(siteImages())}</g>` +
    renderWantedBand(CARD_TEXTS.wanted, '', CARD.width) +
    renderText(title, { x, y: 290, size, family: 'head', fill: CARD_COLOURS.ink }) +
    lines.map((line, i) => renderText(line, { x, y: 352 + i * 42, size: 29, fill: CARD_COLOURS.soft })).join('') +
    renderFooter()
  )
}
