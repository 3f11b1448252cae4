import gazetteer from '#data/gazetteer.json' with { type: 'json' }
import { type Place, placeKey, type PlaceKind, withoutArticle, toZoneText } from './places.ts'

/** Countries are only containers of cities. */
export type EntryKind = PlaceKind | 'country'

export interface GazetteerEntry {
  kind: EntryKind
  /** INE's number of a province; our own for regions and countries. */
  id: string
  /** Index of its container (province, region, island, municipality or country); -1 without one. */
  parent: number
  /** Its names, the usual one first. A name that means this place only beside its container's begins with «~». */
  forms: [string, ...string[]]
  lat: number
  lon: number
  /** Decides between namesakes: its people, or a substitute for its kind. */
  weight: number
  /** Orders suggestions: its people, in Spain or abroad. */
  popularity: number
}

export interface Gazetteer {
  entries: GazetteerEntry[]
  /**
   * Entries by key, as `index * 2`, plus 1 where the key counts only beside a container's name. By descending weight;
   * entries that match without their article follow.
   */
  byKey: Map<string, number[]>
  /** All keys, sorted, for suggestions. */
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

/** Weights of kinds without a count of people. «Toledo» is the town, «Asturias» the province, «La Palma» the island. */
const KIND_WEIGHTS: Partial<Record<EntryKind, number>> = { region: 2000, province: 2001, island: 100_000 }
/** A quarter ranks below a town of its name, however populated: «Salamanca» is not the quarter of Madrid. */
const MAX_DISTRICT_WEIGHT = 3000
/** Spanish places go first: «Córdoba», «Mérida» and «Trujillo» are the Spanish ones, «Medellín» is not. */
const ABROAD_FACTOR = 0.01
/** The estimate for quarters, which have no count in our own list. */
const DISTRICT_DEFAULT_PEOPLE = 40_000

let loaded: Gazetteer | undefined

/** data/gazetteer.json, parsed at the first use. */
export const getGazetteer = (): Gazetteer => (loaded ??= loadGazetteer())

function loadGazetteer(): Gazetteer {
  const indexById = new Map<string, number>()
  const entries: GazetteerEntry[] = []
  const exact = new Map<string, number[]>()
  const withoutArticles = new Map<string, number[]>()
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
    if (id) indexById.set(id, index)
    const [usual = '', ...otherForms] = names.split('|')
    const popularity =
      (Number(people) || (kind === 'district' ? DISTRICT_DEFAULT_PEOPLE : 0)) * (kind === 'city' ? ABROAD_FACTOR : 1)
    const forms: GazetteerEntry['forms'] = [usual, ...otherForms]
    entries.push({
      kind,
      id,
      parent: indexById.get(parent) ?? -1,
      forms,
      lat: Number(lat),
      lon: Number(lon),
      weight: KIND_WEIGHTS[kind] ?? (kind === 'district' ? Math.min(popularity, MAX_DISTRICT_WEIGHT) : popularity),
      popularity: KIND_WEIGHTS[kind] ?? popularity,
    })
    for (const form of forms) {
      const key = placeKey(form)
      const value = index * 2 + (form.startsWith('~') ? 1 : 0)
      add(exact, key, value)
      const rest = withoutArticle(key)
      if (rest) add(withoutArticles, rest, value)
    }
  }
  for (const map of [exact, withoutArticles])
    for (const list of map.values())
      if (list.length > 1) list.sort((a, b) => entryAt(entries, b >> 1).weight - entryAt(entries, a >> 1).weight)
  for (const [key, list] of withoutArticles) for (const value of list) add(exact, key, value)
  return { entries, byKey: exact, keys: [...exact.keys()].sort() }
}

/** The entry of an index that `byKey` or another entry's `parent` holds. */
export const entryAt = (entries: readonly GazetteerEntry[], index: number): GazetteerEntry => entries[index]!

/** The place of an entry, under its name that `key` matched in full or as a prefix. */
export function toPlace(gazetteer: Gazetteer, index: number, key: string): Place {
  const entry = entryAt(gazetteer.entries, index)
  const names = entry.forms.map((form) => form.replace('~', ''))
  const own =
    names.find((name) => placeKey(name) === key) ??
    names.find((name) => withoutArticle(placeKey(name)) === key) ??
    names.find((name) => placeKey(name).startsWith(key)) ??
    entry.forms[0].replace('~', '')
  const kind = entry.kind as PlaceKind
  const parts = [own]
  // The bare name would mean the town of that name.
  const [namesake] = lookUpKey(gazetteer, placeKey(own))
  if (kind === 'province' && namesake !== undefined && namesake >> 1 !== index) parts[0] = `Provincia de ${own}`
  if (kind !== 'province' && kind !== 'region') parts.push(containerName(gazetteer.entries, entry))
  return { lon: entry.lon, lat: entry.lat, name: parts.map(toZoneText).join(', '), kind }
}

/** The name after the comma: a quarter's town, a town's province or island, an island's region, a city's country. */
export function containerName(entries: GazetteerEntry[], entry: GazetteerEntry): string {
  const parent = entryAt(entries, entry.parent)
  const container = entry.kind === 'island' ? entryAt(entries, parent.parent) : parent
  return container.forms[0].replace('~', '')
}

const NO_ENTRIES: readonly number[] = []

/** The entries of a key, by descending weight (Gazetteer.byKey). */
export const lookUpKey = (gazetteer: Gazetteer, key: string): readonly number[] =>
  gazetteer.byKey.get(key) ?? NO_ENTRIES
