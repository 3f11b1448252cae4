import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Breed } from '#features/breeds/breeds.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import { allSlugs, wellKnownSlugs } from '#features/riddle/draw.server.ts'
import { loadSiteKey } from '#features/storage/site-key.server.ts'
import { type Level, OPTIONS, type Round, QUESTIONS } from './round.ts'

export interface Question {
  asks: 'breed' | 'sticker'
  /** The slugs that are offered, in order, and the place of the right one. */
  options: readonly string[]
  right: number
}

/** Heights at the withers that are as far apart, cm, are seen at once; with the coat as well a nearer one is enough. */
const FAR_APART_CM = 14
const APART_CM = 6
/** Of how many breeds of its group, the most alike first, a hard question takes its wrong answers. */
const ALIKE = 9

/** The next number below `limit`, each time another. */
type Draw = (limit: number) => number

/** Numbers that only the site can compute of a seed. */
function createDraw(dataDir: string, label: string): Draw {
  let bytes = Buffer.alloc(0)
  let [block, at] = [0, 0]
  return (limit) => {
    if (at + 6 > bytes.length) {
      bytes = createHmac('sha256', loadSiteKey(dataDir)).update(`questions\0${label}\0${block++}`).digest()
      at = 0
    }
    const number = bytes.readUIntBE(at, 6)
    at += 6
    return number % limit
  }
}

function shuffle<T>(items: readonly T[], draw: Draw): T[] {
  const shuffled = [...items]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = draw(i + 1)
    ;[shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!]
  }
  return shuffled
}

interface Looks {
  slug: string
  group: number | null
  height: number
  coat: string
}
const toLooks = (slug: string, breed: Breed): Looks => ({
  slug,
  group: breed.fci_grupo,
  height: (breed.altura_cm_min + breed.altura_cm_max) / 2,
  coat: breedTraits({ ...breed, slug }).coat,
})

/** What the rounds draw from: all breeds, and the rare ones of each group that has enough of them. */
interface Pools {
  looks: ReadonlyMap<string, Looks>
  rare: readonly Looks[]
}
let pools: Pools | undefined

/** Computed at the first round: the looks of all breeds take some milliseconds. */
function getPools(): Pools {
  if (pools) return pools
  const looks = new Map(allSlugs.map((slug) => [slug, toLooks(slug, breedBySlug(slug)!)]))
  const wellKnown = new Set(wellKnownSlugs)
  const rare = [...looks.values()].filter(({ slug, group }) => group !== null && !wellKnown.has(slug))
  const sizes = Map.groupBy(rare, ({ group }) => group)
  return (pools = { looks, rare: rare.filter(({ group }) => sizes.get(group)!.length >= OPTIONS) })
}

/** Breeds that everybody has met: what an easy round looks for. */
const EVERYDAY_SLUGS = new Set(
  `basset-hound beagle bichon-maltes bobtail border-collie boxer boyero-de-berna braco-de-weimar bulldog-frances bulldog-ingles
caniche carlino chihuahua chow-chow cocker-spaniel-ingles collie-de-pelo-largo dalmata doberman galgo-italiano golden-retriever
gran-danes husky-siberiano jack-russell-terrier labrador-retriever lebrel-afgano malamute-de-alaska pastor-aleman
pastor-australiano pastor-belga-malinois pequines perro-de-agua-espanol podenco-ibicenco pomerania ratonero-bodeguero-andaluz
rottweiler samoyedo san-bernardo schnauzer setter-irlandes shar-pei shiba-inu shih-tzu spaniel-breton teckel terranova
welsh-corgi-pembroke west-highland-white-terrier yorkshire-terrier`.split(/\s+/),
)
const everydaySlugs = wellKnownSlugs.filter((slug) => EVERYDAY_SLUGS.has(slug))

/** The breeds that a round of the level looks for. */
const soughtOf = (level: Level): readonly string[] =>
  level === 'dificil' ? getPools().rare.map(({ slug }) => slug) : level === 'facil' ? everydaySlugs : allSlugs

/** How unlike two breeds look: centimetres, and some more for another coat. */
const distance = (a: Looks, b: Looks) =>
  Math.abs(a.height - b.height) + (a.coat === b.coat ? 0 : FAR_APART_CM - APART_CM)

/** The breeds that may stand beside the right one, the best first. */
function findWrong(level: Level, right: Looks, draw: Draw): string[] {
  const { looks, rare } = getPools()
  if (level === 'dificil') {
    const group = rare.filter(({ slug, group }) => group === right.group && slug !== right.slug)
    const alike = group.toSorted((a, b) => distance(a, right) - distance(b, right)).slice(0, ALIKE)
    return shuffle(alike, draw).map(({ slug }) => slug)
  }
  const isEasy = level === 'facil'
  const candidates = shuffle(isEasy ? everydaySlugs : allSlugs, draw).filter((slug) => slug !== right.slug)
  const chosen = [right]
  for (const slug of candidates) {
    const each = looks.get(slug)!
    const isApart = (other: Looks) =>
      distance(each, other) >= (isEasy ? FAR_APART_CM : APART_CM) && (!isEasy || each.group !== other.group)
    if (chosen.length < OPTIONS && chosen.every(isApart)) chosen.push(each)
  }
  const apart = chosen.slice(1).map(({ slug }) => slug)
  return [...apart, ...candidates.filter((slug) => !apart.includes(slug))]
}

/** Rounds whose questions are remembered, some 3 kB each: each page and sticker of a round asks for them, and drawing takes 5 ms. */
const MAX_REMEMBERED_ROUNDS = 500
const drawnRounds = new LRUCache<string, readonly Question[]>({ max: MAX_REMEMBERED_ROUNDS })

/** The questions of a round, always the same ones. No breed is looked for twice; stickers and names are asked for in turn. */
export function drawQuestions(dataDir: string, { level, seed }: Pick<Round, 'level' | 'seed'>): readonly Question[] {
  const key = `${dataDir} ${level} ${seed}`
  let questions = drawnRounds.get(key)
  if (!questions) drawnRounds.set(key, (questions = drawNew(dataDir, level, seed)))
  return questions
}

function drawNew(dataDir: string, level: Level, seed: string): Question[] {
  const draw = createDraw(dataDir, `${level} ${seed}`)
  const first = draw(2)
  return shuffle(soughtOf(level), draw)
    .slice(0, QUESTIONS)
    .map((slug, i) => {
      const wrong = findWrong(level, getPools().looks.get(slug)!, draw).slice(0, OPTIONS - 1)
      const options = shuffle([slug, ...wrong], draw)
      return { asks: (i + first) % 2 === 0 ? 'breed' : 'sticker', options, right: options.indexOf(slug) }
    })
}
