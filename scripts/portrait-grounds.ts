/**
 * Writes src/features/breeds/portrait/background/ground-overrides.ts: album neighbours differ and no dog sinks into its ground. Run it after
 * adding breeds.
 */
import { writeFileSync } from 'node:fs'
import { portraitFacts } from '#features/breeds/portraits.server.ts'
import { hash } from '#features/breeds/portrait/seeded-random.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import { GROUNDS } from '#features/breeds/portrait/background/ground.ts'
import { colourDistance, mix } from '#features/breeds/portrait/colour/colour-math.ts'
const breeds = portraitFacts().sort((a, b) => a.nombre_castellano.localeCompare(b.nombre_castellano, 'es')),
  groundCount = GROUNDS.length
const contrast = breeds.map((x) => {
  const t = breedTraits(x),
    cs = [t.pal.base, t.pal.ear, t.pal.ruff]
  return GROUNDS.map((g) => Math.min(...cs.map((c) => colourDistance(c, mix(g, '#ffffff', 0.34)))))
})
// A ground will do when it stands out nearly as well as the best one can.
const unsuitable = contrast.map((c) => {
  const need = Math.min(92, Math.max(...c) * 0.76)
  return c.map((v) => v < need)
})
let best = { salt: 0, n: 1e9 }
const cost = (ix: number[], i: number) => (unsuitable[i]![ix[i]!] ? 1 : 0) + (i && ix[i] === ix[i - 1] ? 1 : 0)
for (let s = 0; s < 6000; s++) {
  const ix = breeds.map((x) => hash(x.slug + s) % groundCount)
  let n = 0
  for (let i = 0; i < breeds.length; i++) n += cost(ix, i)
  if (n < best.n) best = { salt: s, n }
}
const ix = breeds.map((x) => hash(x.slug + best.salt) % groundCount),
  moved: string[] = []
for (let i = 0; i < breeds.length; i++) {
  if (!cost(ix, i)) continue
  const free = [...Array(groundCount).keys()].filter(
      (c) => c !== ix[i - 1] && c !== ix[i + 1] && c !== ix[i - 2] && c !== ix[i - 3],
    ),
    order = free.sort((a, b) => contrast[i]![b]! - contrast[i]![a]!)
  const good = order.filter((c) => !unsuitable[i]![c]),
    list = good.length ? good : order.slice(0, 1),
    c = list[hash(breeds[i]!.slug) % list.length]!
  if (c !== ix[i]) {
    ix[i] = c
    moved.push(breeds[i]!.slug)
  }
}
let same = 0
for (let i = 1; i < breeds.length; i++) if (ix[i] === ix[i - 1]) same++
const movedByGround: string[][] = GROUNDS.map(() => [])
breeds.forEach((x, i) => {
  if (moved.includes(x.slug)) movedByGround[ix[i]!]!.push(x.slug)
})
console.log(
  best,
  moved.length,
  'equal neighbours',
  same,
  movedByGround.map((b) => b.length),
)
writeFileSync(
  'src/features/breeds/portrait/background/ground-overrides.ts',
  `/**\n * Which ground a breed stands on. The salt and the exceptions were computed over the breed list, so that\n * neighbours in the alphabetical album differ and light dogs do not sink into light grounds.\n */\n\n/** Appended to the slug before hashing. */\nexport const SALT = '${best.salt}';\n\n/** Breeds moved from the ground their hash gives, listed by the ground's place. */\nexport const MOVED: readonly string[] = [\n${movedByGround
    .map((b) => {
      const out: string[] = []
      let line = ''
      for (const s of b) {
        if (line.length + s.length > 150) {
          out.push(line)
          line = ''
        }
        line += (line ? ' ' : '') + s
      }
      out.push(line)
      return '  ' + out.map((l) => `'${l}'`).join(" + ' ' +\n    ") + ','
    })
    .join('\n')}\n];\n`,
)
