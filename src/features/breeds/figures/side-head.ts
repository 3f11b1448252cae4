/** The head of the dog from the side: skull, muzzle, ears, eye and beard. */
import { luma, shade } from '#features/breeds/portrait/colour/colour-math.ts'
import { fill, n, oval, smooth } from '#features/breeds/portrait/svg-path.ts'
import type { Coat, Palette, PortraitFacts } from '#features/breeds/portrait/types.ts'

export interface BodyBuild {
  /** Share of the height that is leg. */
  legs: number
  /** Body length over height. */
  length: number
  /** How much the belly rises towards the loin, units. */
  tuck: number
  /** Leg and neck thickness factor. */
  stout: number
  /** Size of the head; small dogs have large ones. */
  head: number
}

const MUZZLE_LENGTHS: Record<string, number> = { chata: 3, corta: 9, media: 15, larga: 20 }

/** How much the hair thickens the outline, units. */
export const FUR_THICKNESS: Partial<Record<Coat, number>> = {
  medium: 2,
  curly: 6,
  wire: 3,
  long: 5,
  silky: 4,
  mane: 7,
  fluffy: 8,
  shaggy: 8,
  corded: 9,
}

/** Where skull and neck meet is given; `right` and `top` are the head's extent. */
export function sideHead(f: PortraitFacts, pal: Palette, x: number, y: number, b: BodyBuild, coat: Coat) {
  const r = 15 * b.head
  const [cx, cy] = [x + 2, y - 6]
  const long = (MUZZLE_LENGTHS[f.hocico] ?? 15) * (0.75 + b.head * 0.25)
  const tip = cx + r * 0.72 + long
  const deep = r * (f.hocico === 'chata' ? 0.72 : b.stout > 1.15 ? 0.62 : 0.5)
  const muzzle = smooth([
    [cx + r * 0.2, cy - r * 0.42],
    [cx + r * 0.8, cy - deep * 0.25],
    [tip - 2, cy - deep * 0.1],
    [tip, cy + deep * 0.35],
    [tip - 4, cy + deep],
    [cx + r * 0.4, cy + r * 0.86],
    [cx - r * 0.2, cy + r * 0.5],
  ])
  const fur = FUR_THICKNESS[coat] ?? 0
  const puff = fur ? ` stroke="${pal.top}" stroke-width="${n(Math.min(6, fur))}" stroke-linejoin="round"` : ''
  const beard =
    coat === 'wire' || coat === 'shaggy'
      ? fill(smooth(oval(tip - long * 0.45 - 2, cy + deep * 0.95, long * 0.5 + 3, deep * 0.55)), pal.beard)
      : ''
  const svg =
    farEar(f, pal, cx, cy, r) +
    fill(smooth(oval(cx, cy, r, r * 0.94)), pal.base, puff) +
    fill(muzzle, pal.muzzle) +
    beard +
    `<circle cx="${n(tip - 2)}" cy="${n(cy + deep * 0.14)}" r="${n(3.3 * b.head)}" fill="${pal.nose}"/>` +
    `<circle cx="${n(cx + r * 0.42)}" cy="${n(cy - r * 0.16)}" r="${n(2.6 * b.head)}" fill="${luma(pal.base) < 0.3 ? '#f3d9a4' : '#2b211c'}"/>` +
    nearEar(f, pal, cx, cy, r)
  return { svg, right: tip + 2, top: cy - r * (f.orejas === 'erguidas' ? 2 : 1.2) }
}

const earTone = (pal: Palette) => (pal.ear === pal.base ? shade(pal.ear, luma(pal.ear) < 0.2 ? -0.2 : 0.2) : pal.ear)

function farEar(f: PortraitFacts, pal: Palette, cx: number, cy: number, r: number): string {
  if (f.orejas !== 'erguidas') return ''
  return fill(
    smooth([
      [cx + r * 0.05, cy - r * 0.7, 0.8],
      [cx + r * 0.28, cy - r * 1.85, 1],
      [cx + r * 0.66, cy - r * 0.62, 0.8],
    ]),
    shade(pal.ear, 0.28),
  )
}

function nearEar(f: PortraitFacts, pal: Palette, cx: number, cy: number, r: number): string {
  const tone = earTone(pal)
  if (f.orejas === 'erguidas')
    return fill(
      smooth([
        [cx - r * 0.72, cy - r * 0.45, 0.8],
        [cx - r * 0.42, cy - r * 1.8, 1],
        [cx + r * 0.16, cy - r * 0.72, 0.8],
      ]),
      tone,
    )
  if (f.orejas === 'semierectas')
    return fill(
      smooth([
        [cx - r * 0.66, cy - r * 0.5, 0.7],
        [cx - r * 0.42, cy - r * 1.4, 0.7],
        [cx + r * 0.34, cy - r * 0.92, 0.9],
        [cx + r * 0.02, cy - r * 0.6, 0.7],
      ]),
      tone,
    )
  if (f.orejas === 'rosa')
    return fill(
      smooth([
        [cx - r * 0.1, cy - r * 0.62],
        [cx - r * 1.05, cy - r * 0.6, 0.7],
        [cx - r * 0.72, cy - r * 0.16],
        [cx - r * 0.14, cy - r * 0.2],
      ]),
      tone,
    )
  const drop = /basset|cocker|sabueso|perro-de-san-huberto|setter|saluki|afgano|caniche|springer/.test(f.slug)
    ? 1.5
    : 0.95
  return fill(
    smooth([
      [cx - r * 0.5, cy - r * 0.62],
      [cx + r * 0.08, cy - r * 0.5],
      [cx + r * 0.06, cy + r * drop * 0.6],
      [cx - r * 0.3, cy + r * drop],
      [cx - r * 0.78, cy + r * drop * 0.66],
    ]),
    tone,
  )
}
