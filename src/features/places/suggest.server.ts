import { LRUCache } from 'lru-cache'
import { entryAt, lookUpKey, containerName, type EntryKind, getGazetteer, toPlace } from './gazetteer.server.ts'
import { type Place, placeKey, SUGGEST_MIN_CHARS } from './places.ts'

/** A place that a text matches, and the key of the name that does. Its texts are composed by `toPlace` where it is shown. */
export interface PlaceMatch {
  index: number
  key: string
}

/** The rest of a key from its second, third … word on, with the key. */
interface WordStart {
  rest: string
  key: string
}

let wordStarts: WordStart[] | undefined

/** Sorted by `rest`: the words that begin with a prefix lie side by side, as whole keys do in `Gazetteer.keys`. */
function getWordStarts(): WordStart[] {
  wordStarts ??= getGazetteer()
    .keys.flatMap((key) => [...key.matchAll(/ /g)].map(({ index }) => ({ rest: key.slice(index + 1), key })))
    .sort((a, b) => (a.rest < b.rest ? -1 : a.rest > b.rest ? 1 : 0))
  return wordStarts
}

/**
 * The gazetteer never changes while the program runs, so neither do matches. Bounded by the matches in all of them; a prefix
 * without any is not cached, so that none is longer than the longest name.
 */
const matchesByPrefix = new LRUCache<string, readonly PlaceMatch[]>({
  maxSize: 100_000,
  sizeCalculation: (matches) => matches.length + 1,
})

const NO_MATCHES: readonly PlaceMatch[] = []

const WHOLE_NAME = 2
const NAME_START = 1
const WORD_START = 0

/**
 * Places of any kind with a name that begins as `text` does, or a word of it, best first: whole names, beginnings, then
 * beginnings of words, each by people. Of one letter nothing, as of suggestions. Reads what matches only, by two sorted
 * lists: of «de» these are thousands.
 */
export function findPlaceMatches(text: string): readonly PlaceMatch[] {
  const prefix = placeKey(text)
  if (prefix.length < SUGGEST_MIN_CHARS) return []
  const cached = matchesByPrefix.get(prefix)
  if (cached) return cached
  const g = getGazetteer()
  const best = new Map<number, { rank: number; key: string }>()
  const take = (key: string, rank: number) => {
    for (const value of lookUpKey(g, key)) {
      const known = best.get(value >> 1)
      if (value % 2 === 1 || entryAt(g.entries, value >> 1).kind === 'country' || (known && known.rank >= rank))
        continue
      best.set(value >> 1, { rank, key })
    }
  }
  for (const key of itemsWithPrefix(g.keys, prefix, (text) => text)) take(key, key === prefix ? WHOLE_NAME : NAME_START)
  for (const { key } of itemsWithPrefix(getWordStarts(), prefix, ({ rest }) => rest)) take(key, WORD_START)
  const popularity = (index: number) => entryAt(g.entries, index).popularity
  const matches = [...best]
    .sort(([a, { rank: ofA }], [b, { rank: ofB }]) => ofB - ofA || popularity(b) - popularity(a) || a - b)
    .map(([index, { key }]) => ({ index, key }))
  if (matches.length === 0) return NO_MATCHES
  matchesByPrefix.set(prefix, matches)
  return matches
}

/** What a match is shown as. */
export const matchedPlace = ({ index, key }: PlaceMatch): Place => toPlace(getGazetteer(), index, key)

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
      const entry = entryAt(g.entries, index)
      if (ranks.has(index) || !SUGGESTED_KINDS.includes(entry.kind)) continue
      if (within && !placeKey(containerName(g.entries, entry)).startsWith(within)) continue
      if (value % 2 === 1 && !within) continue
      ranks.set(index, (key === prefix ? 1e9 : 0) + entry.popularity)
    }
  }
  for (const key of itemsWithPrefix(g.keys, prefix, (text) => text)) take(key)
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

/** The items of a list sorted by `textOf` whose text begins with `prefix`, in order. */
function* itemsWithPrefix<T>(sorted: readonly T[], prefix: string, textOf: (item: T) => string): Generator<T> {
  for (let at = lowerBound(sorted, prefix, textOf); at < sorted.length; at++) {
    const item = sorted[at]!
    if (!textOf(item).startsWith(prefix)) return
    yield item
  }
}

/** The first position whose text is not before `target`, in a list sorted by `textOf`. */
function lowerBound<T>(list: readonly T[], target: string, textOf: (item: T) => string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (textOf(list[middle]!) < target) low = middle + 1
    else high = middle
  }
  return low
}
