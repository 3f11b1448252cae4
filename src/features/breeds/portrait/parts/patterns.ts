/** Scattered coat patterns: dots, specks, blotches, stripes. Seeded per breed, so they never jump. */
import type { Point, Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { fill, nums, Pen, smooth, stroke } from '#features/breeds/portrait/svg-path.ts'
import { between, rng, type Rng } from '#features/breeds/portrait/seeded-random.ts'

type Where = 'head' | 'body' | 'muzzle'

/** A place for a pattern element that keeps clear of eyes and nose. */
function place(r: Rng, g: Geometry, where: Where, clear: number): [number, number] {
  for (let i = 0; i < 30; i++) {
    const x =
      where === 'body'
        ? between(r, 30, 170)
        : where === 'muzzle'
          ? 100 + between(r, -1, 1) * g.muzzle[0] * 0.8
          : 100 + between(r, -1, 1) * g.cheek
    const y =
      where === 'body'
        ? between(r, 160, 198)
        : where === 'muzzle'
          ? between(r, g.noseY - 8, g.noseY + 22)
          : between(r, g.top + 3, g.chin - 8)
    const eye = Math.hypot(Math.abs(x - 100) - g.eye[0], y - g.eye[1]),
      nose = Math.hypot((x - 100) / 1.3, y - g.noseY)
    // Spots beneath the muzzle would show as cut halves.
    if (where === 'head' && Math.abs(x - 100) < g.muzzle[0] + clear && y > g.noseY - 14 - clear) continue
    if (eye > g.eye[2] + clear && nose > g.nose * 0.8 + clear) return [x, y]
  }
  return [100, g.top + 8]
}

/** Round spots of the Dalmatian. */
export function dots(t: Traits, g: Geometry, where: Where): string {
  const r = rng(t.seed + where),
    done: [number, number, number][] = []
  let d = ''
  const [lo, hi, many] = where === 'muzzle' ? [1.1, 2.2, 7] : [2.6, 6.2, where === 'head' ? 15 : 13]
  for (let i = 0; i < 80 && done.length < many; i++) {
    const size = between(r, lo, hi),
      [x, y] = place(r, g, where, size + 1)
    if (done.some(([a, b, s]) => Math.hypot(a - x, b - y) < s + size + 3)) continue
    done.push([x, y, size])
    d += `M${nums(x - size, y)}a${nums(size, size * 0.88)} 0 1 0 ${nums(size * 2, 0)}a${nums(size, size * 0.88)} 0 1 0 ${nums(-size * 2, 0)}`
  }
  return fill(d, t.pal.second)
}

/** Ticking (level 1) or roan (level 2): tiny strokes, one path. */
export function specks(t: Traits, g: Geometry, where: Where, level: 1 | 2): string {
  const r = rng(t.seed + where + 's'),
    count = where === 'muzzle' ? 10 : level === 1 ? 22 : 32
  let d = '',
    lastX = 0,
    lastY = 0
  for (let i = 0; i < count; i++) {
    const [x, y] = place(r, g, where, 2).map(Math.round) as [number, number]
    d += `${i ? 'm' : 'M'}${nums(x - lastX, y - lastY)}v1`
    ;[lastX, lastY] = [x, y + 1]
  }
  return stroke(d, t.pal.second, level === 2 ? 2.4 : 2.2, where === 'head' ? 0.5 : 0.55)
}

/** Irregular blotches of merle, or the torn patches of a harlequin. */
export function blotches(t: Traits, g: Geometry, where: Where, torn: boolean): string {
  const r = rng(t.seed + where + 'b'),
    count = where === 'head' ? 6 : 4
  let d = ''
  for (let i = 0; i < count; i++) {
    const size = torn ? between(r, 7, 13) : between(r, 4, 10),
      [x, y] = place(r, g, where, torn ? size * 0.6 + 3 : size * 0.4 + 2),
      pts: Point[] = [],
      k = torn ? 8 : 5,
      a0 = r() * 6
    for (let j = 0; j < k; j++) {
      const a = a0 + (j / k) * Math.PI * 2,
        q = size * between(r, torn ? 0.5 : 0.65, torn ? 1.35 : 1.2)
      pts.push([x + Math.cos(a) * q * 1.1, y + Math.sin(a) * q])
    }
    d += smooth(pts, 1)
  }
  return fill(d, t.pal.second, torn ? '' : ' opacity=".75"')
}

/** Brindle: tapering stripes that run from the middle down and outwards. */
export function brindleStripes(t: Traits, g: Geometry, where: Where): string {
  const r = rng(t.seed + where + 'z')
  let d = ''
  const stripe = (x: number, y: number, side: number, len: number, out: number) => {
    const w = between(r, 1.6, 2.9),
      p = new Pen(2).move(x, y)
    p.quad(x + side * (out * 0.6 + w), y + len * 0.35, x + side * out, y + len).quad(
      x + side * (out * 0.4 - w),
      y + len * 0.4,
      x,
      y,
    )
    d += p.close()
  }
  for (const side of [1, -1]) {
    if (where === 'head') {
      for (let i = 0; i < 5; i++)
        stripe(100 + side * (8 + i * 8.5), g.top + 2 + i * 4 + r() * 4, side, between(r, 20, 32), between(r, 1, 5))
      for (let i = 0; i < 3; i++)
        stripe(100 + side * (g.cheek - 4 - i * 7), g.eye[1] + 8 + i * 9, -side, between(r, 15, 24), between(r, 4, 8))
    } else
      for (let i = 0; i < 5; i++)
        stripe(100 + side * (26 + i * 11), 166 + i * 4, side, between(r, 20, 34), between(r, 4, 9))
  }
  return fill(d, t.pal.second, ' opacity=".6"')
}
