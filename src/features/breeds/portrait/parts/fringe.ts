/** Hair over the face: fringes, curtains, bows and cords. */
import type { Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { luma, shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, mirror, nums, Pen, stroke } from '#features/breeds/portrait/svg-path.ts'
import { between, rng } from '#features/breeds/portrait/seeded-random.ts'

/** Colour of the lines that tell single locks apart. */
const strandColour = (c: string): string => (luma(c) < 0.3 ? tint(c, 0.2) : shade(c, 0.28))

/** Hair that falls over the face, drawn after the eyes. */
export function frontHair(t: Traits, g: Geometry): string {
  const y = g.top,
    [ex, ey, r] = g.eye,
    c = t.pal.top,
    random = rng(t.seed + 'front')
  let s = ''
  if (t.hair === 'fringe') {
    const p = new Pen().move(100 - ex - 20, ey - 4),
      w = g.cheek * 0.92
    p.cubic(100 - w - 2, y + 20, 100 - w * 0.5, y - 8, 100, y - 7).cubic(
      100 + w * 0.5,
      y - 8,
      100 + w + 2,
      y + 20,
      100 + ex + 20,
      ey - 4,
    )
    // Locks end at staggered heights and leave most of each eye free.
    const stops: [number, number][] = [
      [ex + 11, ey - r - 1],
      [ex + 5, ey - r + 5],
      [ex - 1, ey - r - 3],
      [ex - 8, ey - r + 6],
      [8, ey - r - 4],
      [0, ey - r + 9],
    ]
    const all = [
      ...stops,
      ...stops
        .slice(0, -1)
        .reverse()
        .map(([a, b]): [number, number] => [-a, b + (random() - 0.5) * 4]),
    ]
    let px = 100 + ex + 20
    for (const [a, b] of all) {
      const x = 100 + a
      p.quad((px + x) / 2 + 1, b - 8, x, b)
      px = x
    }
    p.quad(100 - ex - 16, ey - 12, 100 - ex - 20, ey - 4)
    s +=
      fill(p.close(), c) +
      stroke(
        `M${nums(100, y + 4)}q-14 8-20 ${nums(ey - y - 24)}M${nums(101, y + 4)}q14 8 20 ${nums(ey - y - 24)}M100 ${nums(y + 6)}v${nums(ey - y - 26)}`,
        strandColour(c),
        1.8,
        0.35,
      )
  }
  if (t.hair === 'cordfringe') {
    // Woolly strings over the brow, longest at the sides.
    let a = '',
      b = ''
    const strands = [
      [-34, 18],
      [-25, 1],
      [-15, -3],
      [-5, 5],
      [5, 1],
      [15, -1],
      [25, -2],
      [34, 17],
    ] as const
    strands.forEach(([x, down], i) => {
      const d = `M${nums(100 + x * 0.6, y + 10)}Q${nums(100 + x * 1.05, y + 14, 100 + x * 1.15, ey - r - 9 + down)}`
      if (i % 2) a += d
      else b += d
    })
    s += stroke(a, luma(c) < 0.3 ? tint(c, 0.1) : shade(c, 0.12), 9) + stroke(b, c, 9)
  }
  if (t.hair === 'parting' || t.hair === 'bow') s += curtains(t, g)
  if (t.hair === 'bow') s += bow(g, t.collar)
  if (t.hair === 'cords') s += cords(t, g, 'front')
  return s
}

/** Straight hair that falls from a centre parting on both sides of the face. */
function curtains(t: Traits, g: Geometry): string {
  const [ex, ey, r] = g.eye,
    y = g.top,
    w = g.cheek,
    end = Math.min(198, 168 + 12 * t.fluff),
    inX = Math.max(ex + r + 1, g.muzzle[0] + 5)
  const p = new Pen().move(100, y - 5)
  p.cubic(100 + w * 0.7, y - 8, 100 + w + 11, y + 26, 100 + w + 12, ey + 8).cubic(
    100 + w + 14,
    ey + 40,
    100 + w + 10,
    end - 22,
    100 + w + 6,
    end,
  )
  p.quad(100 + w, end - 7, 100 + w - 3, end - 4)
    .quad(100 + w - 8, end + 3, 100 + w - 12, end + 5)
    .quad(100 + w - 14, end - 8, 100 + w - 18, end - 7)
    .line(100 + w - 24, end - 1)
  p.cubic(100 + inX + 1, end - 26, 100 + inX - 2, ey + 26, 100 + inX + 1, ey + 4).cubic(
    100 + ex + r - 2,
    ey - r - 9,
    116,
    y + 20,
    100,
    y + 12,
  )
  const c = t.pal.ruff,
    lines = new Pen()
      .move(106, y + 2)
      .cubic(100 + w * 0.6, y + 4, 100 + w + 2, ey - 18, 100 + w + 1, ey + 18)
      .move(108, y + 8)
      .cubic(100 + w * 0.6, y + 14, 100 + w - 6, ey - 10, 100 + w - 8, ey + 22)
      .move(100 + w + 4, ey + 34)
      .quad(100 + w + 4, ey + 52, 100 + w, end - 12)
      .move(100 + w - 8, ey + 40)
      .quad(100 + w - 8, ey + 60, 100 + w - 11, end - 9)
  return mirror(fill(p.close(), c) + stroke(lines.d, strandColour(c), 1.8, 0.4))
}

function bow(g: Geometry, c: string): string {
  const y = g.top - 1
  return `<g fill="${c}"><path d="M100 ${nums(y)}q-15-13-19-5t0 14q5 4 19-9Z"/><path d="M100 ${nums(y)}q15-13 19-5t0 14q-5 4-19-9Z"/></g><circle cx="100" cy="${nums(y)}" r="4.4" fill="${shade(c, 0.25)}"/>`
}

/** Cords: thick round-ended ropes. */
export function cords(t: Traits, g: Geometry, layer: 'back' | 'front'): string {
  const random = rng(t.seed + 'cord' + layer),
    a = t.pal.ruff,
    b = luma(a) < 0.4 ? tint(a, 0.13) : shade(a, 0.12)
  const tones: [string, string] = ['', ''],
    [ex, ey, r] = g.eye
  const add = (i: number, d: string) => {
    tones[(i % 2) as 0 | 1] += d
  }
  if (layer === 'back') {
    for (let i = 0; i < 11; i++) {
      const x = 34 + i * 13.2,
        end = 172 + Math.sin(i * 2.3) * 8 + (i > 2 && i < 8 ? 14 : 0)
      add(i, `M${nums(100 + (x - 100) * 0.55, 66)}Q${nums(x + (x - 100) * 0.06, 84, x, end)}`)
    }
  } else {
    let i = 0
    for (const side of [1, -1]) {
      // From the crown over the temples, the outer ones longest; the inner ones stop above the eyes.
      const stops: [number, number][] = [
        [g.cheek + 9, 166],
        [g.cheek + 1, 158],
        [g.cheek - 8, 146],
        [ex + r + 9, 124],
        [ex + 5, ey - r - 9],
        [ex - 6, ey - r - 11],
        [7, ey - r - 7],
      ]
      for (const [x, end] of stops)
        add(
          i++,
          `M${nums(100 + side * x * 0.42, g.top + 3 + 13 * (x / g.cheek) ** 2)}Q${nums(100 + side * x * 0.98, g.top + 4, 100 + side * x, end + between(random, -3, 3))}`,
        )
    }
  }
  return stroke(tones[1], b, 10.5) + stroke(tones[0], a, 10.5)
}
