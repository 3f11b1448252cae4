/** A swatch of the breed's coat, pinked like a fabric sample: its hair and its colours. */
import { n } from '#features/breeds/portrait/svg-path.ts'
import { between, pick, rng } from '#features/breeds/portrait/seeded-random.ts'
import { shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import type { Coat, PortraitFacts } from '../portrait/types.ts'
import { svgPicture } from './tiles.ts'

/** One hair of a coat as a relative path, and its width. */
const HAIRS: Record<Coat, readonly [(r: () => number) => string, number]> = {
  smooth: [() => 'q3 5 1 10', 2.2],
  medium: [() => 'q5 9 2 19', 2.6],
  long: [(r) => `c6 10-5 18 ${n(between(r, 0, 4))} 30`, 2.4],
  silky: [() => 'q2 18-1 36', 1.8],
  fluffy: [(r) => `q${n(between(r, 5, 9))} 4 3 13`, 4],
  mane: [() => 'q8 10 3 24', 3.4],
  shaggy: [(r) => `q${n(between(r, -9, 9))} 12 ${n(between(r, -3, 3))} 27`, 3],
  curly: [() => 'a5 5 0 1 1 7 4a3 3 0 1 1-4-3', 2.4],
  wire: [(r) => `l${n(between(r, -7, 7))} ${n(between(r, 7, 13))}`, 2],
  corded: [() => 'q3 5 0 10t0 10 0 10', 6],
  hairless: [() => 'h.1', 3],
}
const HAIR_COUNT: Partial<Record<Coat, number>> = { hairless: 9, corded: 20, smooth: 46, curly: 30 }

const TEETH_X = 'l4-5 4 5'.repeat(19)
const TEETH_Y = 'l5 4-5 4'.repeat(10)
const SWATCH_OUTLINE = `M34 18${TEETH_X}${TEETH_Y}${'l-4 5-4-5'.repeat(19)}${'l-5-4 5-4'.repeat(10)}Z`

export function coatPicture(facts: PortraitFacts & { pelaje: string }): string {
  const { coat, pal } = breedTraits(facts)
  const r = rng(`${facts.slug}coat`)
  const [hair, width] = HAIRS[coat]
  const colours = [
    shade(pal.base, 0.22),
    tint(pal.base, 0.28),
    pal.second === pal.base ? shade(pal.base, 0.36) : pal.second,
  ]
  if (pal.light !== pal.base && pal.chest === pal.light) colours.push(pal.light)
  const strands = new Map<string, string>(colours.map((c) => [c, '']))
  // A tile that repeats: hairs that leave one side come in at the other.
  for (let i = 0; i < (HAIR_COUNT[coat] ?? 34); i++) {
    const colour = pick(r, colours)
    const [x, y, d] = [between(r, 0, 56), between(r, 0, 44), hair(r)]
    for (const [dx, dy] of [
      [0, 0],
      ...(x > 46 ? [[-56, 0]] : []),
      ...(y > 14 && coat !== 'hairless' ? [[0, -44]] : []),
    ] as [number, number][])
      strands.set(colour, `${strands.get(colour)}M${n(x + dx)} ${n(y + dy)}${d}`)
  }
  const drawn = [...strands].map(([colour, d]) => (d ? `<path d="${d}" stroke="${colour}"/>` : '')).join('')
  const ground = coat === 'hairless' ? pal.base : shade(pal.base, 0.08)
  return svgPicture(
    '0 0 220 112',
    `Muestra de pelo: ${facts.pelaje}`,
    `<defs><pattern id="ht" width="56" height="44" patternUnits="userSpaceOnUse"><rect width="56" height="44" fill="${ground}"/><g fill="none" stroke-width="${width}" stroke-linecap="round">${drawn}</g></pattern></defs><path d="${SWATCH_OUTLINE}" fill="url(#ht)" class="swatch"/>`,
  )
}
