/** Head families: outlines and where eyes, nose and ears sit. Right half only, dx from the middle. */
import type { Family, Point, Traits } from '#features/breeds/portrait/types.ts'

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

// A table of coordinates, one shape per line.
// prettier-ignore
export const HEAD_SHAPES: Record<Family, HeadShape> = {
  gundog: { outline: [[0, 39], [23, 43], [42, 57], [51, 80], [50, 102], [43, 126], [36, 148], [21, 163], [0, 167]], eye: [24, 96, 7.8], noseY: 124, muzzle: [29, 10], kind: 'plain', up: [32, 56, 12], down: [43, 60, -4], nose: 14.5 },
  shepherd: { outline: [[0, 41], [21, 45], [39, 58], [48, 80], [48, 98], [40, 122], [30, 144], [20, 161], [9, 168], [0, 169]], eye: [22, 93, 7.4], noseY: 132, muzzle: [24, 10], kind: 'plain', up: [29, 58, 8], down: [42, 60, -4], nose: 13.5 },
  spitz: { outline: [[0, 44], [23, 48], [43, 62], [55, 86], [59, 106], [51, 130], [36, 147], [20, 161], [0, 166]], eye: [24, 98, 7.4], noseY: 124, muzzle: [25, 9], kind: 'plain', up: [34, 62, 10], down: [46, 64, -4], nose: 12.5 },
  apple: { outline: [[0, 38], [30, 42], [52, 60], [59, 88], [53, 114], [40, 137], [26, 152], [12, 158], [0, 159]], eye: [27, 102, 9.8], noseY: 123, muzzle: [23, 8], kind: 'plain', up: [36, 60, 22], down: [46, 62, -2], nose: 10.5 },
  sight: { outline: [[0, 35], [16, 39], [30, 51], [37.5, 70], [37, 89], [30, 113], [23, 137], [17, 156], [8, 166], [0, 167]], eye: [20.5, 83, 7.2], noseY: 139, muzzle: [18, 8], kind: 'plain', up: [22, 53, 10], down: [32, 55, -6], nose: 11.5 },
  molosser: { outline: [[0, 37], [26, 41], [48, 55], [59, 80], [59, 106], [56, 132], [47, 151], [26, 164], [0, 168]], eye: [26, 93, 6.8], noseY: 121, muzzle: [38, 14], kind: 'jowl', up: [38, 58, 14], down: [50, 58, -8], nose: 17 },
  flat: { outline: [[0, 46], [28, 49], [51, 62], [62, 86], [64, 110], [59, 136], [43, 155], [20, 164], [0, 165]], eye: [29, 101, 8.6], noseY: 112, muzzle: [39, 14], kind: 'flat', up: [38, 66, 14], down: [50, 66, -6], nose: 14 },
  hound: { outline: [[0, 34], [19, 38], [36, 52], [45, 75], [44, 98], [39, 122], [34, 146], [21, 164], [0, 169]], eye: [22, 92, 7.4], noseY: 130, muzzle: [27, 10], kind: 'plain', up: [30, 54, 10], down: [37, 64, -8], nose: 15 },
  spaniel: { outline: [[0, 35], [22, 39], [41, 54], [48, 79], [46, 104], [39, 128], [31, 150], [18, 162], [0, 165]], eye: [24, 96, 8.2], noseY: 124, muzzle: [26, 9], kind: 'plain', up: [32, 54, 14], down: [42, 74, -6], nose: 13.5 },
  terrier: { outline: [[0, 41], [22, 43], [39, 54], [45, 75], [44, 100], [41, 126], [38, 149], [24, 164], [0, 168]], eye: [22, 92, 7], noseY: 127, muzzle: [27, 11], kind: 'plain', up: [29, 56, 10], down: [34, 54, 2], nose: 13 },
  primitive: { outline: [[0, 42], [20, 46], [38, 58], [47, 79], [45, 100], [36, 124], [27, 146], [17, 161], [0, 167]], eye: [22, 92, 7.2], noseY: 132, muzzle: [22, 9], kind: 'plain', up: [30, 58, 10], down: [40, 60, -4], nose: 12 },
  egg: { outline: [[0, 34], [17, 37], [32, 51], [41, 76], [46, 106], [45, 136], [36, 158], [17, 168], [0, 170]], eye: [23, 90, 6.2], noseY: 137, muzzle: [31, 20], kind: 'none', up: [24, 52, 6], down: [34, 56, 0], nose: 15 },
  poodle: { outline: [[0, 43], [16, 46], [32, 58], [39, 81], [36, 104], [28, 130], [22, 150], [12, 163], [0, 166]], eye: [20, 91, 7.4], noseY: 134, muzzle: [20, 8], kind: 'plain', up: [26, 58, 8], down: [35, 64, -4], nose: 12 },
  round: { outline: [[0, 40], [28, 43], [50, 60], [58, 86], [57, 112], [49, 136], [34, 154], [18, 163], [0, 165]], eye: [25, 99, 8.8], noseY: 119, muzzle: [27, 9], kind: 'plain', up: [36, 60, 14], down: [46, 66, -4], nose: 12.5 },
  bull: { outline: [[0, 41], [25, 44], [46, 57], [57, 82], [58, 104], [52, 128], [40, 150], [22, 163], [0, 166]], eye: [27, 95, 7.2], noseY: 123, muzzle: [31, 12], kind: 'plain', up: [38, 58, 16], down: [47, 60, -4], nose: 15 },
  pinscher: { outline: [[0, 40], [19, 44], [36, 56], [44, 77], [43, 100], [35, 124], [27, 146], [17, 162], [0, 168]], eye: [21.5, 92, 7.2], noseY: 133, muzzle: [22, 9], kind: 'plain', up: [27, 57, 8], down: [37, 58, -4], nose: 12.5 },
}

/** The head of one dog: its family's shape with the traits' factors applied. */
export interface Geometry extends Omit<HeadShape, 'outline'> {
  outline: Point[]
  chin: number
  /** Half width of the widest place. */
  cheek: number
  top: number
}

/** Applies widths and muzzle length; the skull stays put and everything below the eyes moves with the nose. */
export function geometry(t: Traits): Geometry {
  const h = HEAD_SHAPES[t.family],
    eyeY = h.eye[1]
  const drop = t.noseDrop,
    span = 168 - eyeY
  const lower = (y: number) => (y <= eyeY ? y : y + drop * 0.6 * ((y - eyeY) / span))
  const outline = h.outline.map(([dx, y, s]): Point => [dx * t.wide, lower(y), s])
  return {
    ...h,
    outline,
    eye: [h.eye[0] * t.wide + t.eyeOut, eyeY, h.eye[2] * t.eyeSize],
    noseY: h.noseY + drop,
    muzzle: [h.muzzle[0] * t.muzzleWide, h.muzzle[1]],
    up: [h.up[0] * t.wide + t.earOut, h.up[1] - t.earUp, h.up[2] + t.earTurn],
    down: [h.down[0] * t.wide + t.earOut, h.down[1] - t.earUp, h.down[2] - t.earTurn],
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
