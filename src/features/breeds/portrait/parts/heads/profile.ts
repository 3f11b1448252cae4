/** What a head shape holds, and the short form that the tables of heads are written in. */
import type { Point } from '#features/breeds/portrait/types.ts'

export interface HeadShape {
  outline: readonly Point[]
  /** dx, y, radius. */
  eye: readonly [number, number, number]
  noseY: number
  /** Half width at the lips, half width of the bridge. */
  muzzle: readonly [number, number]
  kind: 'plain' | 'jowl' | 'flat' | 'none'
  /** Roots of erect and of hanging ears: dx, y, turn in degrees. */
  up: readonly [number, number, number]
  down: readonly [number, number, number]
  /** Nose half width. */
  nose: number
}

/** Where the half widths of a profile lie, as shares of the way from the crown to the chin. */
const LEVELS = [0.05, 0.17, 0.33, 0.5, 0.67, 0.83, 0.95] as const

/** Half widths of a head: crown, forehead, temples, cheeks, jaw, lips, chin. */
type Widths = readonly [number, number, number, number, number, number, number]

/** The right half of a head's outline. */
export function profile(top: number, chin: number, widths: Widths): Point[] {
  const sides = LEVELS.map((level, i): Point => [widths[i]!, Math.round((top + (chin - top) * level) * 10) / 10])
  return [[0, top], ...sides, [0, chin]]
}
