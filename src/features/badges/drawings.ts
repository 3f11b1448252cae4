import type { Motif } from '#features/challenges/motifs.ts'
import { MOTIFS } from './motif-shapes.ts'

/** The colours of a badge's ground: printed paper, the same in the light and in the dark. */
const GROUNDS = {
  collar: ['#d9573b', '#b83f26'],
  park: ['#4a9a6c', '#35794f'],
  sun: ['#f0b93a', '#d0941c'],
  sky: ['#4f93c4', '#3674a2'],
  plum: ['#9763a8', '#774788'],
} as const
export type Ground = keyof typeof GROUNDS

const PEAKS = 16
/** A circle of scallops around (32, 32). */
function scallops(radius: number, depth: number): string {
  const at = (i: number, r: number) => {
    const angle = (i * Math.PI) / PEAKS - Math.PI / 2
    return `${(32 + Math.cos(angle) * r).toFixed(1)} ${(32 + Math.sin(angle) * r).toFixed(1)}`
  }
  const arcs = Array.from({ length: PEAKS }, (_, i) => `Q${at(i * 2 + 1, radius + depth)} ${at(i * 2 + 2, radius)}`)
  return `M${at(0, radius)}${arcs.join('')}Z`
}
const EDGE = scallops(28, 4.4)
const RIBBONS =
  '<path d="M19 48l-7 20 9-3 5 8 6-22ZM45 48l7 20-9-3-5 8-6-22Z" fill="#fff" stroke="#3a2a1e" stroke-opacity=".14"/>'

/**
 * The inside of a badge's picture, on 64 x 76 units: a die-cut sticker with the motif on it. Everything in it is ours.
 * @param isWeekly with the ribbons of a week's challenge
 */
export function badgeShapes(motif: Motif, ground: Ground, isWeekly: boolean): string {
  const [fill, rim] = GROUNDS[ground]
  const ribbons = isWeekly
    ? `${RIBBONS}<path d="M21 50l-5 14 6-2 4 6 4-15ZM43 50l5 14-6-2-4 6-4-15Z" fill="${rim}"/>`
    : ''
  return `${ribbons}<path d="${EDGE}" fill="#fff" stroke="#3a2a1e" stroke-opacity=".16"/><circle cx="32" cy="32" r="25" fill="${fill}"/><circle cx="32" cy="32" r="21.5" fill="none" stroke="${rim}" stroke-width="1.5" stroke-dasharray="2.5 2.5"/>${MOTIFS[motif]}`
}
