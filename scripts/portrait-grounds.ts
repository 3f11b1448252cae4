/**
 * Writes data/portrait-grounds.json, so that album neighbours differ and every dog contrasts with its
 * ground. Run it after adding breeds: node scripts/portrait-grounds.ts
 */
import { writeFileSync } from 'node:fs'
import { portraitFacts } from '#features/breeds/portraits.server.ts'
import { hash } from '#features/breeds/portrait/seeded-random.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import { GROUNDS } from '#features/breeds/portrait/background/ground.ts'
import { colourDistance, mix } from '#features/breeds/portrait/colour/colour-math.ts'

/** Number of salts that are tried. */
const SALT_TRIALS = 6000
/** A contrast from this value on is always enough (see `colourDistance`). */
const SUFFICIENT_CONTRAST = 92
/** Below it, a ground needs this share of the best contrast that the breed can have. */
const MIN_SHARE_OF_BEST = 0.76

const breeds = portraitFacts().sort((a, b) => a.nombre_castellano.localeCompare(b.nombre_castellano, 'es'))
/** The contrast of each breed with each ground: that of the breed's least different colour. */
const contrast = breeds.map((breed) => {
  const { pal } = breedTraits(breed)
  return GROUNDS.map((ground) =>
    Math.min(...[pal.base, pal.ear, pal.ruff].map((colour) => colourDistance(colour, mix(ground, '#ffffff', 0.34)))),
  )
})
const isUnsuitable = contrast.map((values) => {
  const required = Math.min(SUFFICIENT_CONTRAST, Math.max(...values) * MIN_SHARE_OF_BEST)
  return values.map((value) => value < required)
})
const groundsFor = (salt: number) => breeds.map(({ slug }) => hash(slug + salt) % GROUNDS.length)
/** Counts the faults of the breed at `index`: an unsuitable ground, the same ground as the breed before it. */
const countFaults = (grounds: number[], index: number) =>
  (isUnsuitable[index]![grounds[index]!] ? 1 : 0) + (index > 0 && grounds[index] === grounds[index - 1] ? 1 : 0)

function findBestSalt() {
  let best = { salt: 0, faults: Infinity }
  for (let salt = 0; salt < SALT_TRIALS; salt++) {
    const grounds = groundsFor(salt)
    const faults = breeds.reduce((sum, _, index) => sum + countFaults(grounds, index), 0)
    if (faults < best.faults) best = { salt, faults }
  }
  return best
}

const best = findBestSalt()
const grounds = groundsFor(best.salt)
const moved = new Set<string>()
for (const [index, { slug }] of breeds.entries()) {
  if (countFaults(grounds, index) === 0) continue
  const neighbours = [-3, -2, -1, 1].map((offset) => grounds[index + offset])
  const byContrast = [...GROUNDS.keys()]
    .filter((ground) => !neighbours.includes(ground))
    .sort((a, b) => contrast[index]![b]! - contrast[index]![a]!)
  const suitable = byContrast.filter((ground) => !isUnsuitable[index]![ground])
  const candidates = suitable.length > 0 ? suitable : byContrast.slice(0, 1)
  const ground = candidates[hash(slug) % candidates.length]!
  if (ground === grounds[index]) continue
  grounds[index] = ground
  moved.add(slug)
}

const movedByGround = GROUNDS.map((_, ground) =>
  breeds.filter(({ slug }, index) => moved.has(slug) && grounds[index] === ground).map(({ slug }) => slug),
)
const equalNeighbours = grounds.filter((ground, index) => index > 0 && ground === grounds[index - 1]).length
console.log(
  best,
  `${moved.size} moved`,
  `${equalNeighbours} equal neighbours`,
  movedByGround.map((slugs) => slugs.length),
)

writeFileSync('data/portrait-grounds.json', `${JSON.stringify({ salt: best.salt, moved: movedByGround }, null, 2)}\n`)
