import { FRAME_DRAWINGS } from '#features/dogs/card/frame-drawings.ts'
import type { SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import type { Box } from './svg-parts.server.ts'

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

/** Renders the ring of a seasonal frame on a sticker's edge, over its paper. */
export function renderSeasonalRing(frame: SeasonalFrame, box: Box, radius: number, edge: number): string {
  const width = edge * 0.62
  const inner = { x: box.x + width / 2, y: box.y + width / 2, width: box.width - width, height: box.height - width }
  return `<defs>${PAINTS[frame]}</defs><rect x="${inner.x}" y="${inner.y}" width="${inner.width}" height="${inner.height}" rx="${radius - width / 2}" fill="none" stroke="url(#season)" stroke-width="${width}"/>`
}

/** Renders its drawing at the sticker's upper left corner. */
export function renderSeasonalDrawing(frame: SeasonalFrame, box: Box, size: number): string {
  const at = `translate(${box.x - size * 0.24} ${box.y - size * 0.26}) rotate(-14 ${size / 2} ${size / 2}) scale(${size / 64})`
  return `<g transform="${at}">${FRAME_DRAWINGS[frame]}</g>`
}
