import type { SeasonalFrame } from './seasonal-frames.ts'

// The drawing at the corner of each frame, in 64 units: in public/marcos for pages (unit/dogs/seasonal-frames compares them), and here
// for pictures.

const petal = (angle: number) => `<ellipse cx="32" cy="16" rx="10" ry="13" transform="rotate(${angle} 32 32)"/>`
const ray = (angle: number) => `<path d="M32 2l5 13h-10z" transform="rotate(${angle} 32 32)"/>`
const turns = (count: number, draw: (angle: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw((360 / count) * i)).join('')

const holly =
  'M6 20c6 2 9 0 12-5 3 5 7 6 12 4-1 6 1 9 6 11-5 2-7 5-6 11-5-2-9-1-12 4-3-5-6-7-12-5 2-6 1-10-4-12 5-1 6-3 4-8z'

/** The content of an SVG with the view box `0 0 64 64`. */
export const FRAME_DRAWINGS: Readonly<Record<SeasonalFrame, string>> = {
  christmas:
    `<g stroke="#0f4a2f" stroke-width="1.5" stroke-linejoin="round"><path fill="#1d754c" d="${holly}"/><path fill="#2b8d5f" d="${holly}" transform="matrix(-1 0 0 1 64 8)"/></g>` +
    '<path fill="none" stroke="#0f4a2f" stroke-width="1.5" d="M10 26l20 8M54 34l-20 8"/>' +
    '<g fill="#ca341c" stroke="#8f1f0d" stroke-width="1.5"><circle cx="27" cy="43" r="8"/><circle cx="40" cy="45" r="8"/><circle cx="33" cy="54" r="8"/></g>' +
    '<g fill="#fff" fill-opacity=".7"><circle cx="24" cy="40" r="2"/><circle cx="37" cy="42" r="2"/><circle cx="30" cy="51" r="2"/></g>',
  spring:
    '<path fill="#4f9a4a" stroke="#2f6b2d" stroke-width="1.5" d="M34 40c8 2 20 4 26 20-14 2-24-4-27-17zM30 40c-8 2-20 4-26 20 14 2 24-4 27-17z"/>' +
    `<g fill="#f7a8c0" stroke="#c75f85" stroke-width="1.5">${turns(5, petal)}</g><circle cx="32" cy="32" r="8" fill="#f7c747" stroke="#d79f14" stroke-width="1.5"/>`,
  summer: `<g fill="#f7c747" stroke="#d79f14" stroke-width="1.5" stroke-linejoin="round">${turns(12, ray)}<circle cx="32" cy="32" r="16"/></g><path fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3" stroke-linecap="round" d="M22 30a10 10 0 0 1 8-8"/>`,
  autumn:
    '<path fill="#d9762b" stroke="#93450f" stroke-width="1.5" stroke-linejoin="round" d="M32 4l5 9 8-3-2 10 11-2-3 8 9 4-11 7 3 5-14 1-3-3 1 12h-8l1-12-3 3-14-1 3-5-11-7 9-4-3-8 11 2-2-10 8 3z"/>' +
    '<path fill="none" stroke="#93450f" stroke-width="1.8" stroke-linecap="round" d="M32 14v46M32 32l12-9M32 32l-12-9M32 40l13-3M32 40l-13-3"/>',
}

/** The file of a drawing. */
export const renderFrameDrawing = (frame: SeasonalFrame): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${FRAME_DRAWINGS[frame]}</svg>\n`
