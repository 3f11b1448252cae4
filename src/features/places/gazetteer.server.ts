import gazetteer from '#data/gazetteer.json' with { type: 'json' }
import { type Place, placeKey, type PlaceKind, withoutArticle, toZoneText } from './places.ts'

/** A country is known only as what a city lies in. */
export type EntryKind = PlaceKind | 'country'

export interface GazetteerEntry {
  kind: EntryKind
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
  popularity: number
}

export interface Gazetteer {
  entries: GazetteerEntry[]
  /**
   * By key: `entry * 2`, plus 1 where the key stands only beside a container's name. Weightiest first, and after them
   * those that are called so but for an article.
   */
  byKey: Map<string, number[]>
  /** Every key, in order, for suggestions. */
  keys: string[]
}

const KINDS: Record<string, EntryKind> = {
  n: 'country',
  r: 'region',
  p: 'province',
  i: 'island',
  m: 'municipality',
  d: 'district',
  c: 'city',
}

/** «Toledo» is the town, «Asturias» the province, «La Palma» the island: none of them counts its people. */
const KIND_WEIGHTS: Partial<Record<EntryKind, number>> = { region: 2000, province: 2001, island: 100_000 }
/** However many live in it, a quarter gives way to a town of its name: «Salamanca» is no part of Madrid. */
const MAX_DISTRICT_WEIGHT = 3000
/** People write from Spain: «Córdoba», «Mérida» and «Trujillo» mean the Spanish ones, «Medellín» does not. */
const ABROAD_FACTOR = 0.01
/** Quarters of our own list carry no count: such parts of cities have about this many. */
const DISTRICT_DEFAULT_PEOPLE = 40_000

let loaded: Gazetteer | undefined

/** data/gazetteer.json, read at the first use. */
export const getGazetteer = (): Gazetteer => (loaded ??= loadGazetteer())

function loadGazetteer(): Gazetteer {
  const numbers = new Map<string, number>()
  const entries: GazetteerEntry[] = []
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
    const fame =
      (Number(people) || (kind === 'district' ? DISTRICT_DEFAULT_PEOPLE : 0)) * (kind === 'city' ? ABROAD_FACTOR : 1)
    entries.push({
      kind,
      id,
      parent: parent === '' ? -1 : numbers.get(parent)!,
      forms,
      lat: Number(lat),
      lon: Number(lon),
      weight: KIND_WEIGHTS[kind] ?? (kind === 'district' ? Math.min(fame, MAX_DISTRICT_WEIGHT) : fame),
      popularity: KIND_WEIGHTS[kind] ?? fame,
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
  return { entries, byKey: exact, keys: [...exact.keys()].sort() }
}

/** The place of an entry, under the name it was found by: whole, or by its beginning. */
export function toPlace(g: Gazetteer, index: number, key: string): Place {
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
  if (kind === 'province' && lookUpKey(g, placeKey(own))[0]! >> 1 !== index) parts[0] = `Provincia de ${own}`
  if (kind !== 'province' && kind !== 'region') parts.push(containerName(g.entries, entry))
  return { lon: entry.lon, lat: entry.lat, name: parts.map(toZoneText).join(', '), kind }
}

/** What is shown after the comma: a quarter's town, a town's province or island, an island's region, a city's country. */
export function containerName(entries: GazetteerEntry[], entry: GazetteerEntry): string {
  const container = entries[entry.kind === 'island' ? entries[entry.parent]!.parent : entry.parent]!
  return container.forms[0]!.replace('~', '')
}

const NO_ENTRIES: readonly number[] = []

/** What a key means, weightiest first (Gazetteer.called). */
export const lookUpKey = (g: Gazetteer, key: string): readonly number[] => g.byKey.get(key) ?? NO_ENTRIES
