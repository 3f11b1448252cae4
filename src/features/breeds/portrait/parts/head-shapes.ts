/** The head of one dog: its type's shape with the factors of its traits. */
import portraits from '#data/portraits.json' with { type: 'json' }
import type { HeadType, Point, Traits } from '#features/breeds/portrait/types.ts'

interface HeadShape {
  /** The right half: dx from the middle of the picture, y downwards. */
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

/** An outline in short: where crown and chin are, and the half widths of crown, forehead, temples, cheeks, jaw, lips and chin. */
interface Profile {
  top: number
  chin: number
  widths: readonly number[]
}
const HEADS = portraits.heads as unknown as Record<
  HeadType,
  Omit<HeadShape, 'outline'> & { outline: readonly Point[] | Profile }
>

/** Where the half widths of a profile lie, as shares of the way from the crown to the chin. */
const LEVELS = [0.05, 0.17, 0.33, 0.5, 0.67, 0.83, 0.95] as const

function toOutline(given: readonly Point[] | Profile): readonly Point[] {
  if (!('widths' in given)) return given
  const { top, chin, widths } = given
  const sides = LEVELS.map((level, i): Point => [widths[i]!, Math.round((top + (chin - top) * level) * 10) / 10])
  return [[0, top], ...sides, [0, chin]]
}

export interface Geometry extends Omit<HeadShape, 'outline'> {
  outline: Point[]
  chin: number
  /** Half width of the widest place. */
  cheek: number
  top: number
}

/** Applies the factors; the eyes are the fixed line: the crown moves above it, the muzzle below. */
export function geometry(t: Traits): Geometry {
  const h = { ...HEADS[t.head], outline: toOutline(HEADS[t.head].outline) },
    eyeY = h.eye[1] - t.eyeUp,
    top = h.outline[0]![1]
  const drop = t.noseDrop,
    span = 168 - eyeY
  const move = (y: number) =>
    y <= eyeY ? y - (t.crown * (eyeY - y)) / (eyeY - top) : y + drop * 0.6 * ((y - eyeY) / span)
  /** The factor on the half width: the skull's above the eyes, the jaw's from the lips down, between them a blend. */
  const widen = (y: number) => {
    const share = Math.max(0, Math.min(1, (y - eyeY + 14) / 44))
    return t.wide * (t.skull * (1 - share) + t.jaw * share)
  }
  const outline = h.outline.map(([dx, y, s]): Point => [dx * widen(y), move(y), s])
  const root = t.wide * t.skull
  return {
    ...h,
    outline,
    eye: [h.eye[0] * root + t.eyeOut, eyeY, h.eye[2] * t.eyeSize],
    noseY: h.noseY + drop,
    muzzle: [h.muzzle[0] * t.muzzleWide, h.muzzle[1]],
    up: [h.up[0] * root + t.earOut, move(h.up[1]) - t.earUp, h.up[2] + t.earTurn],
    down: [h.down[0] * root + t.earOut, move(h.down[1]) - t.earUp, h.down[2] - t.earTurn],
    nose: h.nose * t.noseSize,
    chin: outline.at(-1)![1],
    top: outline[0]![1],
    cheek: Math.max(...outline.map((p) => p[0])),
  }
}

/** Half width of the head at a height, by straight interpolation. */
export function halfWidth(g: Geometry, y: number): number {
  const [first, ...others] = g.outline
  if (!first) return 0
  let [x0, y0] = first
  for (const [x1, y1] of others) {
    if (y <= y1) return x0 + ((x1 - x0) * (y - y0)) / (y1 - y0 || 1)
    ;[x0, y0] = [x1, y1]
  }
  return 0
}

/** Muzzle patch, right half. */
// Coordinates, one shape per line.
// prettier-ignore
export function muzzleHalf(t: Traits, g: Geometry): Point[] {
  const [w, b] = g.muzzle, ny = g.noseY, y0 = g.eye[1] - 3, c = g.chin - 1;
  if (g.kind === 'flat') return [[0, ny - 15], [11, ny - 15], [w * 0.68, ny - 9], [w, ny + 9], [w * 0.97, ny + 25], [w * 0.68, ny + 35], [w * 0.26, ny + 31], [0, ny + 28]];
  if (g.kind === 'jowl' || t.jowl) return [[0, y0], [b, y0 + 6], [b * 1.3, (y0 + ny) / 2 + 2], [w * 0.84, ny - 7], [w, ny + 10], [w * 1.01, ny + 23], [w * 0.78, Math.max(c - 1, ny + 34)], [w * 0.32, c - 1], [0, c - 2]];
  if (g.kind === 'none') return [[0, ny - 26], [w * 0.5, ny - 22], [w * 0.86, ny - 4], [w, ny + 10], [w * 0.78, c - 4], [0, c]];
  return [[0, y0], [b * 0.9, y0 + 5], [b * 1.2, (y0 + ny) / 2 + 2], [w * 0.84, ny - 7], [w, ny + 9], [w * 0.88, Math.min(ny + 25, c - 8)], [w * 0.46, c - 1], [0, c]];
}
