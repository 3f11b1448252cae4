import { normaliseBreed } from './breeds.ts'
import { breedKey } from './match.ts'

/** A breed as addresses are matched to it: its slug and the keys (match.ts) of all its names, the slug's first. */
export interface LookupEntry {
  slug: string
  keys: readonly [string, ...string[]]
}

export type Lookup =
  | { found: string }
  /** The text means exactly one breed, whose address is another: redirect. */
  | { moved: string }
  | { near: string[] }
  /** The text cannot name a breed. */
  | { invalid: true }

/** Longest text that could still name a breed. */
const MAX_TEXT_CHARS = 120
const MAX_NEAR = 6

/** Optimal string alignment distance between two keys (insert, delete, replace, swap neighbours); `limit` + 1 where it is more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [rowBefore, lastRow] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  let distance = b.length
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let [left, diagonal] = [i, i - 1]
    for (const [index, above] of lastRow.slice(1).entries()) {
      const j = index + 1
      const replacing = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(above + 1, left + 1, diagonal + replacing)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (rowBefore[j - 2] ?? Infinity) + 1)
      row.push(cost)
      ;[left, diagonal] = [cost, above]
    }
    if (Math.min(...row) > limit) return limit + 1
    ;[rowBefore, lastRow] = [lastRow, row]
    distance = left
  }
  return distance
}

/** Typos that a key of this length may have and still be recognised. */
const maxTypos = (length: number) => (length < 5 ? 0 : length < 9 ? 1 : 2)

/**
 * Finds the breed that an address means: by its slug; else by another spelling or name of exactly one breed; else within a typo
 * or two of exactly one; else returns up to six similar ones.
 */
export function lookUp(text: string, breeds: readonly LookupEntry[]): Lookup {
  const key = breedKey(text)
  if (!key || text.length > MAX_TEXT_CHARS) return { invalid: true }
  if (breeds.some((breed) => breed.slug === text)) return { found: text }
  const slug = normaliseBreed(text)
  if (breeds.some((breed) => breed.slug === slug)) return { moved: slug }
  const same = breeds.filter((breed) => breed.keys.includes(key))
  const [only, ...namesakes] = same
  if (only && namesakes.length === 0) return { moved: only.slug }
  if (only) return { near: same.slice(0, MAX_NEAR).map((breed) => breed.slug) }

  const limit = maxTypos(key.length)
  const distanceTo = (breed: LookupEntry) => Math.min(...breed.keys.map((k) => editDistance(key, k, limit)))
  const ranked = breeds
    .map((breed) => ({ slug: breed.slug, distance: distanceTo(breed), rank: rankSimilarity(breed, key) }))
    .filter(({ distance, rank }) => distance <= limit || rank < NOT_SIMILAR)
    .sort((a, b) => a.distance - b.distance || a.rank - b.rank)
  const [best, second] = ranked
  if (best && best.distance <= limit && second?.distance !== best.distance) return { moved: best.slug }
  return { near: ranked.slice(0, MAX_NEAR).map(({ slug }) => slug) }
}

/** The text is in no name of the breed. */
const NOT_SIMILAR = 4

/**
 * How similar a breed's names are to the text, best first. 0: its main name begins with it; 1: another name does; 2: a name
 * contains it or is contained in it, or its main name begins with it but for a typo («podemco»); 3: another name does so.
 */
function rankSimilarity({ keys }: LookupEntry, key: string): number {
  if (key.length < 3) return NOT_SIMILAR
  if (keys[0].startsWith(key)) return 0
  if (keys.some((k) => k.startsWith(key))) return 1
  if (key.length > 3 && keys.some((k) => k.includes(key) || (k.length > 4 && key.includes(k)))) return 2
  const limit = maxTypos(key.length)
  const isNear = (k: string) => editDistance(k.slice(0, key.length), key, limit) <= limit
  if (limit === 0 || !keys.some(isNear)) return NOT_SIMILAR
  return isNear(keys[0]) ? 2 : 3
}
