/** Markings of the head and the body. Everything here is clipped to the shape it lies on. */
import type { Mark, Point, Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { luma, mix, shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, mirror, n, nums, Pen, smooth, stroke, symmetric } from '#features/breeds/portrait/svg-path.ts'
import { brindleStripes, blotches, dots, specks } from './patterns.ts'

type DrawMark = (t: Traits, g: Geometry) => string

const symmetricShape = (half: readonly Point[], c: string, extra = '') => fill(smooth(symmetric(half), 2), c, extra)

/** Tan cheeks under a dark skull. */
const cheeks = (c: string, g: Geometry): string => {
  const [ex, ey, r] = g.eye
  return mirror(
    fill(
      new Pen()
        .move(100 + g.cheek + 8, ey + 6)
        .quad(100 + ex + r + 6, ey + 12, 100 + ex + 2, ey + r + 9)
        .quad(100 + ex - 8, ey + 22, 99, g.noseY)
        .line(99, g.chin + 6)
        .line(100 + g.cheek + 8, g.chin + 6)
        .close(),
      c,
    ),
  )
}

const browDots = (c: string, g: Geometry): string => {
  const [ex, ey, r] = g.eye
  return mirror(
    `<ellipse cx="${n(100 + ex - 2)}" cy="${n(ey - r - 8)}" rx="6.2" ry="4.4" fill="${c}" transform="rotate(-14 ${nums(100 + ex - 2, ey - r - 8)})"/>`,
  )
}

/** Patch around one eye; side 1 is the right of the picture. */
const eyePatch = (t: Traits, g: Geometry, side: 1 | -1): string => {
  const [ex, ey] = g.eye,
    pts: Point[] = [
      [ex - 15, ey - 8],
      [ex - 8, g.top - 10],
      [g.cheek + 14, g.top - 8],
      [g.cheek + 16, ey + 18],
      [ex + 8, ey + 22],
      [ex - 11, ey + 13],
    ]
  return fill(smooth(pts.map(([x, y]): Point => [100 + side * x, y])), t.pal.second)
}

// A table of coordinates, one shape per line.
// prettier-ignore
const HEAD_MARKS: Partial<Record<Mark, DrawMark>> = {
  blaze: (t, g) => symmetricShape([[0, g.top - 6], [4.5, g.top - 2], [4, g.eye[1] - 22], [7, g.eye[1] + 3], [g.muzzle[0] * 0.7, g.noseY - 8], [g.muzzle[0] * 0.9, g.noseY + 8], [0, g.noseY + 20]], t.pal.light),
  wideBlaze: (t, g) => symmetricShape([[0, g.top - 8], [13, g.top - 3], [10, g.eye[1] - 22], [11.5, g.eye[1] + 2], [g.muzzle[0] * 0.84, g.noseY - 9], [g.muzzle[0] * 1.06, g.noseY + 9], [g.muzzle[0] * 0.9, g.noseY + 26], [0, g.chin + 4]], t.pal.light),
  mask: (t, g) => symmetricShape([[0, g.eye[1] + 3], [g.muzzle[1] + 4, g.eye[1] + 8], [g.muzzle[0] * 0.9, g.noseY - 11], [g.muzzle[0] * 1.1, g.noseY + 8], [g.muzzle[0] * 1.02, g.noseY + 24], [0, g.kind === 'flat' ? g.noseY + 32 : g.chin + 6]], t.pal.mask),
  fullMask: (t, g) => {
    const [ex, ey, r] = g.eye, [w, b] = g.muzzle, m = t.pal.mask;
    // The mask stays below the eyes; only a dark rim reaches round them, so that the look is not lost.
    return symmetricShape([[0, ey - 2], [b + 2, ey + 3], [w * 0.8, ey + r + 5], [w * 1.06, g.noseY], [w * 1.06, g.noseY + 14], [w * 0.9, g.noseY + 28], [0, g.noseY + 32]], m) +
      mirror(`<ellipse cx="${n(100 + ex)}" cy="${n(ey + 1)}" rx="${n(r + 3.4)}" ry="${n(r + 2.6)}" fill="${m}"/>`);
  },
  tan: (t, g) => cheeks(t.pal.tan, g) + browDots(t.pal.tan, g),
  swiss: (t, g) => cheeks(t.pal.tan, g) + browDots(t.pal.tan, g),
  cheeks: (t, g) => cheeks(t.pal.tan, g),
  brows: (t, g) => browDots(t.pal.tan, g),
  urajiro: (t, g) => cheeks(t.pal.light, g) + browDots(mix(t.pal.light, t.pal.base, 0.25), g),
  husky: (t, g) => {
    const [ex, ey, r] = g.eye, y = ey - r;
    // The cap's lower edge: a peak over the nose, arches over the eyes, down the cheeks.
    const half: Point[] = [[0, g.top - 10], [70, g.top - 10], [72, ey + 26, 1], [g.cheek * 0.86, ey + 17, 0.4], [ex + r + 3, ey - 2], [ex + 2, y - 9, 0.2], [ex - 9, y + 1], [6, y + 10, 0.2], [4.5, ey - 22, 0.3], [0, y - 22, 0.6]];
    return symmetricShape(half, t.pal.second);
  },
  wolf: (t, g) => {
    const [ex, ey, r] = g.eye;
    return symmetricShape([[0, g.top - 10], [70, g.top - 10], [70, ey + 20, 1], [g.cheek * 0.9, ey + 12], [ex + r + 4, ey - 2], [ex, ey - r - 5], [9, ey - 1], [5, g.noseY - 16, 0.3], [0, g.noseY - 12, 0.4]], t.pal.second, ' opacity=".62"') + cheeks(t.pal.light, g) + browDots(t.pal.light, g);
  },
  sable: (t, g) => symmetricShape([[0, g.top - 6], [34, g.top], [32, g.eye[1] - 34], [15, g.eye[1] - 15], [7, g.eye[1] + 6], [0, g.noseY - 16]], t.pal.second, ' opacity=".4"'),
  patches: (t, g) => eyePatch(t, g, 1) + eyePatch(t, g, -1),
  onePatch: (t, g) => eyePatch(t, g, 1),
  half: (t, g) => fill(smooth([[100, g.top - 10], [175, g.top - 10], [175, g.chin], [136, g.chin - 6], [112, g.eye[1] + 24], [104, g.eye[1]]]), t.pal.second),
  cap: (t, g) => {
    const [ex, ey, r] = g.eye;
    return symmetricShape([[0, g.top - 10], [70, g.top - 10], [70, ey + 10, 1], [ex + r + 8, ey + 14], [ex, ey + 13], [ex - 12, ey + 4], [6, ey - 12], [0, ey - 16]], t.pal.second);
  },
  goggles: (t, g) => {
    const [ex, ey, r] = g.eye;
    return mirror(`<ellipse cx="${n(100 + ex + 1)}" cy="${n(ey)}" rx="${n(r + 7)}" ry="${n(r + 9)}" fill="${t.pal.second}" transform="rotate(-16 ${nums(100 + ex, ey)})"/>`);
  },
  spots: (t, g) => dots(t, g, 'head'),
  ticks: (t, g) => specks(t, g, 'head', 1),
  roan: (t, g) => specks(t, g, 'head', 2),
  merle: (t, g) => blotches(t, g, 'head', false),
  harlequin: (t, g) => blotches(t, g, 'head', true),
  skinSpots: (t, g) => blotches(t, g, 'head', false),
  brindle: (t, g) => brindleStripes(t, g, 'head'),
  wrinkles: (t, g) => {
    const y = g.eye[1] - g.eye[2] - 9, c = shade(t.pal.base, 0.55);
    return stroke(`M${nums(88, y)}q12-6 24 0M${nums(84, y - 9)}q16-8 32 0M${nums(96.5, y + 12)}q-2-4-4-6m11 6q2-4 4-6`, c, 2.8, 0.45);
  },
  folds: (t, g) => {
    const y = g.eye[1] - g.eye[2] - 8, c = shade(t.pal.base, 0.55), x = 100 + g.eye[0] + g.eye[2], e = g.eye[1];
    return stroke(`M${nums(88, y)}q12-7 24 0M${nums(82, y - 9)}q18-9 36 0M${nums(78, y - 18)}q22-10 44 0M${nums(96, y + 12)}q-2-4-5-6m13 6q2-4 5-6`, c, 3, 0.45) +
      mirror(stroke(`M${nums(x - 4, e + 11)}q-4 14-${n(g.eye[0] * 0.3)} 20M${nums(x + 5, e + 10)}q-2 22-4 34M${nums(x + 9, e - 8)}q7 8 6 20`, c, 2.8, 0.38));
  },
  ridge: (t, g) => fill(new Pen().move(97, g.top - 4).quad(95, g.top + 12, 100, g.top + 26).quad(105, g.top + 12, 103, g.top - 4).close(), shade(t.pal.base, 0.35), ' opacity=".5"'),
  star: (t, g) => symmetricShape([[0, g.eye[1] - 36], [4, g.eye[1] - 25], [0, g.eye[1] - 8, 0.5]], t.pal.light),
  crown: (t, g) => symmetricShape([[0, g.top - 10], [70, g.top - 10], [70, g.eye[1] - 10, 1], [g.eye[0] + 14, g.eye[1] - 12], [g.eye[0] - 4, g.eye[1] - 25], [6, g.eye[1] - 18], [0, g.eye[1] - 8, 0.4]], t.pal.second),
  furrow: (t, g) => stroke(`M100 ${n(g.eye[1] - 30)}v${n(26)}`, shade(t.pal.base, 0.5), 2.4, 0.35),
  speckles: (t, g) => specks(t, g, 'head', 2) + specks({ ...t, seed: t.seed + 'x' }, g, 'head', 1),
  pepper: (t, g) => specks({ ...t, pal: { ...t.pal, second: tint(t.pal.base, 0.35) } }, g, 'head', 1),
}

/** All markings of the head, beneath the muzzle. */
export const headMarks = (t: Traits, g: Geometry): string => t.marks.map((m) => HEAD_MARKS[m]?.(t, g) ?? '').join('')

/** Markings over the muzzle: the dark bridge of tan-pointed dogs, ticking. */
export function muzzleMarks(t: Traits, g: Geometry): string {
  const has = (m: Mark) => t.marks.includes(m),
    [, b] = g.muzzle
  let s = ''
  // The nose of a black-and-tan is black on top: the dark of the skull runs down the bridge.
  if ((has('tan') || has('bridge')) && g.kind !== 'none') {
    const bearded = t.beard > 0
    s += symmetricShape(
      [
        [0, g.eye[1] - 13],
        [b + 2, g.eye[1] - 6],
        [b * 1.1, (g.eye[1] + g.noseY) / 2],
        [bearded ? b : g.nose * 1.12, g.noseY - 9],
        [g.nose * 1.02, g.noseY + 1],
        [0, g.noseY + 3],
      ],
      has('bridge') ? t.pal.second : t.pal.base,
    )
  }
  if (has('snip') || has('ring')) {
    const [w] = g.muzzle,
      top = g.noseY - (has('ring') ? 15 : 8),
      wide = has('ring') ? 1.02 : 0.6
    s += symmetricShape(
      [
        [0, top],
        [w * wide * 0.8, top + 6],
        [w * wide, g.noseY + 10],
        [w * wide * 0.82, Math.min(g.chin - 3, g.noseY + 27)],
        [0, g.chin - 1],
      ],
      t.pal.light,
    )
  }
  if (has('wolf'))
    s += symmetricShape(
      [
        [0, g.eye[1] - 10],
        [b * 0.8, g.eye[1]],
        [b * 0.6, g.noseY - 18],
        [0, g.noseY - 8],
      ],
      t.pal.second,
      ' opacity=".3"',
    )
  if (has('ticks') || has('roan') || has('speckles')) s += specks(t, g, 'muzzle', 1)
  if (has('spots')) s += dots(t, g, 'muzzle')
  return s
}

/** Markings of the chest and shoulders, within the body's clip. */
export function bodyMarks(t: Traits, g: Geometry): string {
  const has = (m: Mark) => t.marks.includes(m)
  let s = ''
  if (has('saddle')) s += mirror(fill('M200 200V140H132q-6 34 26 60Z', t.pal.second))
  if (has('spots')) s += dots(t, g, 'body')
  // Ticks are dark on light: on a dark mantle they would look like dirt.
  if ((has('ticks') || has('roan') || has('speckles')) && luma(t.pal.body) > 0.4) s += specks(t, g, 'body', 2)
  if (has('merle') || has('skinSpots')) s += blotches(t, g, 'body', false)
  if (has('harlequin')) s += blotches(t, g, 'body', true)
  if (has('patches') || has('onePatch')) s += fill('M168 200q-12-20-34-30l2-14q44 8 48 44Z', t.pal.second)
  if (has('brindle')) s += brindleStripes(t, g, 'body')
  if (has('tan')) s += mirror(fill('M109 203q-5-15 8-19q16 1 12 19Z', t.pal.tan))
  return s
}

/** True when the chest shows its own colour. */
export const hasBib = (t: Traits): boolean =>
  !t.marks.includes('tan') && Math.abs(luma(t.pal.chest) - luma(t.pal.body)) > 0.025
