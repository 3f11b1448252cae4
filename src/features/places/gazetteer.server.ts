import gazetteer from '#data/gazetteer.json' with { type: 'json' }
import {
  isArticle,
  type Place,
  placeKey,
  type PlaceKind,
  SEARCH_MAX,
  SUGGEST_MIN,
  withoutArticle,
  zoneText,
} from './places.ts'

/** A country is known only as what a city lies in. */
type Kind = PlaceKind | 'country'

interface Entry {
  kind: Kind
  /** The number of a province, INE's; regions and countries have one of ours. */
  id: string
  /** What it lies in, as an index: a province, a region, an island, a municipality or a country. */
  parent: number
  /** Every name, the usual one first. A name that means this place only beside its city's begins with «~». */
  forms: string[]
  lat: number
  lon: number
  /** What settles who is meant among namesakes: people, or a kind's stand-in for them. */
  weight: number
  /** What suggestions go by: people, wherever they live. */
  fame: number
}

interface Gazetteer {
  entries: Entry[]
  /**
   * By key: `entry * 2`, plus 1 where the key stands only beside a container's name. Weightiest first, and after them
   * those that are called so but for an article.
   */
  called: Map<string, number[]>
  /** Every key, in order, for suggestions. */
  keys: string[]
}

const KINDS: Record<string, Kind> = {
  n: 'country',
  r: 'region',
  p: 'province',
  i: 'island',
  m: 'municipality',
  d: 'district',
  c: 'city',
}

/** «Toledo» is the town, «Asturias» the province, «La Palma» the island: none of them counts its people. */
const STAND_IN: Partial<Record<Kind, number>> = { region: 2000, province: 2001, island: 100_000 }
/** However many live in it, a quarter gives way to a town of its name: «Salamanca» is no part of Madrid. */
const DISTRICT_MOST = 3000
/** People write from Spain: «Córdoba», «Mérida» and «Trujillo» mean the Spanish ones, «Medellín» does not. */
const ABROAD = 0.01
/** Quarters of our own list carry no count: such parts of cities have about this many. */
const QUARTER = 40_000

let loaded: Gazetteer | undefined

/** Reads data/gazetteer.json at the first use. */
function load(): Gazetteer {
  const numbers = new Map<string, number>()
  const entries: Entry[] = []
  const exact = new Map<string, number[]>()
  const bare = new Map<string, number[]>()
  const add = (map: Map<string, number[]>, key: string, value: number) => {
    const list = map.get(key)
    if (!list) map.set(key, [value])
    else if (!list.includes(value)) list.push(value)
  }
  for (const line of gazetteer.places) {
    const [letter, id, parent, names, lat, lon, people] = line.split(';') as [
      string,
      string,
      string,
      string,
      ...string[],
    ]
    const kind = KINDS[letter]!
    const index = entries.length
    if (id) numbers.set(id, index)
    const forms = names.split('|')
    const fame = (Number(people) || (kind === 'district' ? QUARTER : 0)) * (kind === 'city' ? ABROAD : 1)
    entries.push({
      kind,
      id,
      parent: parent === '' ? -1 : numbers.get(parent)!,
      forms,
      lat: Number(lat),
      lon: Number(lon),
      weight: STAND_IN[kind] ?? (kind === 'district' ? Math.min(fame, DISTRICT_MOST) : fame),
      fame: STAND_IN[kind] ?? fame,
    })
    for (const form of forms) {
      const key = placeKey(form)
      const value = index * 2 + (form.startsWith('~') ? 1 : 0)
      add(exact, key, value)
      const rest = withoutArticle(key)
      if (rest) add(bare, rest, value)
    }
  }
  for (const map of [exact, bare])
    for (const list of map.values())
      if (list.length > 1) list.sort((a, b) => entries[b >> 1]!.weight - entries[a >> 1]!.weight)
  for (const [key, list] of bare) for (const value of list) add(exact, key, value)
  return { entries, called: exact, keys: [...exact.keys()].sort() }
}

/** The place of an entry, under the name it was found by: whole, or by its beginning. */
function shown(g: Gazetteer, index: number, key: string): Place {
  const entry = g.entries[index]!
  const names = entry.forms.map((form) => form.replace('~', ''))
  const own =
    names.find((name) => placeKey(name) === key) ??
    names.find((name) => withoutArticle(placeKey(name)) === key) ??
    names.find((name) => placeKey(name).startsWith(key)) ??
    names[0]!
  const kind = entry.kind as PlaceKind
  const parts = [own]
  // The town of its name would be found by the name alone.
  if (kind === 'province' && called(g, placeKey(own))[0]! >> 1 !== index) parts[0] = `Provincia de ${own}`
  if (kind !== 'province' && kind !== 'region') parts.push(containerName(g.entries, entry))
  return { lon: entry.lon, lat: entry.lat, name: parts.map(zoneText).join(', '), kind }
}

/** What is shown after the comma: a quarter's town, a town's province or island, an island's region, a city's country. */
function containerName(entries: Entry[], entry: Entry): string {
  const container = entries[entry.kind === 'island' ? entries[entry.parent]!.parent : entry.parent]!
  return container.forms[0]!.replace('~', '')
}

function liesIn({ entries }: Gazetteer, index: number, container: number): boolean {
  for (let at = entries[index]!.parent; at >= 0; at = entries[at]!.parent) if (at === container) return true
  return false
}

const NONE: readonly number[] = []

const called = (g: Gazetteer, key: string): readonly number[] => g.called.get(key) ?? NONE

/** Words around a name that say what it is, not which: «provincia de», «isla de», «barrio de». */
const BEFORE =
  /^(?:(provincia|prov)|(isla)|(comunidad(?: autonoma)?|region)|barrio|distrito|ciudad|pueblo|municipio|alrededores|afueras|cerca|zona) del? /
const AFTER = / (?:capital|ciudad|provincia|centro|centro ciudad|espana)$/

interface Part {
  key: string
  entries: readonly number[]
}

/** A part of the text with what it may mean; empty where it names nothing. */
function read(g: Gazetteer, text: string): Part {
  let key = placeKey(text.replace(/\b\d{5}\b/, ' '))
  let entries = called(g, key)
  if (entries.length) return { key, entries }
  const before = BEFORE.exec(key)
  if (before) {
    const kind = before[1] ? 'province' : before[2] ? 'island' : before[3] ? 'region' : null
    const rest = key.slice(before[0].length)
    const found = called(g, rest)
    const ofKind = kind ? found.filter((value) => g.entries[value >> 1]!.kind === kind) : found
    entries = ofKind.length ? ofKind : found
    key = rest
  }
  if (!entries.length) {
    const rest = key.replace(AFTER, '')
    if (rest !== key) entries = called(g, (key = rest))
  }
  return { key, entries }
}

/** «Chamberí Madrid»: a name and what it lies in, with nothing between them. */
function readTogether(g: Gazetteer, key: string): Part[] | null {
  for (let cut = key.lastIndexOf(' '); cut > 0; cut = key.lastIndexOf(' ', cut - 1)) {
    const first = { key: key.slice(0, cut), entries: called(g, key.slice(0, cut)) }
    const rest = key.slice(cut + 1)
    const last = { key: rest, entries: called(g, rest) }
    for (const [part, other] of [
      [first, last],
      [last, first],
    ] as const)
      if (part.entries.some((value) => other.entries.some((o) => liesIn(g, value >> 1, o >> 1)))) return [part, other]
  }
  return null
}

/** «Barrio, ciudad, provincia, país» is four; whoever sends fifty wants something else. */
const PARTS_MOST = 6

/** «Coruña, A» and «Palmas, Las» put the article where it is spoken. */
function splitParts(text: string): string[] {
  const parts: string[] = []
  for (const raw of text.split(/[,;()\n]|\s[-–—|/]\s/)) {
    const key = placeKey(raw)
    if (!key) continue
    if (isArticle(key) && parts.length) parts.push(`${key} ${parts.pop()}`)
    else parts.push(raw)
  }
  return parts.slice(0, PARTS_MOST)
}

/**
 * The best of what the parts may mean. Each part is tried from left to right: a place that lies in what another part
 * names goes first («Mérida, Yucatán» is none in Badajoz); one beside which a later part names somewhere else is given
 * up for that part («Centro, Salamanca»); the rest is settled by weight.
 */
function settle(g: Gazetteer, parts: readonly Part[]): { index: number; key: string } | null {
  let best: { index: number; key: string; fits: number } | null = null
  for (const [i, part] of parts.entries()) {
    for (const value of part.entries) {
      const index = value >> 1
      let fits = 0
      let strays = 0
      for (const [j, other] of parts.entries()) {
        if (i === j || other.entries.length === 0) continue
        if (other.entries.some((o) => liesIn(g, index, o >> 1))) fits++
        else if (j > i && !other.entries.some((o) => o >> 1 === index || liesIn(g, o >> 1, index))) strays++
      }
      if (strays > 0 || (value % 2 === 1 && fits === 0)) continue
      if (!best || fits > best.fits) best = { index, key: part.key, fits }
    }
  }
  return !best || g.entries[best.index]!.kind === 'country' ? null : best
}

/**
 * Where a zone text is, as people write one: «Coruña, A», «La Coruña», «Alacant», «Malasaña, Madrid», «Villanueva
 * (Badajoz)». Accents, case and articles do not matter; of namesakes the one in the province (town, island, country)
 * that the text names, else the one with most people. Null for what names no place.
 */
export function findPlace(text: string): Place | null {
  const g = (loaded ??= load())
  const found = find(g, text)
  return found && shown(g, found.index, found.key)
}

/** The INE number of the province that a zone text lies in; empty where it names none: abroad, a region, nowhere. */
export function provinceOf(text: string | null): string {
  const g = (loaded ??= load())
  const found = text ? find(g, text) : null
  for (let at = found?.index ?? -1; at >= 0; at = g.entries[at]!.parent)
    if (g.entries[at]!.kind === 'province') return g.entries[at]!.id
  return ''
}

export interface Province {
  /** INE number: «28». */
  id: string
  name: string
}

/** The provinces and the two autonomous cities, by number. */
export const provinces = (): Province[] =>
  (loaded ??= load()).entries
    .filter(({ kind }) => kind === 'province')
    .map(({ id, forms }) => ({ id, name: forms[0]! }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** The province called so in any of its languages, or numbered so: «Lérida», «lleida», «a-coruna», «15». */
export function findProvince(text: string): Province | null {
  const g = (loaded ??= load())
  const key = placeKey(text)
  const value = called(g, key).find((value) => g.entries[value >> 1]!.kind === 'province')
  const entry =
    value === undefined
      ? g.entries.find(({ kind, id }) => kind === 'province' && id === text.trim())
      : g.entries[value >> 1]
  return entry ? { id: entry.id, name: entry.forms[0]! } : null
}

function find(g: Gazetteer, text: string): { index: number; key: string } | null {
  if (text.length > SEARCH_MAX * 2) return null
  const parts = splitParts(text).flatMap((part) => {
    const found = read(g, part)
    return found.entries.length ? [found] : (readTogether(g, placeKey(part)) ?? [])
  })
  return settle(g, parts)
}

/**
 * Places of any kind with a name that begins as `text` does, or a word of it, best first: whole names, beginnings, then
 * beginnings of words, each by people. Of one letter nothing, as of suggestions.
 */
export function searchPlaces(text: string): Place[] {
  const g = (loaded ??= load())
  const prefix = placeKey(text)
  if (prefix.length < SUGGEST_MIN) return []
  const inside = ` ${prefix}`
  const ranks = new Map<number, { rank: number; key: string }>()
  for (const key of g.keys) {
    const rank = key === prefix ? 2 : key.startsWith(prefix) ? 1 : key.includes(inside) ? 0 : -1
    if (rank < 0) continue
    for (const value of called(g, key)) {
      const known = ranks.get(value >> 1)
      if (value % 2 === 1 || g.entries[value >> 1]!.kind === 'country' || (known && known.rank >= rank)) continue
      ranks.set(value >> 1, { rank, key })
    }
  }
  const weight = (index: number) => g.entries[index]!.fame
  return [...ranks]
    .sort(([a, { rank: ofA }], [b, { rank: ofB }]) => ofB - ofA || weight(b) - weight(a))
    .map(([index, { key }]) => shown(g, index, key))
}

const SUGGESTED: readonly Kind[] = ['municipality', 'district', 'island', 'city']

/**
 * Towns, quarters, islands and cities abroad whose name, in any of its forms, begins as `text` does: a whole name first,
 * then by people. After a comma comes what it lies in: «Chamberí, Ma». Nothing below two letters.
 */
export function suggestPlaces(text: string, limit = 8): Place[] {
  const g = (loaded ??= load())
  const [first = '', ...rest] = text.split(',')
  const prefix = placeKey(first)
  const within = placeKey(rest.join(' '))
  if (prefix.length < SUGGEST_MIN) return []
  const ranks = new Map<number, number>()
  const take = (key: string) => {
    for (const value of called(g, key)) {
      const index = value >> 1
      const entry = g.entries[index]!
      if (ranks.has(index) || !SUGGESTED.includes(entry.kind)) continue
      if (within && !placeKey(containerName(g.entries, entry)).startsWith(within)) continue
      if (value % 2 === 1 && !within) continue
      ranks.set(index, (key === prefix ? 1e9 : 0) + entry.fame)
    }
  }
  for (let at = lowerBound(g.keys, prefix); at < g.keys.length && g.keys[at]!.startsWith(prefix); at++)
    take(g.keys[at]!)
  return [...ranks]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([index]) => shown(g, index, prefix))
}

/** The names of the places with most people, in that order: what a device keeps to propose without network. */
export function famousPlaces(count: number): string[] {
  const g = (loaded ??= load())
  return g.entries
    .flatMap((entry, index) => (SUGGESTED.includes(entry.kind) ? [{ index, fame: entry.fame }] : []))
    .sort((a, b) => b.fame - a.fame)
    .slice(0, count)
    .map(({ index }) => shown(g, index, '').name)
}

function lowerBound(keys: readonly string[], wanted: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
