import type { CardStyle } from '#features/dogs/dogs.ts'
import type { SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import { CARD_STYLE_LABELS } from '#features/dogs/card/card.ts'
import { capHeightOf, textWidth } from './glyphs.server.ts'
import { FRAME_DRAWINGS } from '#features/dogs/card/frame-drawings.ts'
import { loadSharp } from '#features/photos/render/sharp.server.ts'
import {
  type Box,
  boxAttributes,
  renderHeading,
  renderIcon,
  renderLine,
  CARD_COLOURS,
  renderRect,
  renderShadow,
} from './svg-parts.server.ts'
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

/** Foil's colours around the circle (ui/sticker/special-stickers.css, the conic gradient). */
const COLOUR_STOPS = ['#ffc9ec', '#c4ecff', '#d6ffd0', '#fff2b8', '#ffcfc4', '#dcc9ff', '#ffc9ec'].map((hex) => {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [channel(1), channel(3), channel(5)] as const
})
/** The stop of an index, or the last one. */
const stopAt = (index: number) => COLOUR_STOPS[Math.min(COLOUR_STOPS.length - 1, index)]!
const START_DEGREES = 200
const SIDE_PX = 160

let cachedTexture: Promise<string> | undefined

/** The holo edge's foil as a PNG data URL to stretch, because SVG has no conic gradient. Rendered once. */
const getFoilTexture = (): Promise<string> => (cachedTexture ??= renderFoilTexture())

async function renderFoilTexture(): Promise<string> {
  const pixels = Buffer.alloc(SIDE_PX * SIDE_PX * 3)
  for (let y = 0; y < SIDE_PX; y++)
    for (let x = 0; x < SIDE_PX; x++) {
      // Degrees from the top, clockwise, as CSS counts them; its middle lies at 30 % and 20 %.
      const angle = (Math.atan2(x - SIDE_PX * 0.3, SIDE_PX * 0.2 - y) * 180) / Math.PI
      const turn = ((((angle - START_DEGREES) % 360) + 360) % 360) / 360
      const position = turn * (COLOUR_STOPS.length - 1)
      const [from, to] = [stopAt(Math.floor(position)), stopAt(Math.floor(position) + 1)]
      const part = position - Math.floor(position)
      for (const i of [0, 1, 2] as const)
        pixels[(y * SIDE_PX + x) * 3 + i] = Math.round(from[i] + (to[i] - from[i]) * part)
    }
  const sharp = await loadSharp()
  const png = await sharp(pixels, { raw: { width: SIDE_PX, height: SIDE_PX, channels: 3 } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

const PLATINUM_DEFS =
  '<linearGradient id="metal" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#d3dae0"/><stop offset=".24" stop-color="#fdfeff"/><stop offset=".46" stop-color="#bcc6ce"/><stop offset=".63" stop-color="#f6f9fb"/><stop offset="1" stop-color="#ccd5dc"/></linearGradient>' +
  '<linearGradient id="brush" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="6" y2=".2" spreadMethod="repeat"><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset=".6" stop-color="#fff" stop-opacity=".32"/><stop offset="1" stop-color="#fff" stop-opacity=".32"/></linearGradient>'

/** Stripes of these colours, each as wide as said, as a pattern. */
function stripes(angle: number, colours: readonly (readonly [colour: string, width: number])[]): string {
  let x = 0
  const rects = colours.map(([colour, width]) => {
    const rect = `<rect x="${x}" width="${width}" height="10" fill="${colour}"/>`
    x += width
    return rect
  })
  return `<pattern id="season" width="${x}" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})">${rects.join('')}</pattern>`
}

const gradient = (...stops: readonly (readonly [offset: number, colour: string])[]): string =>
  `<linearGradient id="season" x1="0" y1="0" x2="1" y2="1">${stops.map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`).join('')}</linearGradient>`

/** What each ring is painted with, as public/marcos/marcos.css has it. */
const PAINTS: Readonly<Record<SeasonalFrame, string>> = {
  christmas: stripes(45, [
    ['#ca341c', 18],
    ['#fffaf0', 14],
    ['#1d754c', 18],
    ['#fffaf0', 14],
  ]),
  spring: gradient([0, '#f7b8cb'], [0.34, '#cfe8ae'], [0.62, '#fbe3a0'], [1, '#f4a9c4']),
  summer: stripes(-45, [
    ['#36a3c9', 24],
    ['#fffaf0', 24],
  ]),
  autumn: gradient([0, '#d9762b'], [0.36, '#eab44f'], [0.66, '#a9512a'], [1, '#e08f35']),
}

/** Renders the edge: white paper, brushed metal or foil (ui/sticker/special-stickers.css). */
async function renderEdge(box: Box, radius: number, style: CardStyle | null, clip: string): Promise<string> {
  const fill = (paint: string) => renderRect(box, `rx="${radius}" fill="${paint}"`)
  if (style === 'platinum') return `<defs>${PLATINUM_DEFS}</defs>${fill('url(#metal)')}${fill('url(#brush)')}`
  if (style !== 'holo') return fill(CARD_COLOURS.sticker)
  const image = `<image ${boxAttributes(box)} preserveAspectRatio="none" href="${await getFoilTexture()}"/>`
  return `<clipPath id="${clip}">${fill('#000')}</clipPath><g clip-path="url(#${clip})">${image}</g>`
}

/** Renders the ring of a seasonal frame on a sticker's edge, over its paper. */
function renderSeasonalRing(frame: SeasonalFrame, { x, y, width, height }: Box, radius: number, ring: number): string {
  const inner = { x: x + ring / 2, y: y + ring / 2, width: width - ring, height: height - ring }
  const stroke = `rx="${radius - ring / 2}" fill="none" stroke="url(#season)" stroke-width="${ring}"`
  return `<defs>${PAINTS[frame]}</defs>${renderRect(inner, stroke)}`
}

/** Renders its drawing at the sticker's upper left corner. */
function renderSeasonalDrawing(frame: SeasonalFrame, box: Box, size: number): string {
  const at = `translate(${box.x - size * 0.24} ${box.y - size * 0.26}) rotate(-14 ${size / 2} ${size / 2}) scale(${size / 64})`
  return `<g transform="${at}">${FRAME_DRAWINGS[frame]}</g>`
}

const RAINBOW_DEFS =
  '<linearGradient id="rain" x1="0" y1=".2" x2="1" y2=".8"><stop stop-color="#ff6fd0"/><stop offset=".24" stop-color="#6fd6ff"/><stop offset=".46" stop-color="#9dff7a"/><stop offset=".62" stop-color="#ffe66f"/><stop offset=".8" stop-color="#ff8f7a"/><stop offset="1" stop-color="#b98fff"/></linearGradient>' +
  '<radialGradient id="face" cx=".5" cy=".6" r=".62"><stop offset=".45" stop-color="#fff" stop-opacity=".1"/><stop offset=".95" stop-color="#fff" stop-opacity=".78"/></radialGradient>' +
  '<radialGradient id="away" cx=".5" cy=".58" r=".54"><stop offset=".7" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#fff"/></radialGradient>' +
  '<linearGradient id="glare" x1="0" y1=".2" x2="1" y2=".6"><stop offset=".16" stop-color="#fff" stop-opacity="0"/><stop offset=".24" stop-color="#fff" stop-opacity=".6"/><stop offset=".3" stop-color="#fff" stop-opacity=".12"/><stop offset=".33" stop-color="#fff" stop-opacity="0"/><stop offset=".38" stop-color="#fff" stop-opacity="0"/><stop offset=".41" stop-color="#fff" stop-opacity=".42"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/></linearGradient>'

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
  const outer = radius + edge * 0.8
  const parts = [
    renderShadow(box, radius + edge),
    `<defs>${style === 'holo' ? RAINBOW_DEFS : ''}<clipPath id="${id}">${renderRect(photo, `rx="${radius}"`)}</clipPath></defs>`,
    await renderEdge(box, outer, style, `${id}-edge`),
    renderRect(box, `rx="${outer}" fill="none" stroke="${CARD_COLOURS.edge}" stroke-opacity=".09" stroke-width="1.5"`),
    frame ? renderSeasonalRing(frame, box, outer, edge * 0.62) : '',
    `<g clip-path="url(#${id})">${renderRect(photo, `fill="${CARD_COLOURS.chip}"`)}${motif(photo)}${style === 'holo' ? renderHoloShine(photo) : ''}</g>`,
    number ? renderNumberLabel(number, photo.x + 14, photo.y + 14) : '',
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
