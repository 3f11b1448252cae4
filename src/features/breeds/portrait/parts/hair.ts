/** Ruffs, manes, curtains, topknots, beards and cords. */
import type { Point, Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { muzzleHalf } from './head-shapes.ts'
import { fill, nums, oval, Pen, smooth, symmetric } from '#features/breeds/portrait/svg-path.ts'
import { furry } from './fur.ts'
import { cords } from './fringe.ts'
import { rng } from '#features/breeds/portrait/seeded-random.ts'

/** Hair behind the head. */
export function ruff(t: Traits, g: Geometry): string {
  const random = rng(t.seed + 'ruff'),
    c = t.pal.ruff,
    k = t.fluff
  if (t.coat === 'long')
    return fill(
      furry(oval(100, 136, g.cheek + 8 + 6 * k, 50), {
        count: 20,
        depth: 12 * k,
        random,
        where: (_, y) => (y > 96 ? 1 : 0),
      }),
      c,
    )
  if (t.coat === 'medium')
    return fill(
      furry(oval(100, 136, g.cheek + 2, 44), { count: 24, depth: 8 * k, random, where: (_, y) => (y > 100 ? 1 : 0) }),
      c,
    )
  if (t.coat === 'fluffy')
    return fill(furry(oval(100, 116, g.cheek + 6 + 5 * k, 62), { count: 28, depth: 10 * k, random }), c)
  if (t.coat === 'mane')
    return fill(furry(oval(100, 116, g.cheek + 14 + 7 * k, 70), { count: 28, depth: 14 * k, random }), c)
  if (t.coat === 'shaggy')
    return fill(furry(oval(100, 124, g.cheek + 12, 62), { count: 30, depth: 12 * k, random, fall: 0.8 }), c)
  if (t.coat === 'curly') return fill(furry(oval(100, 150, g.cheek + 14, 44), { count: 22, depth: 0, kind: 'curl' }), c)
  if (t.coat === 'corded') return cords(t, g, 'back')
  if (t.coat === 'hairless' && t.hair === 'crest')
    return fill(
      furry(
        [
          [100, g.top - 4],
          [128, g.top],
          [148, 74],
          [154, 120],
          [146, 160],
          [100, 150],
          [54, 160],
          [46, 120],
          [52, 74],
          [72, g.top],
        ],
        { count: 30, depth: 9, random, fall: 1 },
      ),
      c,
    )
  return ''
}

/** The head's outline with the coat's edge. */
export function headOutline(t: Traits, g: Geometry): string {
  const pts = symmetric(g.outline),
    random = rng(t.seed + 'edge'),
    ey = g.eye[1]
  const cheek = (x: number, y: number) => (y > ey - 4 && y < g.noseY + 18 && Math.abs(x - 100) > 22 ? 1 : 0)
  switch (t.coat) {
    case 'medium':
      return furry(pts, { count: 30, depth: 5 * t.fluff, where: cheek })
    case 'long':
      return furry(pts, { count: 24, depth: 6.5 * t.fluff, where: cheek })
    case 'fluffy':
    case 'mane':
      return furry(pts, { count: 28, depth: 8 * t.fluff, where: (x, y) => (cheek(x, y) ? 1 : y < ey ? 0.3 : 0) })
    case 'curly':
      return furry(pts, {
        count: t.family === 'poodle' ? 26 : 24,
        depth: 5,
        kind: 'curl',
        where: (_, y) => (t.family === 'poodle' && y > ey ? 0 : 1),
      })
    case 'wire':
      return furry(pts, {
        count: 36,
        depth: 3.6 * t.fluff,
        kind: 'wire',
        random,
        where: (_, y) => (y > g.noseY + 20 ? 0 : 1),
      })
    case 'shaggy':
      return furry(pts, { count: 30, depth: 8, random, fall: 0.7, where: (_, y) => (y > g.noseY + 22 ? 0 : 1) })
    default:
      return smooth(pts)
  }
}

/** Muzzle with or without its beard. */
export function muzzle(t: Traits, g: Geometry): string {
  const random = rng(t.seed + 'beard'),
    half = muzzleHalf(t, g),
    w = g.muzzle[0]
  if (!t.beard) return fill(smooth(symmetric(half)), t.pal.muzzle)
  const curl = t.coat === 'curly',
    y = g.noseY,
    deep = (t.beard === 2 ? 32 : 28) * t.beardLong,
    wide = w * t.beardWide
  const pts: Point[] = [
    [0, y - 14],
    [w * 0.6, y - 12],
    [wide * 1.05, y - 1],
    [wide * 1.2, y + 14],
    [wide * 1.05, y + deep * 0.82],
    [wide * 0.55, y + deep],
    [0, y + deep + 3],
  ]
  const bridge = fill(
    smooth(
      symmetric([
        [0, g.eye[1] - 2],
        [g.muzzle[1], g.eye[1] + 4],
        [g.muzzle[1] * 1.3, y - 10],
        [0, y + 4],
      ]),
    ),
    t.pal.muzzle,
  )
  const beard = curl
    ? furry(symmetric(pts), { count: 18, depth: 4, kind: 'curl' })
    : furry(symmetric(pts), {
        count: 18,
        depth: t.beard === 2 ? 8 : 6,
        random,
        fall: 0.6,
        where: (_, yy) => (yy < y - 8 ? 0.15 : 1),
      })
  return bridge + fill(beard, t.pal.beard)
}

/** Hair on the skull, drawn over the head but under the eyes. */
export function topHair(t: Traits, g: Geometry): string {
  const y = g.top,
    c = t.pal.top,
    random = rng(t.seed + 'top')
  if (t.hair === 'tuft') return fill(`M${nums(86, y + 8)}q3-12 10-17q0 6 3 9q3-7 9-11q-1 7 4 18q-12 5-26 1Z`, c)
  if (t.hair === 'topknot' || t.hair === 'cordfringe')
    return t.coat === 'curly'
      ? fill(furry(oval(100, y + 16, g.cheek * 0.94, 27), { count: 17, depth: 5, kind: 'curl' }), c)
      : fill(
          furry(
            [
              [100, y - 9],
              [122, y - 5],
              [134, y + 12],
              [128, y + 34],
              [112, y + 28],
              [100, y + 33],
              [88, y + 28],
              [72, y + 34],
              [66, y + 12],
              [78, y - 5],
            ],
            { count: 24, depth: 7, random, fall: 0.4 },
          ),
          c,
        )
  if (t.hair === 'pompom')
    return fill(furry(oval(100, y + 10, Math.min(44, g.cheek + 4), 31), { count: 17, depth: 6, kind: 'curl' }), c)
  if (t.hair === 'pear')
    // The Bedlington's: one outline from the top of the skull down the bridge.
    return fill(
      furry(
        symmetric([
          [0, y - 15],
          [20, y - 11],
          [33, y + 4],
          [34, y + 24],
          [24, y + 44],
          [13, g.eye[1] + 6],
          [9, g.noseY - 18],
          [0, g.noseY - 12],
        ]),
        { count: 26, depth: 3, kind: 'curl', where: (_, yy) => (yy < g.eye[1] - 12 ? 1 : 0) },
      ),
      c,
    )
  if (t.hair === 'halo')
    return fill(furry(oval(100, y + 22, g.cheek + 9, 38), { count: 19, depth: 6, kind: 'curl' }), c)
  if (t.hair === 'forelock')
    return fill(
      furry(
        [
          [100, y - 8],
          [116, y - 4],
          [124, y + 10],
          [116, y + 26],
          [106, y + 40],
          [98, y + 30],
          [86, y + 24],
          [78, y + 10],
          [86, y - 5],
        ],
        { count: 20, depth: 7, random, fall: 0.8 },
      ),
      c,
    )
  if (t.hair === 'crest') {
    const p = new Pen().move(92, y + 26)
    p.cubic(70, y + 14, 72, y - 14, 88, y - 24)
      .quad(84, y - 10, 92, y - 8)
      .quad(92, y - 24, 106, y - 28)
      .quad(100, y - 14, 107, y - 9)
      .quad(114, y - 22, 124, y - 18)
      .cubic(124, y, 118, y + 18, 108, y + 30)
      .quad(106, y + 18, 101, y + 14)
      .quad(99, y + 22, 92, y + 26)
    return fill(p.close(), c)
  }
  return ''
}
