/** Furry edges: locks, curls or wire along any closed outline. */
import type { Point } from '#features/breeds/portrait/types.ts'
import { Pen, segments } from '#features/breeds/portrait/svg-path.ts'
import type { Rng } from '#features/breeds/portrait/seeded-random.ts'

/** Points evenly spaced along the smooth closed outline, with outward normals: [x, y, nx, ny]. */
export function pointsAlong(pts: readonly Point[], count: number): [number, number, number, number][] {
  const dense: [number, number][] = []
  for (const [a, p, q, b] of segments(pts)) {
    for (let k = 0; k < 12; k++) {
      const t = k / 12,
        u = 1 - t
      dense.push([
        u * u * u * a[0] + 3 * u * u * t * p[0] + 3 * u * t * t * q[0] + t * t * t * b[0],
        u * u * u * a[1] + 3 * u * u * t * p[1] + 3 * u * t * t * q[1] + t * t * t * b[1],
      ])
    }
  }
  const m = dense.length,
    len: number[] = [0]
  const at = (i: number) => dense[(i + m) % m]!
  let total = 0
  for (const [i, a] of dense.entries()) {
    const b = at(i + 1)
    len.push((total += Math.hypot(b[0] - a[0], b[1] - a[1])))
  }
  const out: [number, number, number, number][] = []
  let j = 0
  for (let i = 0; i < count; i++) {
    const want = (total * i) / count
    while (len[j + 1]! < want) j++
    const a = at(j),
      b = at(j + 1),
      start = len[j]!,
      t = (want - start) / (len[j + 1]! - start || 1)
    const p = at(j - 2),
      q = at(j + 3),
      l = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1
    out.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, (q[1] - p[1]) / l, -(q[0] - p[0]) / l])
  }
  return out
}

export interface FurOptions {
  /** Number of locks around; even keeps a symmetric outline symmetric. */
  count: number
  /** Length of a lock, units. */
  depth: number
  kind?: 'tuft' | 'curl' | 'wire'
  /** Share of the depth at a place; 0 leaves the edge smooth there. */
  where?: (x: number, y: number) => number
  /** How far locks hang, as a share of the depth. */
  fall?: number
  random?: Rng
}

/** The outline with an edge of locks, curls or wire. */
export function furry(pts: readonly Point[], f: FurOptions): string {
  const p = pointsAlong(pts, f.count),
    [[x, y] = [0, 0]] = p,
    // A ragged edge needs no tenths of a unit.
    pen = new Pen(f.kind === 'curl' ? 2 : 1).move(x, y),
    fall = f.fall ?? 0.45
  for (const [i, a] of p.entries()) {
    const b = p[(i + 1) % p.length]!,
      mx = (a[0] + b[0]) / 2,
      my = (a[1] + b[1]) / 2
    let nx = a[2] + b[2],
      ny = a[3] + b[3]
    const l = Math.hypot(nx, ny) || 1
    nx /= l
    ny /= l
    const k = f.where ? f.where(mx, my) : 1,
      jit = f.random ? 0.75 + f.random() * 0.5 : 1,
      d = f.depth * k * jit
    const chord = Math.hypot(b[0] - a[0], b[1] - a[1])
    if (k < 0.08) {
      pen.quad(mx + nx * chord * 0.06, my + ny * chord * 0.06, b[0], b[1])
      continue
    }
    if (f.kind === 'curl') {
      pen.arc(chord * 0.54 + 0.3, b[0], b[1])
      continue
    }
    // Locks hang: the tip slides along the edge towards the ground.
    const tx = mx + nx * d,
      ty = my + ny * d + fall * d,
      thick = f.kind === 'wire' ? 0.15 : 0.42
    pen
      .quad(a[0] + nx * d * thick, a[1] + ny * d * thick, tx, ty)
      .quad(b[0] + nx * d * 0.12, b[1] + ny * d * 0.12, b[0], b[1])
  }
  return pen.close()
}
