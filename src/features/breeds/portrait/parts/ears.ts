/** Ear shapes. Local coordinates: root at 0,0; +x outwards, +y down; drawn for the right side of the picture and mirrored. */
import type { EarKind, Point, Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { luma, shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, oval, smooth, stroke, Pen } from '#features/breeds/portrait/svg-path.ts'
import { furry } from './fur.ts'
import { rng } from '#features/breeds/portrait/seeded-random.ts'

interface EarShape {
  outer: readonly Point[]
  inner?: readonly Point[]
  /** Tip that falls forward. */
  flap?: readonly Point[]
  /** Hanging ears lie over the head; the others stand behind it. */
  front: boolean
}

// A table of coordinates, one shape per line.
// prettier-ignore
const EARS: Record<EarKind, EarShape> = {
  erect: { front: false, outer: [[-17, 14], [-11, -16], [5, -46, 0.75], [17, -24], [22, 18]], inner: [[-9, 10], [-5, -14], [5, -35, 0.7], [12, -18], [14, 12]] },
  bat: { front: false, outer: [[-19, 14], [-18, -16], [-6, -42], [7, -48], [18, -34], [22, -8], [21, 18]], inner: [[-11, 12], [-11, -14], [-2, -34], [6, -38], [12, -26], [15, -4], [13, 14]] },
  small: { front: false, outer: [[-16, 12], [-10, -12], [6, -33, 0.65], [17, -16], [22, 16]], inner: [[-8, 10], [-4, -9], [6, -23, 0.6], [11, -11], [14, 12]] },
  bear: { front: false, outer: [[-15, 12], [-13, -8], [3, -21], [17, -13], [21, 14]], inner: [[-7, 8], [-6, -5], [4, -12], [11, -7], [12, 10]] },
  tall: { front: false, outer: [[-15, 14], [-12, -22], [5, -60, 0.75], [17, -32], [20, 14]], inner: [[-8, 10], [-6, -20], [5, -47, 0.7], [12, -24], [12, 10]] },
  wing: { front: false, outer: [[-20, 16], [-19, -16], [-4, -44, 0.3], [12, -48, 0.3], [21, -28], [24, 16]], inner: [[-12, 14], [-11, -12], [0, -34, 0.3], [10, -37, 0.3], [14, -20], [14, 14]] },
  butterfly: { front: false, outer: [[-14, 16], [-16, -14], [-6, -44], [12, -54], [30, -38], [34, -8], [22, 26]], inner: [[-7, 12], [-8, -12], [0, -34], [11, -42], [20, -28], [20, 0], [11, 18]] },
  semi: { front: false, outer: [[-17, 14], [-12, -14], [-4, -30], [10, -33], [21, -14], [22, 18]], inner: [[-9, 12], [-6, -10], [2, -22], [9, -22], [13, -8], [13, 14]], flap: [[-8, -26, 0.3], [4, -37, 0.2], [20, -27], [23, -11], [16, 0, 0.75], [4, -13]] },
  tulip: { front: false, outer: [[-16, 14], [-14, -16], [-4, -37], [5, -42], [14, -34], [20, -10], [20, 16]], inner: [[-9, 12], [-8, -13], [-1, -29], [5, -32], [11, -25], [13, -6], [12, 12]] },
  prick: { front: false, outer: [[-12, 14], [-9, -18], [3, -48, 0.85], [11, -22], [14, 14]], inner: [[-6, 10], [-4, -15], [3, -36, 0.8], [7, -18], [8, 10]] },
  hooded: { front: false, outer: [[-17, 12], [-12, -11], [-1, -29, 0.5], [15, -18], [23, 14]], inner: [[-8, 8], [-5, -8], [1, -19, 0.5], [10, -11], [14, 10]] },
  blunt: { front: false, outer: [[-16, 14], [-13, -14], [-1, -37, 0.2], [7, -38, 0.2], [18, -20], [21, 18]], inner: [[-8, 10], [-6, -11], [1, -27, 0.2], [6, -28, 0.2], [12, -14], [14, 12]] },
  tipped: { front: false, outer: [[-13, 14], [-12, -14], [-6, -30], [6, -37], [15, -27], [18, -6], [17, 16]], inner: [[-7, 12], [-6, -10], [-1, -22], [7, -22], [11, -6], [10, 13]], flap: [[-9, -27, 0.3], [2, -41, 0.2], [17, -29], [17, -17], [8, -6, 0.8], [-1, -17]] },
  rose: { front: false, outer: [[-15, 12], [-9, -9], [6, -17], [22, -12], [35, 2, 0.75], [26, 10], [13, 12], [4, 20]], inner: [[-1, 6], [5, -5], [17, -6], [28, 1, 0.6], [16, 6], [6, 13]], flap: [[-14, 9], [-8, -9], [6, -16], [19, -12, 0.6], [6, -5], [0, 5], [-6, 13]] },
  roseBack: { front: false, outer: [[-12, 10], [-5, -9], [9, -13], [22, -3], [33, 17, 0.85], [20, 14], [10, 14], [2, 18]], inner: [[2, 4], [8, -4], [18, 2], [27, 13, 0.7], [15, 10], [7, 12]], flap: [[-11, 8], [-5, -9], [8, -12], [18, -5, 0.6], [7, -2], [1, 6], [-4, 12]] },
  button: { front: true, outer: [[-19, -4], [-4, -13, 0.2], [16, -9], [24, 4], [17, 22], [5, 35, 0.7], [-6, 16]] },
  highButton: { front: true, outer: [[-14, 2], [-14, -17], [-6, -24, 0.3], [15, -22, 0.3], [21, -8], [8, 17, 0.85], [-3, 8]] },
  highFold: { front: true, outer: [[-14, -4], [-3, -14], [13, -12], [24, 4], [25, 24], [14, 43, 0.5], [3, 30], [-7, 12]] },
  pendant: { front: true, outer: [[-15, -2], [2, -11], [19, -1], [27, 20], [24, 42], [12, 54, 0.45], [0, 36], [-9, 14]] },
  leaf: { front: true, outer: [[-13, -5], [3, -13], [18, -3], [26, 24], [27, 54], [17, 73], [5, 62], [-3, 36], [-9, 12]] },
  filbert: { front: true, outer: [[-8, -8], [4, -13], [15, 0], [22, 26], [22, 48], [14, 64], [5, 52], [-2, 30], [-8, 10]] },
  lobe: { front: true, outer: [[-9, -10], [3, -14], [15, 0], [27, 30], [34, 58], [27, 82], [11, 88], [-3, 74], [-8, 46], [-9, 18]] },
  pointed: { front: true, outer: [[-10, -8], [4, -13], [18, 2], [25, 36], [29, 72], [21, 102, 0.6], [7, 80], [-3, 50], [-8, 20]] },
  curled: { front: true, outer: [[-9, -8], [4, -13], [13, 2], [17, 30], [25, 58], [26, 86], [15, 108, 0.4], [4, 90], [3, 60], [-3, 36], [-8, 14]] },
  fold: { front: true, outer: [[-17, -4], [-2, -13], [17, -8], [28, 10], [30, 32], [18, 49, 0.45], [4, 38], [-6, 16]] },
  vee: { front: true, outer: [[-15, -2], [0, -10], [17, -4], [24, 14], [19, 38, 0.4], [4, 32], [-7, 14]] },
  drop: { front: true, outer: [[-16, -4], [2, -12], [20, -2], [28, 22], [26, 48], [12, 60], [-2, 48], [-9, 20]] },
  long: { front: true, outer: [[-12, -10], [2, -14], [18, 0], [28, 34], [31, 66], [22, 88], [6, 88], [-5, 66], [-8, 24]] },
  hound: { front: true, outer: [[-11, -8], [4, -14], [19, 0], [26, 36], [34, 70], [32, 100], [18, 112], [4, 98], [-6, 66], [-8, 26]] },
}

/** Ears that reach the jaw. */
const LONG_EARS: ReadonlySet<EarKind> = new Set(['long', 'lobe', 'hound', 'pointed', 'curled', 'leaf', 'filbert'])

/** True when the ears lie over the head. */
export const earsInFront = (t: Traits): boolean => EARS[t.ear].front

/** Moves local points to the canvas, right-hand side. */
const place = (pts: readonly Point[], t: Traits, g: Geometry, front: boolean): Point[] => pts.map(placer(t, g, front))

function placer(t: Traits, g: Geometry, front: boolean): (point: Point) => Point {
  const [rx, ry, turn] = front ? g.down : g.up,
    a = (turn * Math.PI) / 180,
    c = Math.cos(a),
    s = Math.sin(a)
  return ([x, y, k]) => {
    const px = x * t.earWide,
      py = y * (y < 0 === front ? 1 : t.earLen)
    return [100 + rx + px * c - py * s, ry + px * s + py * c, k]
  }
}

/** Share of fur along an ear: the root stays smooth so that it never opens a gap at the skull. */
const fringe = (rootY: number, front: boolean) => (x: number, y: number) => {
  const share = front ? (y - rootY - 8) / 30 : 1
  return Math.max(0, Math.min(1, share)) * (x > 0 ? 1 : 0)
}

/** One ear on the right side of the picture, in the colour given. */
export function ear(t: Traits, g: Geometry, colour: string): string {
  const e = EARS[t.ear],
    outer = place(e.outer, t, g, e.front),
    random = rng(t.seed + 'ear')
  const rootY = e.front ? g.down[1] : g.up[1],
    where = fringe(rootY, e.front)
  let d = smooth(outer)
  if (e.front) {
    if (t.coat === 'curly' || t.coat === 'corded')
      d = furry(outer, { count: LONG_EARS.has(t.ear) ? 19 : 15, depth: 5, kind: 'curl' })
    else if (t.coat === 'long' || t.coat === 'mane' || t.coat === 'silky')
      d = furry(outer, { count: 22, depth: 9 * t.fluff, where, fall: 0.9, random })
    else if (t.coat === 'shaggy') d = furry(outer, { count: 22, depth: 10 * t.fluff, where, fall: 0.8, random })
    else if (t.coat === 'wire' && t.fluff > 0.9)
      d = furry(outer, { count: 20, depth: 3.4, kind: 'wire', where, random })
  } else if (t.ear === 'butterfly') {
    // The papillon's butterfly: locks hang from the outer edge only.
    d = furry(outer, {
      count: 26,
      depth: 15,
      where: (x, y) => (x > 100 + g.up[0] + 14 && y > 12 ? 1 : 0),
      fall: 0.9,
      random,
    })
  } else if (t.coat === 'hairless' && t.hair === 'crest') {
    d = furry(outer, {
      count: 22,
      depth: 12,
      where: (x, y) => (x > 100 + g.up[0] + 8 && y > 20 ? 1 : 0),
      fall: 1,
      random,
    })
  } else if (t.coat === 'wire' || t.coat === 'shaggy') {
    d = furry(outer, { count: 22, depth: 3, kind: 'wire', random })
  }
  let s = fill(d, colour)
  if (e.inner && t.ear !== 'semi' && t.ear !== 'tipped') s += fill(smooth(place(e.inner, t, g, false)), t.pal.inner)
  else if (e.inner) s += fill(smooth(place(e.inner, t, g, false)), shade(colour, 0.25))
  if (e.flap) s += fill(smooth(place(e.flap, t, g, false)), tint(colour, 0.1))
  const long = !e.front && ['long', 'fluffy', 'mane', 'medium', 'silky'].includes(t.coat)
  if (long && e.inner && !e.flap) {
    // Hair at the mouth of the ear softens the edge between skull and ear.
    const [rx, ry] = g.up,
      p = new Pen().move(100 + rx - 14, ry + 10)
    p.quad(100 + rx - 6, ry - 6, 100 + rx - 3, ry - 15)
      .quad(100 + rx, ry - 6, 100 + rx + 4, ry - 8)
      .quad(100 + rx + 4, ry, 100 + rx + 10, ry + 12)
    s += fill(p.close(), t.pal.top)
  }
  if (e.front && (t.coat === 'silky' || t.coat === 'long') && LONG_EARS.has(t.ear)) {
    const at = placer(t, g, true),
      [x0, y0] = at([4, 40]),
      [x1, y1] = at([10, 66]),
      w = new Pen().move(x0, y0).quad(x0 - 4, y1 - 14, x1 - 8, y1)
    const [x2, y2] = at([12, 34]),
      [x3, y3] = at([18, 58]),
      v = new Pen().move(x2, y2).quad(x2 + 5, y3 - 12, x3 - 1, y3 + 6)
    s += stroke(w.d + v.d, shade(colour, 0.35), 2, 0.35)
  }
  if (t.ear === 'filbert') {
    // The tassel of silky hair at the tip.
    const [x, y] = placer(t, g, true)([14, 54])
    s += fill(furry(oval(x, y + 3, 11, 15), { count: 11, depth: 7, fall: 0.7, random }), t.pal.top)
  }
  if (t.ear === 'curled') {
    // The leather turns inwards: a fold along its length.
    const at = placer(t, g, true),
      [x0, y0] = at([8, 12]),
      [x1, y1] = at([19, 62]),
      [x2, y2] = at([14, 96])
    s += stroke(
      new Pen()
        .move(x0, y0)
        .quad(x0 + 2, y1 - 18, x1, y1)
        .quad(x1 + 3, y2 - 14, x2, y2).d,
      shade(colour, 0.4),
      2.6,
      0.5,
    )
  }
  return s
}

/** Shadow that a hanging ear casts on the cheek, drawn beneath the ear. */
export function earShadow(t: Traits, g: Geometry): string {
  const e = EARS[t.ear]
  if (!e.front) return ''
  return fill(
    smooth(place(e.outer, t, g, true).map(([x, y, k]): Point => [x - 3, y + 2, k])),
    '#1d1208',
    ` opacity="${luma(t.pal.base) < 0.3 ? '.3' : '.13'}"`,
  )
}
