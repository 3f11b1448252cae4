import { lookUpKey, containerName, type EntryKind, getGazetteer, toPlace } from './gazetteer.server.ts'
import { type Place, placeKey, SUGGEST_MIN_CHARS } from './places.ts'

/**
 * Places of any kind with a name that begins as `text` does, or a word of it, best first: whole names, beginnings, then
 * beginnings of words, each by people. Of one letter nothing, as of suggestions.
 */
export function searchPlaces(text: string): Place[] {
  const g = getGazetteer()
  const prefix = placeKey(text)
  if (prefix.length < SUGGEST_MIN_CHARS) return []
  const inside = ` ${prefix}`
  const ranks = new Map<number, { rank: number; key: string }>()
  for (const key of g.keys) {
    const rank = key === prefix ? 2 : key.startsWith(prefix) ? 1 : key.includes(inside) ? 0 : -1
    if (rank < 0) continue
    for (const value of lookUpKey(g, key)) {
      const known = ranks.get(value >> 1)
      if (value % 2 === 1 || g.entries[value >> 1]!.kind === 'country' || (known && known.rank >= rank)) continue
      ranks.set(value >> 1, { rank, key })
    }
  }
  const weight = (index: number) => g.entries[index]!.popularity
  return [...ranks]
    .sort(([a, { rank: ofA }], [b, { rank: ofB }]) => ofB - ofA || weight(b) - weight(a))
    .map(([index, { key }]) => toPlace(g, index, key))
}

const SUGGESTED_KINDS: readonly EntryKind[] = ['municipality', 'district', 'island', 'city']

/**
 * Towns, quarters, islands and cities abroad whose name, in any of its forms, begins as `text` does: a whole name first,
 * then by people. After a comma comes what it lies in: «Chamberí, Ma». Nothing below two letters.
 */
export function suggestPlaces(text: string, limit = 8): Place[] {
  const g = getGazetteer()
  const [first = '', ...rest] = text.split(',')
  const prefix = placeKey(first)
  const within = placeKey(rest.join(' '))
  if (prefix.length < SUGGEST_MIN_CHARS) return []
  const ranks = new Map<number, number>()
  const take = (key: string) => {
    for (const value of lookUpKey(g, key)) {
      const index = value >> 1
      const entry = g.entries[index]!
      if (ranks.has(index) || !SUGGESTED_KINDS.includes(entry.kind)) continue
      if (within && !placeKey(containerName(g.entries, entry)).startsWith(within)) continue
      if (value % 2 === 1 && !within) continue
      ranks.set(index, (key === prefix ? 1e9 : 0) + entry.popularity)
    }
  }
  for (let at = lowerBound(g.keys, prefix); at < g.keys.length && g.keys[at]!.startsWith(prefix); at++)
    take(g.keys[at]!)
  return [...ranks]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([index]) => toPlace(g, index, prefix))
}

/** The names of the places with most people, in that order: what a device keeps to propose without network. */
export function mostPopulatedPlaces(count: number): string[] {
  const g = getGazetteer()
  return g.entries
    .flatMap((entry, index) => (SUGGESTED_KINDS.includes(entry.kind) ? [{ index, fame: entry.popularity }] : []))
    .sort((a, b) => b.fame - a.fame)
    .slice(0, count)
    .map(({ index }) => toPlace(g, index, '').name)
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
