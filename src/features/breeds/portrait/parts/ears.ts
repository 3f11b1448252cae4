/** Ear shapes. Local coordinates: root at 0,0; +x outwards, +y down; drawn for the right side of the picture and mirrored. */
import type { EarKind, Point, Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, smooth, stroke, Pen } from '#features/breeds/portrait/svg-path.ts'
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
  rose: { front: false, outer: [[-14, 12], [-4, -10], [16, -13], [32, -3, 0.6], [30, 9], [18, 17], [2, 18]], inner: [[3, 0], [16, -5], [26, 0, 0.5], [22, 8], [10, 11]] },
  button: { front: true, outer: [[-19, -4], [-4, -13, 0.2], [16, -9], [24, 4], [17, 22], [5, 35, 0.7], [-6, 16]] },
  fold: { front: true, outer: [[-17, -4], [-2, -13], [17, -8], [28, 10], [30, 32], [18, 49, 0.45], [4, 38], [-6, 16]] },
  vee: { front: true, outer: [[-15, -2], [0, -10], [17, -4], [24, 14], [19, 38, 0.4], [4, 32], [-7, 14]] },
  drop: { front: true, outer: [[-16, -4], [2, -12], [20, -2], [28, 22], [26, 48], [12, 60], [-2, 48], [-9, 20]] },
  long: { front: true, outer: [[-12, -10], [2, -14], [18, 0], [28, 34], [31, 66], [22, 88], [6, 88], [-5, 66], [-8, 24]] },
  hound: { front: true, outer: [[-11, -8], [4, -14], [19, 0], [26, 36], [34, 70], [32, 100], [18, 112], [4, 98], [-6, 66], [-8, 26]] },
}

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
  const away = front ? (y - rootY - 8) / 30 : 1
  return Math.max(0, Math.min(1, away)) * (x > 0 ? 1 : 0)
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
      d = furry(outer, { count: t.ear === 'long' || t.ear === 'hound' ? 19 : 15, depth: 5, kind: 'curl' })
    else if (t.coat === 'long' || t.coat === 'mane' || t.coat === 'silky')
      d = furry(outer, { count: 26, depth: 9 * t.fluff, where, fall: 0.9, random })
    else if (t.coat === 'shaggy') d = furry(outer, { count: 22, depth: 10 * t.fluff, where, fall: 0.8, random })
    else if (t.coat === 'wire' && t.fluff > 0.9)
      d = furry(outer, { count: 24, depth: 3.2, kind: 'wire', where, random })
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
  if (e.inner && t.ear !== 'semi') s += fill(smooth(place(e.inner, t, g, false)), t.pal.inner)
  else if (e.inner) s += fill(smooth(place(e.inner, t, g, false)), shade(colour, 0.25))
  if (e.flap) s += fill(smooth(place(e.flap, t, g, false)), tint(colour, 0.1))
  const long = !e.front && ['long', 'fluffy', 'mane', 'medium', 'silky'].includes(t.coat)
  if (long && e.inner && t.ear !== 'semi') {
    // Hair at the mouth of the ear softens the edge between skull and ear.
    const [rx, ry] = g.up,
      p = new Pen().move(100 + rx - 14, ry + 10)
    p.quad(100 + rx - 6, ry - 6, 100 + rx - 3, ry - 15)
      .quad(100 + rx, ry - 6, 100 + rx + 4, ry - 8)
      .quad(100 + rx + 4, ry, 100 + rx + 10, ry + 12)
    s += fill(p.close(), t.pal.top)
  }
  if (e.front && (t.coat === 'silky' || t.coat === 'long') && (t.ear === 'long' || t.ear === 'hound')) {
    const at = placer(t, g, true),
      [x0, y0] = at([4, 40]),
      [x1, y1] = at([10, 66]),
      w = new Pen().move(x0, y0).quad(x0 - 4, y1 - 14, x1 - 8, y1)
    const [x2, y2] = at([12, 34]),
      [x3, y3] = at([18, 58]),
      v = new Pen().move(x2, y2).quad(x2 + 5, y3 - 12, x3 - 1, y3 + 6)
    s += stroke(w.d + v.d, shade(colour, 0.35), 2, 0.35)
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
    ' opacity=".13"',
  )
}
