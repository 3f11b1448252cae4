import { sharp } from '#features/photos/sharp.server.ts'

/** Foil's colours around the circle (ui/foil.css, the conic gradient). */
const STOPS = ['#ffc9ec', '#c4ecff', '#d6ffd0', '#fff2b8', '#ffcfc4', '#dcc9ff', '#ffc9ec'].map((hex) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
)
const FROM = 200
const SIDE = 160

let made: Promise<string> | undefined

/** The holo frame's foil as a picture to stretch: SVG has no gradient that turns. Drawn once. */
export const foil = (): Promise<string> => (made ??= drawFoil())

function drawFoil(): Promise<string> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3)
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      // Degrees from the top, clockwise, as CSS counts them; its middle lies at 30 % and 20 %.
      const angle = (Math.atan2(x - SIDE * 0.3, SIDE * 0.2 - y) * 180) / Math.PI
      const turn = ((((angle - FROM) % 360) + 360) % 360) / 360
      const at = turn * (STOPS.length - 1)
      const [from, to] = [STOPS[Math.floor(at)]!, STOPS[Math.min(STOPS.length - 1, Math.floor(at) + 1)]!]
      const part = at - Math.floor(at)
      for (let i = 0; i < 3; i++) pixels[(y * SIDE + x) * 3 + i] = Math.round(from[i]! + (to[i]! - from[i]!) * part)
    }
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer()
    .then((png) => `data:image/png;base64,${png.toString('base64')}`)
}
