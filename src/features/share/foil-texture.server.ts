import { loadSharp } from '#features/photos/render/sharp.server.ts'

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

/** The holo frame's foil as a PNG data URL to stretch, because SVG has no conic gradient. Rendered once. */
export const getFoilTexture = (): Promise<string> => (cachedTexture ??= renderFoilTexture())

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
