import { normaliseBreed } from './breeds.ts'
import { breedKey } from './match.ts'

/** A breed as an address may mean it: its slug and every key (match.ts) that stands for it. */
export interface LookupEntry {
  slug: string
  keys: readonly string[]
}

export type Lookup =
  | { found: string }
  /** Exactly one breed is meant: its address is another. */
  | { moved: string }
  | { near: string[] }
  /** Nothing that could name a breed. */
  | { invalid: true }

/** Longest text that could still name a breed. */
const MAX_TEXT_CHARS = 120
const MAX_NEAR = 6

/** Letters inserted, left out, changed or swapped between two keys, counted up to `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    if (Math.min(...row) > limit) return limit + 1
    ;[before, last] = [last, row]
  }
  return last[b.length]!
}

/** How many typos a key of this length may hold and still be recognised. */
const maxTypos = (length: number) => (length < 5 ? 0 : length < 9 ? 1 : 2)

/**
 * Which breed an address means. Its own slug; else another spelling or another name of exactly one breed; else one within
 * a typo or two of exactly one; else those that come near.
 */
export function lookUp(text: string, breeds: readonly LookupEntry[]): Lookup {
  const key = breedKey(text)
  if (!key || text.length > MAX_TEXT_CHARS) return { invalid: true }
  if (breeds.some((breed) => breed.slug === text)) return { found: text }
  const slug = normaliseBreed(text)
  if (breeds.some((breed) => breed.slug === slug)) return { moved: slug }
  const same = breeds.filter((breed) => breed.keys.includes(key))
  if (same.length === 1) return { moved: same[0]!.slug }
  if (same.length > 1) return { near: same.slice(0, MAX_NEAR).map((breed) => breed.slug) }

  const limit = maxTypos(key.length)
  const away = (breed: LookupEntry, most: number) => Math.min(...breed.keys.map((k) => editDistance(key, k, most)))
  const ranked = breeds
    .map((breed) => ({ slug: breed.slug, far: away(breed, limit), likeness: likeness(breed, key) }))
    .filter(({ far, likeness }) => far <= limit || likeness < NO_LIKENESS)
    .sort((a, b) => a.far - b.far || a.likeness - b.likeness)
  const best = ranked.filter(({ far }) => far <= limit && far === ranked[0]!.far)
  if (best.length === 1) return { moved: best[0]!.slug }
  return { near: ranked.slice(0, MAX_NEAR).map(({ slug }) => slug) }
}

/** Nothing of the text is in any name of the breed. */
const NO_LIKENESS = 4

/**
 * 0: its own name begins so, 1: another name does, 2: a name holds the text, is held by it, or its own begins so but for a
 * typo («podemco»), 3: another name begins so but for a typo.
 */
function likeness({ keys }: LookupEntry, key: string): number {
  if (key.length < 3) return NO_LIKENESS
  if (keys[0]!.startsWith(key)) return 0
  if (keys.some((k) => k.startsWith(key))) return 1
  if (key.length > 3 && keys.some((k) => k.includes(key) || (k.length > 4 && key.includes(k)))) return 2
  const limit = maxTypos(key.length)
  const isNear = (k: string) => editDistance(k.slice(0, key.length), key, limit) <= limit
  if (limit === 0 || !keys.some(isNear)) return NO_LIKENESS
  return isNear(keys[0]!) ? 2 : 3
}
