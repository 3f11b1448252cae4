/**
 * The whole dog from the side, built from the facts: what stands beside the ruler, on the scale and in the scenes. 100 units
 * are its height at the withers, its feet stand on y = 0, it looks to the right.
 */
import { luma, shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, n, oval, smooth, stroke } from '#features/breeds/portrait/svg-path.ts'
import { type BodyBuild, FUR_THICKNESS, sideHead } from './side-head.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import type { Coat, Palette, PortraitFacts, Point } from '#features/breeds/portrait/types.ts'

/** Breeds whose legs are short for their body; weight and height alone cannot tell them from small round ones. */
const SHORT_LEGS =
  /basset|teckel|corgi|drever|dachsbracke|vallhund|heeler de lancashire|lancashire|dandie|sealyham|skye|escoces|glen-of|tejonero|maneto|pequines|shih|clumber|sussex|cesky|checo|norfolk|norwich|puggle/
const NOT_SHORT = /lobo|sabueso/

/** The proportions of a breed, read from weight, height, section and name. */
export function bodyBuildOf(facts: PortraitFacts): BodyBuild {
  const height = (facts.altura_cm_min + facts.altura_cm_max) / 2
  const weight = (facts.peso_kg_min + facts.peso_kg_max) / 2
  const density = weight / (height / 100) ** 3
  const short = SHORT_LEGS.test(facts.slug) && !NOT_SHORT.test(facts.slug)
  const sight = facts.fci_grupo === 10 || /galgo|lebrel|podenco|whippet|saluki|sloughi|azawakh/.test(facts.slug)
  const clamp = (v: number, low: number, high: number) => Math.max(low, Math.min(high, v))
  // A toy weighs more for its height than a shepherd of the same shape: compare with what dogs of its height weigh.
  const dense = density / (90 + 2600 / height)
  return {
    legs: short ? 0.33 : sight ? 0.56 : clamp(0.56 - (dense - 1) * 0.12, 0.44, 0.54),
    length: short ? 1.42 : sight ? 1 : clamp(1.02 + (dense - 1) * 0.1, 0.98, 1.14),
    tuck: short ? 4 : sight ? 19 : clamp(11 - (dense - 1) * 14, 2, 12),
    stout: short ? 1.2 : sight ? 0.78 : clamp(0.75 + dense * 0.26, 0.85, 1.35),
    head: clamp(1.48 - height / 175, 1.08, 1.32) * (sight ? 0.86 : 1) * (short ? 1.08 : 1),
  }
}

export interface SideDog {
  svg: string
  /** Extent in units: from the tail to the nose, and where a lead is fastened. */
  left: number
  right: number
  top: number
  neck: readonly [number, number]
}

const LONG_HAIRED: readonly Coat[] = ['long', 'shaggy', 'corded', 'silky', 'mane', 'fluffy']

/** The dog as an SVG fragment. `collar` may be left out where it would be too small to see. */
export function sideDog(facts: PortraitFacts, collar = true): SideDog {
  const { pal, coat, marks, family } = breedTraits(facts)
  const b = bodyBuildOf(facts)
  if (family === 'molosser' || family === 'bull') {
    b.stout *= 1.18
    b.head *= 1.16
    b.tuck *= 0.6
  }
  const len = b.length * 100
  const leg = b.legs * 100
  const far = shade(pal.base, luma(pal.base) < 0.25 ? -0.25 : 0.3)
  const legs = marks.some((m) => m === 'tan' || m === 'swiss') ? pal.tan : pal.base
  const neckX = len * 0.98 + 12
  const neckY = -100 - 17 * (2 - b.stout)
  const head = sideHead(facts, pal, neckX, neckY, b, coat)
  const fur = FUR_THICKNESS[coat] ?? 0
  const body = smooth([
    [len * 0.76, -100],
    [len * 0.97, -94],
    [len * 1.03, -(leg + (100 - leg) * 0.5)],
    [len * 0.88, -(leg - 1)],
    [len * 0.55, -(leg + b.tuck * 0.45)],
    [len * 0.26, -(leg + b.tuck)],
    [len * 0.04, -(leg + 8)],
    [-2, -82],
    [len * 0.12, -97],
    [len * 0.42, -95],
  ])
  const thick = 12 * b.stout
  const neck = smooth([
    [len * 0.7, -97],
    [neckX - 12 * b.head, neckY - 4],
    [neckX + 9 * b.head, neckY + 2],
    [len * 1.03, -(leg + (100 - leg) * 0.55)],
    [len * 0.84, -76],
  ])
  const puff = fur ? ` stroke="${pal.base}" stroke-width="${fur}" stroke-linejoin="round"` : ''
  const skirt = LONG_HAIRED.includes(coat) ? bellyHair(len, leg, pal.base, coat) : ''
  const parts = [
    legPair(len * 0.86 + 3, leg, thick, far, false) + legPair(len * 0.13 + 8, leg, thick, far, true),
    tail(facts, pal, fur),
    fill(body, pal.base, puff),
    legPair(len * 0.82 - 6, leg, thick, legs, false) + legPair(len * 0.13 - 2, leg, thick, legs, true),
    skirt,
    markings(marks, pal, len, leg),
    fill(neck, pal.base, puff),
    collar ? stroke(`M${n(neckX - 14)} ${n(neckY + 2)}L${n(neckX + 11)} ${n(neckY + 14)}`, '#ca341c', 6.5) : '',
    head.svg,
  ]
  return {
    svg: parts.join(''),
    left: facts.cola === 'larga' || facts.cola === 'tupida' || facts.cola === 'sable' ? -32 : -10,
    right: head.right,
    top: head.top,
    neck: [neckX - 12, neckY + 4],
  }
}

/** A leg: straight in front, with a hock behind. */
function legPair(x: number, leg: number, w: number, colour: string, hind: boolean): string {
  const top = -(leg + (hind ? 18 : 12))
  const paw = w * 0.75
  const d = hind
    ? smooth([
        [x - w * 0.9, top],
        [x + w * 1.1, top - 2],
        [x + w * 0.75, -leg * 0.62],
        [x + w * 0.2, -leg * 0.34],
        [x + w * 0.35, -4],
        [x + w * 0.35 + paw, -2, 0.6],
        [x + w * 0.35 + paw, 0, 0.8],
        [x - w * 0.55, 0, 0.8],
        [x - w * 0.55, -leg * 0.3],
        [x - w * 0.35, -leg * 0.62],
      ])
    : smooth([
        [x - w * 0.6, top],
        [x + w * 0.7, top],
        [x + w * 0.36, -leg * 0.5],
        [x + w * 0.34, -4],
        [x + w * 0.34 + paw, -2, 0.6],
        [x + w * 0.34 + paw, 0, 0.8],
        [x - w * 0.46, 0, 0.8],
        [x - w * 0.42, -leg * 0.5],
      ])
  return fill(d, colour)
}

function tail(f: PortraitFacts, pal: Palette, fur: number): string {
  const w = 7 + fur * 0.5
  const c = pal.base
  switch (f.cola) {
    case 'corta':
      return stroke('M3-90L-7-97', c, w + 1)
    case 'media':
      return stroke('M2-88Q-10-84-14-70', c, w)
    case 'enroscada':
      return stroke('M4-90Q-14-108-2-122 10-130 15-118 16-110 8-110', c, w + 2)
    case 'tupida':
      return (
        stroke('M2-88Q-16-80-22-44', c, w + 6) +
        stroke('M-20-58Q-23-46-20-36', tint(c, luma(c) < 0.5 ? 0.1 : 0.35), w + 1)
      )
    case 'sable':
      return stroke('M2-86Q-14-70-26-62-30-60-32-66', c, w)
    default:
      return stroke('M2-88Q-12-82-20-44-22-36-28-34', c, w - 1)
  }
}

/** Hair that hangs below the body of long coats. */
function bellyHair(len: number, leg: number, colour: string, coat: Coat): string {
  const low = -(leg - (coat === 'corded' || coat === 'shaggy' || coat === 'silky' ? leg * 0.5 : leg * 0.22))
  const teeth = 12
  let d = `M${n(len * 0.02)} ${n(-leg - 14)}`
  for (let i = 0; i <= teeth; i++) {
    const x = len * (0.03 + (0.92 * i) / teeth)
    d += `L${n(x)} ${n(low + (i % 2 ? -3.5 : 2))}`
  }
  return fill(`${d}L${n(len * 0.98)} ${n(-leg - 18)}Z`, colour)
}

/** Saddle, white underparts or patches: enough to tell a Beagle from a Labrador at this size. */
function markings(marks: readonly string[], pal: Palette, len: number, leg: number): string {
  const has = (...names: string[]) => names.some((name) => marks.includes(name))
  const patch = (pts: readonly Point[], colour: string) => fill(smooth(pts), colour)
  if (has('saddle'))
    return patch(
      [
        [len * 0.1, -96],
        [len * 0.5, -95],
        [len * 0.84, -97],
        [len * 0.8, -78],
        [len * 0.45, -leg - 26],
        [len * 0.08, -78],
      ],
      pal.second === pal.base ? shade(pal.base, 0.65) : pal.second,
    )
  if (has('husky', 'wolf', 'cheeks') && pal.second !== pal.base)
    return patch(
      [
        [-1, -82],
        [len * 0.12, -97],
        [len * 0.42, -95],
        [len * 0.76, -100],
        [len * 0.95, -94],
        [len * 0.88, -74],
        [len * 0.5, -leg - 26],
        [len * 0.1, -74],
      ],
      pal.second,
    )
  if (has('patches', 'onePatch', 'half', 'cap', 'harlequin'))
    return (
      patch(oval(len * 0.3, -82, len * 0.17, 12), pal.second) + patch(oval(len * 0.72, -78, len * 0.1, 9), pal.second)
    )
  if (has('spots', 'ticks'))
    return (
      [
        [0.2, -86, 4],
        [0.38, -72, 3],
        [0.52, -88, 4.5],
        [0.66, -70, 3.4],
        [0.82, -84, 4],
        [0.3, -64, 2.6],
        [0.92, -66, 2.6],
        [0.1, -74, 3],
      ] as const
    )
      .map(([x, y, r]) => `<circle cx="${n(len * x)}" cy="${y}" r="${r}" fill="${pal.second}"/>`)
      .join('')
  if (pal.chest !== pal.base)
    return patch(oval(len * 0.98, -(leg + (100 - leg) * 0.42), 7, (100 - leg) * 0.3), pal.chest)
  return ''
}
