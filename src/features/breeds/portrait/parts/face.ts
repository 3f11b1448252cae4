/** Eyes, nose, mouth, tongue and brows. */
import type { Traits } from '#features/breeds/portrait/types.ts'
import type { Geometry } from './head-shapes.ts'
import { luma, mix, shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, mirror, n, nums, Pen, stroke } from '#features/breeds/portrait/svg-path.ts'

const MOUTH_INK = '#231a16'

/** What the eye lies on, so that dark eyes can get a rim on dark fur. */
function eyeGround(t: Traits): string {
  const m = t.marks
  if (m.includes('fullMask')) return t.pal.mask
  if (m.includes('goggles')) return t.pal.second
  if (m.includes('cap') || m.includes('patches')) return t.pal.second
  return t.pal.base
}

function oneEye(t: Traits, x: number, y: number, r: number, iris: string, outward: 1 | -1): string {
  const ground = eyeGround(t),
    dark = luma(ground) < 0.32,
    plain = luma(iris) < 0.2
  const ry = t.look === 'almond' ? r * 0.84 : t.look === 'keen' ? r * 0.88 : r,
    rx = t.look === 'almond' ? r * 1.1 : r
  const turn = t.look === 'almond' ? -10 * outward : t.look === 'droopy' ? 10 * outward : 0
  let s = ''
  if (dark)
    s += `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx + 1.7)}" ry="${n(ry + 1.7)}" fill="${luma(ground) < 0.16 ? '#0d0a09' : shade(ground, 0.5)}"${turn ? ` transform="rotate(${turn} ${nums(x, y)})"` : ''}/>`
  if (t.look === 'droopy') {
    // The lower lid hangs and shows a little red.
    s += fill(
      new Pen()
        .move(x - r * 0.86, y + r * 0.3)
        .quad(x, y + r * 2.1, x + r * 0.86, y + r * 0.3)
        .close(),
      '#c9766a',
    )
  }
  s += `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${iris}"${turn ? ` transform="rotate(${turn} ${nums(x, y)})"` : ''}/>`
  if (!plain)
    s += `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * (iris > '#8' || luma(iris) < 0.36 ? 0.66 : 0.54))}" fill="#17110e"/>`
  s += `<circle cx="${n(x + r * 0.34)}" cy="${n(y - r * 0.36)}" r="${n(r * 0.32)}" fill="#fff"/>`
  if (r > 8) s += `<circle cx="${n(x - r * 0.32)}" cy="${n(y + r * 0.4)}" r="${n(r * 0.15)}" fill="#fff" opacity=".7"/>`
  // Upper lid: its slope gives the expression.
  const slope = { round: 0, almond: -0.7 * outward, droopy: 3.2 * outward, soft: 1.4 * outward, keen: -0.5 * outward }[
    t.look
  ]
  const lid = dark ? tint(ground, 0.2) : shade(ground, 0.42),
    w = rx + 1.6,
    up = ry * (t.look === 'keen' ? 0.5 : 0.62)
  s += stroke(
    new Pen().move(x - w, y - up - slope).quad(x, y - ry - ry * 0.62, x + w, y - up + slope).d,
    lid,
    2.2,
    dark ? 0.7 : 0.55,
  )
  return s
}

/** Both eyes. */
export function eyes(t: Traits, g: Geometry): string {
  const [dx, y, r] = g.eye
  return oneEye(t, 100 - dx, y, r, t.oddEye ?? t.pal.eye, -1) + oneEye(t, 100 + dx, y, r, t.pal.eye, 1)
}

/** Bushy brows of wire-haired breeds. */
export function brows(t: Traits, g: Geometry): string {
  if (!t.brows) return ''
  const [dx, y, r] = g.eye,
    x = 100 + dx,
    b = t.brows === 2 ? 1.35 : 1,
    hang = t.browLong,
    top = y - r - 5
  const p = new Pen().move(x - r - 7, top + 7)
  p.quad(x - r - 4, top - 6 * b, x + 3, top - 8 * b).quad(x + r + 5, top - 7 * b, x + r + 9, top + 4)
  p.quad(x + r + 3, top + 1, x + r - 1, top + 1.5)
    .line(x + 4, top + 5.4 * b * hang)
    .quad(x + 2, top + 2, x - 2, top + 2)
    .line(x - 6, top + 7.4 * b * hang)
    .quad(x - 7, top + 4, x - r - 7, top + 7)
  return mirror(fill(p.close(), t.pal.beard))
}

/** Nose with a highlight. */
export function nose(t: Traits, g: Geometry): string {
  const w = g.nose,
    y = g.noseY,
    c = t.pal.nose,
    p = new Pen()
  p.move(100 - w, y - w * 0.1).cubic(100 - w, y - w * 0.72, 100 + w, y - w * 0.72, 100 + w, y - w * 0.1)
  p.cubic(100 + w, y + w * 0.5, 100 + w * 0.36, y + w * 0.86, 100, y + w * 0.86)
  p.cubic(100 - w * 0.36, y + w * 0.86, 100 - w, y + w * 0.5, 100 - w, y - w * 0.1)
  const hole = `<ellipse cx="${n(100 + w * 0.45)}" cy="${n(y + w * 0.18)}" rx="${n(w * 0.2)}" ry="${n(w * 0.15)}" fill="${shade(c, 0.55)}"/>`
  return (
    fill(p.close(), c) +
    (luma(c) > 0.13 ? mirror(hole) : '') +
    (t.noseSplit
      ? fill(
          `M${nums(100 - 3.4, y - w * 0.62)}q3.4 5 3.4 ${n(w * 1.5)}q0-${n(w * 1.5 - 5)} 3.4-${n(w * 1.5)}z`,
          t.pal.muzzle,
        )
      : '') +
    stroke(
      new Pen().move(100 - w * 0.5, y - w * 0.24).quad(100 - w * 0.1, y - w * 0.5, 100 + w * 0.36, y - w * 0.38).d,
      '#fff',
      2.2,
      0.42,
    )
  )
}

/** Mouth line and tongue. The line is dark on light muzzles and darker still on dark ones. */
export function mouth(t: Traits, g: Geometry): string {
  const y0 = g.noseY + g.nose * 0.8,
    m = muzzleInk(t),
    w = g.muzzle[0]
  const flat = g.kind === 'flat',
    jowl = g.kind === 'jowl' || t.jowl
  const fall = flat ? 5.5 : jowl ? 6 : 7.5,
    half = flat ? w * 0.74 : jowl ? w * 0.68 : Math.min(w * 0.68, 19)
  const y = y0 + fall,
    closed = t.mouth === 'closed',
    sag = closed ? (flat || jowl ? 8 : 6) : flat ? 12 : 10,
    end = flat || jowl ? (closed ? 4 : 1) : closed ? 0 : -2
  const line = new Pen()
    .move(100 - half, y + end)
    .cubic(100 - half * 0.8, y + sag, 100 - half * 0.2, y + sag, 100, y)
    .cubic(100 + half * 0.2, y + sag, 100 + half * 0.8, y + sag, 100 + half, y + end)
  let s = ''
  if (t.mouth === 'tongue') {
    const tw = Math.min(9.5, half * 0.56),
      ty = y + sag * 0.42,
      len = Math.min(flat ? 15 : 19, 182 - ty)
    s += fill(
      new Pen()
        .move(100 - tw - 2, ty)
        .quad(100, ty + 15, 100 + tw + 2, ty)
        .line(100, y - 1)
        .close(),
      '#6d2b2c',
    )
    const p = new Pen()
      .move(100 - tw, ty + 2)
      .cubic(100 - tw, ty + len * 0.9, 100 - tw * 0.7, ty + len, 100, ty + len)
      .cubic(100 + tw * 0.7, ty + len, 100 + tw, ty + len * 0.9, 100 + tw, ty + 2)
      .quad(100, ty + 5, 100 - tw, ty + 2)
    s +=
      fill(p.close(), t.tongue ?? '#ee7d7a') +
      stroke(`M100 ${n(ty + 5)}v${n(len * 0.5)}`, t.tongue ? shade(t.tongue, 0.25) : '#c9565a', 1.8)
  }
  return s + stroke(`M100 ${n(y0 - 1)}v${n(fall + 1)}${line.d}`, m, 2.8)
}

const muzzleInk = (t: Traits): string =>
  luma(t.pal.muzzle) < 0.3
    ? mix(t.pal.muzzle, '#000000', 0.72)
    : luma(t.pal.muzzle) < 0.5
      ? shade(t.pal.muzzle, 0.75)
      : MOUTH_INK

/** Dots where whiskers grow, for short faces. */
export function whiskers(t: Traits, g: Geometry): string {
  if (t.beard || ['curly', 'shaggy', 'silky', 'corded'].includes(t.coat)) return ''
  const x = 100 + g.muzzle[0] * 0.62,
    y = g.noseY + (g.kind === 'flat' ? 11 : 8),
    c = luma(t.pal.muzzle) < 0.3 ? tint(t.pal.muzzle, 0.3) : shade(t.pal.muzzle, 0.45)
  return mirror(
    `<path d="M${nums(x - 4, y)}h.1m7-2h.1m-2 6h.1" stroke="${c}" stroke-width="2" stroke-linecap="round" opacity=".5"/>`,
  )
}
