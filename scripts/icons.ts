/**
 * Renders the app's icons from public/favicon.svg: `node scripts/icons.ts`. The icons are committed; run it when the
 * drawing changes.
 */
import { readFileSync } from 'node:fs'
import sharp from 'sharp'

const BACKGROUND_COLOUR = '#cb321c'
const drawing = readFileSync('public/favicon.svg', 'utf8')
/** The dog alone: everything after the background shape. */
const dog = drawing.slice(drawing.indexOf('/>') + 2, drawing.lastIndexOf('</svg>'))

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${content}</svg>`
const scaled = (content: string, factor: number) =>
  `<g transform="translate(${32 - 32 * factor} ${32 - 32 * factor}) scale(${factor})">${content}</g>`
const background = `<rect width="64" height="64" fill="${BACKGROUND_COLOUR}"/>`
/** Within the circle of 80 % that is inside every mask. */
const maskable = svg(background + scaled(dog, 0.78))

/** One colour on transparency, which the system tints: the dog's outline with its face cut out. */
const monochrome = svg(
  scaled(
    `<mask id="m"><rect width="64" height="64" fill="#000"/>
      <path d="M11.5 25c-3-9 2-16 10-15l6 3h9l6-3c8-1 13 6 10 15l-3.500 6c.6 3 .8 6 .8 8 0 10-8 16-17.800 16s-17.800-6-17.800-16c0-2 .2-5 .8-8Z" fill="#fff"/>
      <path d="M20.500 14.500c-6-1-8.500 4-6 10.500l4.500 7 6.500-16ZM43.500 14.500c6-1 8.500 4 6 10.500l-4.500 7-6.500-16Z" fill="#000"/>
      <path d="M20.500 14.500c-6-1-8.500 4-6 10.500l4.500 7 6.500-16ZM43.500 14.500c6-1 8.500 4 6 10.500l-4.500 7-6.500-16Z" fill="#fff" transform="translate(32 22) scale(.8) translate(-32 -22)"/>
      <circle cx="24.500" cy="31" r="3.500" fill="#000"/><circle cx="39.500" cy="31" r="3.500" fill="#000"/>
      <ellipse cx="32" cy="39" rx="5.400" ry="4" fill="#000"/>
      <path d="M32 43v2.500m0 0c-1.600 3.500-5.500 3.500-7 1m7-1c1.600 3.500 5.500 3.500 7 1" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round"/></mask>
    <rect width="64" height="64" fill="#fff" mask="url(#m)"/>`,
    0.92,
  ),
)

const shortcut = (sign: string) =>
  svg(
    `<circle cx="32" cy="32" r="32" fill="#fdf6e9"/><g fill="none" stroke="${BACKGROUND_COLOUR}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">${sign}</g>`,
  )
const add = shortcut('<path d="M32 18v28M18 32h28"/>')
const album = shortcut(
  '<path d="M32 22v24M14 18h12a6 6 0 0 1 6 6 6 6 0 0 1 6-6h12v24H38a6 6 0 0 0-6 6 6 6 0 0 0-6-6H14Z"/>',
)

const FILES: [name: string, drawing: string, size: number][] = [
  ['favicon-48', drawing, 48],
  ['icon-192', drawing, 192],
  ['icon-512', drawing, 512],
  ['apple-touch-icon', svg(background + dog), 180],
  ['icon-maskable-192', maskable, 192],
  ['icon-maskable-512', maskable, 512],
  ['icon-monochrome-512', monochrome, 512],
  ['shortcut-add', add, 96],
  ['shortcut-album', album, 96],
]

for (const [name, source, size] of FILES)
  await sharp(Buffer.from(source), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ palette: name !== 'icon-monochrome-512', compressionLevel: 9 })
    .toFile(`public/${name}.png`)
