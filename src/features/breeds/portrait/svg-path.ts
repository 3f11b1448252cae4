/** Path building: numbers, a pen, smooth closed outlines. Points run clockwise so that outward normals agree. */
import type { Point } from './types.ts'

/** Number as short text, one decimal. */
export function n(v: number): string {
  const s = String(Math.round(v * 10) / 10)
  return s === '-0' ? '0' : s.replace(/^(-?)0\./, '$1.')
}

/** Numbers joined as a path wants them: a minus sign separates by itself. */
export const nums = (...vs: number[]): string => vs.map(n).reduce((a, s) => a + (a && s[0] !== '-' ? ' ' : '') + s, '')

/** A pen that writes relative commands; it remembers the rounded position, so rounding never drifts. */
export class Pen {
  d = ''
  x = 0
  y = 0
  /** Steps per unit that coordinates are rounded to: 10, or fewer where an edge is ragged anyway. */
  private readonly steps: number
  constructor(steps = 10) {
    this.steps = steps
  }
  private round(v: number) {
    return Math.round(v * this.steps) / this.steps
  }
  private to(x: number, y: number) {
    this.x = this.round(x - this.x) + this.x
    this.y = this.round(y - this.y) + this.y
  }
  move(x: number, y: number) {
    this.x = this.round(x)
    this.y = this.round(y)
    this.d += `M${nums(this.x, this.y)}`
    return this
  }
  line(x: number, y: number) {
    this.d += `l${nums(this.round(x - this.x), this.round(y - this.y))}`
    this.to(x, y)
    return this
  }
  quad(cx: number, cy: number, x: number, y: number) {
    this.d += `q${nums(this.round(cx - this.x), this.round(cy - this.y), this.round(x - this.x), this.round(y - this.y))}`
    this.to(x, y)
    return this
  }
  cubic(ax: number, ay: number, bx: number, by: number, x: number, y: number) {
    this.d += `c${nums(this.round(ax - this.x), this.round(ay - this.y), this.round(bx - this.x), this.round(by - this.y), this.round(x - this.x), this.round(y - this.y))}`
    this.to(x, y)
    return this
  }
  arc(r: number, x: number, y: number) {
    this.d += `a${nums(r, r)} 0 0 1 ${nums(this.round(x - this.x), this.round(y - this.y))}`
    this.to(x, y)
    return this
  }
  close() {
    this.d += 'Z'
    return this.d
  }
}

/** Full outline from a right half given as [distance from the middle, y], top to bottom. */
export function symmetric(half: readonly Point[], cx = 100): Point[] {
  const right = half.map(([dx, y, s]): Point => [cx + dx, y, s])
  const left = half
    .filter(([dx]) => dx > 0.01)
    .map(([dx, y, s]): Point => [cx - dx, y, s])
    .reverse()
  return [...right, ...left]
}

/** Bézier handles of the closed Catmull-Rom curve through the points. */
export function segments(pts: readonly Point[]): [Point, Point, Point, Point][] {
  const m = pts.length,
    at = (i: number) => pts[(i + m) % m]!
  const out: [Point, Point, Point, Point][] = []
  for (let i = 0; i < m; i++) {
    const a = at(i - 1),
      b = at(i),
      c = at(i + 1),
      d = at(i + 2)
    const kb = (1 - (b[2] ?? 0)) / 6,
      kc = (1 - (c[2] ?? 0)) / 6
    out.push([
      b,
      [b[0] + (c[0] - a[0]) * kb, b[1] + (c[1] - a[1]) * kb],
      [c[0] - (d[0] - b[0]) * kc, c[1] - (d[1] - b[1]) * kc],
      c,
    ])
  }
  return out
}

/** Smooth closed path through the points. */
export function smooth(pts: readonly Point[], steps = 10): string {
  const [[x, y] = [0, 0]] = pts,
    pen = new Pen(steps).move(x, y)
  for (const [, p, q, c] of segments(pts)) pen.cubic(p[0], p[1], q[0], q[1], c[0], c[1])
  return pen.close()
}

/** Ellipse as eight points for smooth() and furry(). */
export const oval = (cx: number, cy: number, rx: number, ry: number): Point[] => {
  const out: Point[] = []
  for (let i = 0; i < 8; i++) {
    const a = (i / 8) * Math.PI * 2 - Math.PI / 2
    out.push([cx + Math.cos(a) * rx, cy + Math.sin(a) * ry])
  }
  return out
}

/** A filled path element. */
export const fill = (d: string, colour: string, extra = ''): string => `<path d="${d}" fill="${colour}"${extra}/>`

/** A round-capped line. */
export const stroke = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`

const n2 = (v: number) => String(Math.round(v * 100) / 100).replace(/^0\./, '.')

/** The drawing and its mirror image about x = 100. A placeholder until the id prefix is known; not nestable. */
export const mirror = (s: string): string => s && `<m>${s}</m>`

/** Replaces mirror placeholders: short parts are repeated, long ones are referred to by id. */
export function resolveMirrors(svg: string, id: string): string {
  let k = 0
  return svg.replace(/<m>(.*?)<\/m>/gs, (_, s: string) => {
    const flip = 'transform="matrix(-1 0 0 1 200 0)"'
    if (s.length < 110) return `${s}<g ${flip}>${s}</g>`
    const name = `${id}m${k++}`
    return `<g id="${name}">${s}</g><use href="#${name}" ${flip}/>`
  })
}
