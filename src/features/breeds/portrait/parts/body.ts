/** Shoulders, bib, collar, tail. */
import type { Traits } from '#features/breeds/portrait/types.ts'
import { halfWidth, type Geometry } from './head-shapes.ts'
import { fill, n, nums, oval, Pen, stroke } from '#features/breeds/portrait/svg-path.ts'
import { furry } from './fur.ts'
import { shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'

/** Outline of neck and shoulders down to the lower edge. */
export function bodyPath(t: Traits, g: Geometry): string {
  // Behind the jaw the neck must be narrower than the head, or its corners would show.
  const b = t.body,
    k = t.neck,
    top = Math.min(k, halfWidth(g, 128) * t.scale - 3)
  return new Pen()
    .move(100 - b, 202)
    .cubic(100 - b + 3, 178, 100 - k - 3, 176, 100 - top, 128)
    .line(100 + top, 128)
    .cubic(100 + k + 3, 176, 100 + b - 3, 178, 100 + b, 202)
    .close()
}

/** Lighter chest, with tufts for long coats. */
export function bib(t: Traits): string {
  const w = Math.min(t.neck * 0.78, 34),
    o = oval(100, 190, w, 42)
  if (t.coat === 'smooth' || t.coat === 'hairless')
    return `<ellipse cx="100" cy="190" rx="${n(w)}" ry="42" fill="${t.pal.chest}"/>`
  return fill(furry(o, { count: 14, depth: 8, fall: 0.3 }), t.pal.chest)
}

/** Collar and tag; the band hangs between the sides of the neck. */
export function collar(t: Traits): string {
  if (t.collarKind === 'none') return ''
  const c = t.collar,
    w = t.neck + 4,
    y = 159,
    wide = t.collarKind === 'wide' ? 17 : 11,
    sag = 13
  const band = (top: number, high: number) =>
    new Pen()
      .move(100 - w, y + top)
      .quad(100, y + sag * 2 + top, 100 + w, y + top)
      .line(100 + w + high * 0.25, y + top + high)
      .quad(100, y + sag * 2 + top + high * 1.1, 100 - w - high * 0.25, y + top + high)
      .close()
  const mid = y + sag + wide * 1.02
  if (t.collarKind === 'bandana') {
    return (
      fill(
        new Pen()
          .move(100 - w - 2, y)
          .quad(100, y + 26, 100 + w + 2, y)
          .quad(100 + w * 0.5, y + 24, 100, 199)
          .quad(100 - w * 0.5, y + 24, 100 - w - 2, y)
          .close(),
        c,
      ) +
      fill(band(0, 8), shade(c, 0.16)) +
      stroke(`M${nums(91, 184)}h.1m18 0h.1m-9 7h.1m-20-13h.1m20 2h.1m20-2h.1`, '#fff', 3.4, 0.75)
    )
  }
  let s = fill(band(0, wide), c) + fill(band(0, 3.6), '#ffffff', ' opacity=".22"')
  if (t.collarKind === 'stripe')
    s += stroke(
      new Pen().move(100 - w + 3, y + 7).quad(100, y + 7 + sag * 2, 100 + w - 3, y + 7).d,
      '#ffffff',
      1.6,
      0.75,
    ).replace('/>', ' stroke-dasharray="4 5"/>')
  if (t.collarKind === 'bow')
    return (
      s +
      `<path d="M100 ${n(mid)}q-17-13-20-3t2 13q5 2 18-10q13 12 18 10t2-13q-3-10-20 3Z" fill="${tint(c, 0.18)}"/><circle cx="100" cy="${n(mid)}" r="4.6" fill="${shade(c, 0.2)}"/>`
    )
  return (
    s +
    `<circle cx="100" cy="${n(mid + 6)}" r="7.2" fill="${t.tag}"/><circle cx="98" cy="${n(mid + 4)}" r="2.3" fill="#fff" opacity=".6"/>`
  )
}

/** A curled tail that shows behind the shoulder: a thick round-ended curl. */
export function tail(t: Traits): string {
  if (t.tail !== 'curl') return ''
  const fluffy = t.coat !== 'smooth' && t.coat !== 'hairless',
    w = fluffy ? 18 : 9.5,
    r = fluffy ? 11 : 9,
    x = 100 + t.body * 0.92,
    c = shade(t.pal.body, 0.05)
  const d = `M${nums(x - 12, 196)}c14-4 20-14 17-27c-2-9-13-11-16-3a${nums(r * 0.55, r * 0.55)} 0 0 0 6 9`
  return (
    stroke(d, c, w) +
    (fluffy ? stroke(`M${nums(x - 3, 190)}c9-5 11-13 9-21c-2-7-9-9-13-3`, shade(c, 0.22), 2.2, 0.45) : '')
  )
}
