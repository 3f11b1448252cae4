/** Composes the parts from back to front. */
import type { Traits } from './types.ts'
import { geometry, type Geometry } from './parts/head-shapes.ts'
import { ear, earShadow, earsInFront } from './parts/ears.ts'
import { brows, eyes, mouth, nose, whiskers } from './parts/face.ts'
import { frontHair } from './parts/fringe.ts'
import { headOutline, muzzle, ruff, topHair } from './parts/hair.ts'
import { bodyMarks, hasBib, headMarks, muzzleMarks } from './parts/markings.ts'
import { bib, bodyPath, collar, tail } from './parts/body.ts'
import { fill, mirror, n, resolveMirrors } from './svg-path.ts'
import { luma, shade } from './colour/colour-math.ts'

/** Transform of the head: tilt and scale about the neck. */
function headTransform(t: Traits): string {
  const parts: string[] = []
  if (t.tilt) parts.push(`rotate(${n(t.tilt)} 100 160)`)
  // A beard would hide the collar: the head rises a little.
  if (t.beard === 2) parts.push('translate(0 -5)')
  if (t.scale !== 1)
    parts.push(
      `translate(${n(100 * (1 - t.scale))} ${n(168 * (1 - t.scale))}) scale(${Math.round(t.scale * 100) / 100})`,
    )
  return parts.length ? ` transform="${parts.join(' ')}"` : ''
}

function drawEars(t: Traits, g: Geometry): string {
  const right = ear(t, g, t.pal.ear)
  // One patched eye goes with one coloured ear.
  if (t.marks.includes('onePatch') || t.marks.includes('half'))
    return `<g transform="matrix(-1 0 0 1 200 0)">${ear(t, g, t.marks.includes('half') ? t.pal.base : shade(t.pal.base, 0.05))}</g>${ear(t, g, t.pal.second)}`
  return mirror(right)
}

/** The dog without its ground; ids start with the prefix. */
export function drawDog(t: Traits, id: string): string {
  const g = geometry(t),
    front = earsInFront(t),
    dark = luma(t.pal.base) < 0.3,
    move = headTransform(t)
  const turned = (s: string, k: number) => (t.turn ? `<g transform="translate(${n(t.turn * k)} 0)">${s}</g>` : s)
  const back = ruff(t, g),
    shared = (name: string, d: string) => `<clipPath id="${id}${name}"><path id="${id}${name}p" d="${d}"/></clipPath>`
  const svg =
    `<defs>${shared('h', headOutline(t, g))}${shared('b', bodyPath(t, g))}</defs>${tail(t)}<use href="#${id}bp" fill="${t.pal.body}"/>` +
    `<g clip-path="url(#${id}b)">${hasBib(t) ? bib(t) : ''}${bodyMarks(t, g)}<path d="M30 140h140v22q-70 44-140 0z" fill="#1d1208" opacity=".13"/></g>` +
    (back && `<g${move}>${back}</g>`) +
    collar(t) +
    `<g${move}>${front ? '' : drawEars(t, g)}<use href="#${id}hp" fill="${t.pal.base}"/>` +
    `<g clip-path="url(#${id}h)">${turned(headMarks(t, g), 0.7)}<path d="M${n(100 + g.cheek * 0.62)} ${n(g.top - 8)}q22 60-16 ${n(g.chin - g.top + 16)}h70V20z" fill="#1d1208" opacity="${dark ? '.16' : '.07'}"/>${front ? mirror(earShadow(t, g)) : ''}</g>` +
    topHair(t, g) +
    turned(muzzle(t, g) + muzzleMarks(t, g) + whiskers(t, g), 1) +
    (front ? drawEars(t, g) : '') +
    turned(eyes(t, g) + brows(t, g), 0.8) +
    turned(mouth(t, g) + nose(t, g), 1.15) +
    frontHair(t, g) +
    '</g>'
  const isUntransformed = t.near === 1 && t.aside === 0,
    k = Math.round(t.near * 100) / 100
  // Scaled and shifted a little; the lower edge stays covered.
  return resolveMirrors(
    isUntransformed
      ? svg
      : `<g transform="translate(${n(100 + t.aside - 100 * k)} ${n(200 - 200 * k)}) scale(${k})">${svg}</g>`,
    id,
  )
}

/** The same dog as one shape in one colour. */
export function drawSilhouette(t: Traits, id: string): string {
  const g = geometry(t)
  // Hanging hair and narrow ears leave slits beside the neck, which a shape without inner lines must not show.
  const veil =
    ['parting', 'bow', 'cords'].includes(t.hair) || t.ear === 'curled'
      ? fill(`M${n(100 - g.cheek)} 90h${n(g.cheek * 2)}v90H${n(100 - g.cheek)}z`, '')
      : ''
  const all =
    veil +
    tail(t) +
    fill(bodyPath(t, g), '') +
    `<g${headTransform(t)}>` +
    ruff(t, g) +
    drawEars(t, g) +
    fill(headOutline(t, g), '') +
    topHair(t, g) +
    (t.beard || g.kind !== 'none' ? muzzle(t, g) : '') +
    brows(t, g) +
    frontHair(t, g) +
    '</g>'
  // Inner lines and highlights have no meaning in one shape: they are removed, and every colour becomes the same.
  const plain = all
    .replace(/<[a-z]+ [^>]*opacity[^>]*\/>/g, '')
    .replace(/ fill="(?!none)[^"]*"/g, '')
    .replace(/ stroke="#[^"]*"/g, ' stroke="currentColor"')
  return `<g fill="currentColor">${resolveMirrors(plain, id)}</g>`
}
