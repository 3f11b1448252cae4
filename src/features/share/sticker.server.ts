import type { CardStyle } from '#features/dogs/dogs.ts'
import type { SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import { CARD_STYLE_LABELS } from '#features/dogs/card/card.ts'
import { getFoilTexture } from './foil-texture.server.ts'
import { renderSeasonalDrawing, renderSeasonalRing } from './seasonal-frame.server.ts'
import { capHeightOf, textWidth } from './glyphs.server.ts'
import { type Box, renderHeading, renderIcon, renderLine, CARD_COLOURS, renderShadow } from './svg-parts.server.ts'
import type { SvgImage } from './card-images.server.ts'

interface StickerOptions {
  /** The whole sticker. */
  box: Box
  /** Width of the edge around the photo. */
  edge: number
  style?: CardStyle | null
  frame?: SeasonalFrame | undefined
  motif: SvgImage
  /** Prefix of SVG ids, unique among the stickers of a picture. */
  id?: string
  /** Rotation in degrees. */
  tilt?: number
  /** The number shown at the photo's upper left. */
  number?: string
}

const PLATINUM_DEFS =
  '<linearGradient id="metal" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#d3dae0"/><stop offset=".24" stop-color="#fdfeff"/><stop offset=".46" stop-color="#bcc6ce"/><stop offset=".63" stop-color="#f6f9fb"/><stop offset="1" stop-color="#ccd5dc"/></linearGradient>' +
  '<linearGradient id="brush" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="6" y2=".2" spreadMethod="repeat"><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset=".6" stop-color="#fff" stop-opacity=".32"/><stop offset="1" stop-color="#fff" stop-opacity=".32"/></linearGradient>'

const RAINBOW_DEFS =
  '<linearGradient id="rain" x1="0" y1=".2" x2="1" y2=".8"><stop stop-color="#ff6fd0"/><stop offset=".24" stop-color="#6fd6ff"/><stop offset=".46" stop-color="#9dff7a"/><stop offset=".62" stop-color="#ffe66f"/><stop offset=".8" stop-color="#ff8f7a"/><stop offset="1" stop-color="#b98fff"/></linearGradient>' +
  '<radialGradient id="face" cx=".5" cy=".6" r=".62"><stop offset=".45" stop-color="#fff" stop-opacity=".1"/><stop offset=".95" stop-color="#fff" stop-opacity=".78"/></radialGradient>' +
  '<radialGradient id="away" cx=".5" cy=".58" r=".54"><stop offset=".7" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#fff"/></radialGradient>' +
  '<linearGradient id="glare" x1="0" y1=".2" x2="1" y2=".6"><stop offset=".16" stop-color="#fff" stop-opacity="0"/><stop offset=".24" stop-color="#fff" stop-opacity=".6"/><stop offset=".3" stop-color="#fff" stop-opacity=".12"/><stop offset=".33" stop-color="#fff" stop-opacity="0"/><stop offset=".38" stop-color="#fff" stop-opacity="0"/><stop offset=".41" stop-color="#fff" stop-opacity=".42"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/></linearGradient>'

const renderRect = ({ x, y, width, height }: Box, rest: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${rest}/>`

/** Renders the edge: white paper, brushed metal or foil (ui/sticker/special-stickers.css). */
async function renderFrame(box: Box, radius: number, style: CardStyle | null, clip: string): Promise<string> {
  const line = renderRect(
    box,
    `rx="${radius}" fill="none" stroke="${CARD_COLOURS.edge}" stroke-opacity=".09" stroke-width="1.5"`,
  )
  if (style === 'platinum')
    return (
      renderRect(box, `rx="${radius}" fill="url(#metal)"`) + renderRect(box, `rx="${radius}" fill="url(#brush)"`) + line
    )
  if (style !== 'holo') return renderRect(box, `rx="${radius}" fill="${CARD_COLOURS.sticker}"`) + line
  const { x, y, width, height } = box
  const image = `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" href="${await getFoilTexture()}"/>`
  return `<clipPath id="${clip}">${renderRect(box, `rx="${radius}"`)}</clipPath><g clip-path="url(#${clip})">${image}</g>${line}`
}

/** Renders the rainbow and the glare over a holo photo; both leave out the middle, where the dog's face is. */
const renderHoloShine = (photo: Box) =>
  `<mask id="spare">${renderRect(photo, 'fill="url(#face)"')}</mask><mask id="beside">${renderRect(photo, 'fill="url(#away)"')}</mask>` +
  renderRect(photo, 'fill="url(#rain)" mask="url(#spare)" style="mix-blend-mode:soft-light"') +
  renderRect(photo, 'fill="url(#rain)" fill-opacity=".22" mask="url(#spare)"') +
  renderRect(photo, 'fill="url(#glare)" mask="url(#beside)" style="mix-blend-mode:screen"')

/** Renders the seal of a special sticker, across its upper edge, with its right end at `right`. */
export function renderSeal(style: CardStyle, right: number, middle: number, size: number): string {
  const text = CARD_STYLE_LABELS[style]
  const [pad, sign] = [size * 0.75, size * 1.05]
  const [width, height] = [textWidth(text, 'text', size) + sign + 2.5 * pad, size * 1.9]
  const box = { x: right - width, y: middle - height / 2, width, height }
  const fill = style === 'holo' ? 'url(#seal-holo)' : 'url(#seal-platinum)'
  const gradients =
    style === 'holo'
      ? '<linearGradient id="seal-holo"><stop stop-color="#ffc4ea"/><stop offset=".35" stop-color="#c9f0ff"/><stop offset=".6" stop-color="#e6ffd1"/><stop offset=".8" stop-color="#fff0b0"/><stop offset="1" stop-color="#ffd0c6"/></linearGradient>'
      : '<linearGradient id="seal-platinum"><stop stop-color="#e9eef2"/><stop offset=".45" stop-color="#fff"/><stop offset="1" stop-color="#c8d2da"/></linearGradient>'
  return (
    `<defs>${gradients}</defs>` +
    renderRect({ ...box, y: box.y + 3 }, `rx="${height / 2}" fill="${CARD_COLOURS.shade}" fill-opacity=".35"`) +
    renderRect(box, `rx="${height / 2}" fill="${fill}" stroke="#fff" stroke-opacity=".75" stroke-width="2"`) +
    renderIcon(style, box.x + pad, middle - sign / 2, sign, CARD_COLOURS.sealInk) +
    renderLine(text, box.x + 1.5 * pad + sign, middle + capHeightOf('text', size) / 2, size, {
      fill: CARD_COLOURS.sealInk,
    })
  )
}

/** Renders a sticker with a square image at its top; the caller renders the text below. */
export async function renderSticker({
  box,
  edge,
  style = null,
  frame,
  motif,
  id = 's',
  tilt = 0,
  number,
}: StickerOptions): Promise<string> {
  const side = box.width - 2 * edge
  const photo = { x: box.x + edge, y: box.y + edge, width: side, height: side }
  const radius = Math.round(side * 0.045)
  const label = number && renderNumberLabel(number, photo.x + 14, photo.y + 14)
  const parts = [
    renderShadow(box, radius + edge),
    `<defs>${style === 'platinum' ? PLATINUM_DEFS : style === 'holo' ? RAINBOW_DEFS : ''}<clipPath id="${id}">${renderRect(photo, `rx="${radius}"`)}</clipPath></defs>`,
    await renderFrame(box, radius + edge * 0.8, style, `${id}-frame`),
    frame ? renderSeasonalRing(frame, box, radius + edge * 0.8, edge) : '',
    `<g clip-path="url(#${id})">${renderRect(photo, `fill="${CARD_COLOURS.chip}"`)}${motif(photo)}${style === 'holo' ? renderHoloShine(photo) : ''}</g>`,
    label ?? '',
    frame ? renderSeasonalDrawing(frame, box, side * 0.19) : '',
  ]
  const middle = `${box.x + box.width / 2} ${box.y + box.height / 2}`
  return `<g transform="rotate(${tilt} ${middle})">${parts.join('')}</g>`
}

/** The places of stickers that overlap, the first one lowest. */
export type Fan = readonly { x: number; y: number; side: number; tilt: number }[]

/** Renders overlapping stickers, the first image on top. @param layouts one for each number of images, from one on */
export async function renderFan(layouts: readonly Fan[], motifs: readonly SvgImage[], edge: number): Promise<string> {
  const rendered = (layouts[motifs.length - 1] ?? []).map(({ x, y, side, tilt }, i) =>
    renderSticker({
      box: { x, y, width: side, height: side },
      edge,
      motif: motifs[motifs.length - 1 - i]!,
      id: `s${i}`,
      tilt,
    }),
  )
  return (await Promise.all(rendered)).join('')
}

function renderNumberLabel(text: string, x: number, y: number): string {
  const size = 26
  const [width, height] = [textWidth(text, 'head', size) + 26, 44]
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="14" fill="#fffdf9" fill-opacity=".94"/>` +
    renderHeading(text, x + 13, y + height / 2 + capHeightOf('head', size) / 2, size, { fill: '#4f3f32' })
  )
}
