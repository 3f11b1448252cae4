import demo from '#data/demo.json' with { type: 'json' }
import { type DogInput, EMPTY_DOG } from '#features/dogs/write/dog-fields.ts'
import { SIZES, type Size } from '#features/dogs/dogs.ts'
import type { PortraitFacts } from '#features/breeds/portrait/index.ts'
import { portraitFacts } from '#features/breeds/portraits.server.ts'
import type { SeededRandom } from './random.ts'
import { DAY_MS } from '#lib/time.ts'

export interface DemoDog {
  id: string
  facts: PortraitFacts
  input: Omit<DogInput, 'relationship'>
  /** Indexes in the list of members; null for no member. */
  owner: number | null
  discoverer: number | null
  created_at: number
  photos: number
  /** How many likes and comments it attracts, 0 to 1: few dogs attract many. */
  popularity: number
}

const facts = portraitFacts()
const factsByName = new Map(facts.map((f) => [f.nombre_castellano, f]))
/** With their weights: about half of the dogs are of one of these, the others of any breed. */
const commonBreeds = Object.entries(demo.commonBreeds).filter(([name]) => factsByName.has(name))

const zones = Object.entries(demo.zones)

/**
 * Generates `count` dogs of `members` members: the same at every run with the same `dice`, apart from their dates, which count
 * back from `now` (ms).
 */
export function generateDemoDogs(dice: SeededRandom, count: number, members: number, now: number): DemoDog[] {
  return Array.from({ length: count }, (_, index) => {
    const commonBreed = dice.chance(0.55) ? factsByName.get(dice.weighted(commonBreeds)) : undefined
    const breed = commonBreed ?? dice.pick(facts)
    const isMix = breed.nombre_castellano === 'Mestizo'
    // A third have a discoverer; a fifth of those have an owner as well. A visitor added one in forty.
    const isAnonymous = dice.chance(1 / 40)
    const isDiscovered = dice.chance(1 / 3)
    const pickMember = () => Math.floor(members * dice.next() ** 2)
    const discoverer = !isAnonymous && isDiscovered ? pickMember() : null
    const owner = isAnonymous || (isDiscovered && dice.chance(0.8)) ? null : pickMember()
    const weight = breed.peso_kg_min + (breed.peso_kg_max - breed.peso_kg_min) * dice.next()
    // The newest eight were added in the hours before `now`, the rest over the last two hundred days.
    const ageMs = index >= count - 8 ? (count - index) * 20 * 60_000 : dice.next() ** 1.5 * 200 * DAY_MS + DAY_MS
    return {
      id: dice.uuid(),
      facts: breed,
      input: {
        ...EMPTY_DOG,
        name: dice.chance(0.03) ? '???' : dice.pick(demo.dogNames),
        breed: isMix && dice.chance(0.4) ? dice.pick(demo.mixes) : breed.nombre_castellano,
        ...pickAge(dice),
        weight: dice.chance(0.1) ? null : Math.round(weight * 2) / 2 || 1,
        size: sizeForWeight(weight),
        zone: dice.chance(0.04) ? null : dice.weighted(zones),
        is_adopted: dice.chance(isMix ? 0.6 : 0.2),
        description: dice.chance(0.7) ? dice.pick(demo.descriptions) : null,
      },
      owner,
      discoverer,
      created_at: Math.floor(now - ageMs),
      photos: dice.weighted([
        [1, 60],
        [2, 22],
        [3, 12],
        [4, 6],
      ]),
      popularity: dice.next() ** 3,
    }
  })
}

function pickAge(dice: SeededRandom): Pick<DogInput, 'age' | 'age_unit'> {
  if (dice.chance(0.05)) return { age: null, age_unit: null }
  return dice.chance(0.2) ? { age: 1 + dice.int(11), age_unit: 'meses' } : { age: 1 + dice.int(14), age_unit: 'años' }
}

function sizeForWeight(weight: number): Size {
  const limits = [5, 11, 25, 45]
  const index = limits.findIndex((limit) => weight <= limit)
  return SIZES[index < 0 ? 4 : index]!
}
