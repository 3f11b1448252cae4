import { normaliseBreed } from './breeds.ts'
import { foldText } from '#lib/text/text.ts'
import { breedKey } from './match.ts'

/** A name as texts are compared to it: its key (match.ts) and its words. */
export interface LookupName {
  key: string
  words: readonly string[]
}

/** A breed as addresses are matched to it: its slug and all its names, the slug's first. */
export interface LookupEntry {
  slug: string
  names: readonly [LookupName, ...LookupName[]]
}

export const lookupName = (text: string): LookupName => ({
  key: breedKey(text),
  words: foldText(text).match(/[a-z0-9]+/g) ?? [],
})

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

/** Typos that one word of several may have: a short one with two is another word («gato» for «galgo»). */
const maxWordTypos = (length: number) => (length < 3 ? 0 : length < 9 ? 1 : 2)

/**
 * The typos that turn the name into the text; Infinity where it is not the same name. Each word must be recognised by itself: a text
 * that shares only one word with a name («gato persa», «galgo persa») means something else. Where blanks were left out or added,
 * the words have no counterparts and the whole may have one typo.
 */
function countTypos(text: LookupName, name: LookupName): number {
  const limit = maxTypos(text.key.length)
  if (text.words.length !== name.words.length) {
    const distance = editDistance(text.key, name.key, Math.min(limit, 1))
    return distance <= Math.min(limit, 1) ? distance : Infinity
  }
  let typos = 0
  for (const [i, word] of text.words.entries()) {
    const most = text.words.length === 1 ? limit : maxWordTypos(word.length)
    const distance = editDistance(word, name.words[i]!, most)
    typos += distance
    if (distance > most || typos > limit) return Infinity
  }
  return typos
}

/**
 * Finds the breed that an address means: by its slug; else by another spelling or name of exactly one breed; else within a typo
 * or two of exactly one, word by word; else returns up to six similar ones.
 */
export function lookUp(text: string, breeds: readonly LookupEntry[]): Lookup {
  const typed = lookupName(text)
  const { key } = typed
  if (!key || text.length > MAX_TEXT_CHARS) return { invalid: true }
  if (breeds.some((breed) => breed.slug === text)) return { found: text }
  const slug = normaliseBreed(text)
  if (breeds.some((breed) => breed.slug === slug)) return { moved: slug }
  const same = breeds.filter(({ names }) => names.some((name) => name.key === key))
  const [only, ...namesakes] = same
  if (only && namesakes.length === 0) return { moved: only.slug }
  if (only) return { near: same.slice(0, MAX_NEAR).map((breed) => breed.slug) }

  const typosOf = ({ names }: LookupEntry) => Math.min(...names.map((name) => countTypos(typed, name)))
  const ranked = breeds
    .map((breed) => ({ slug: breed.slug, typos: typosOf(breed), rank: rankSimilarity(breed, typed) }))
    .filter(({ typos, rank }) => typos < Infinity || rank < NOT_SIMILAR)
    // Infinity minus itself is NaN.
    .sort((a, b) => (a.typos === b.typos ? a.rank - b.rank : a.typos - b.typos))
  const [best, second] = ranked
  if (best && best.typos < Infinity && second?.typos !== best.typos) return { moved: best.slug }
  return { near: ranked.slice(0, MAX_NEAR).map(({ slug }) => slug) }
}

/** The text is in no name of the breed. */
const NOT_SIMILAR = 5
/** Shorter words are prepositions and the like. */
const MIN_SHARED_WORD_CHARS = 4

/**
 * How similar a breed's names are to the text, best first. 0: its main name begins with it; 1: another name does; 2: a name
 * contains it or is contained in it, or its main name begins with it but for a typo («podemco»); 3: another name does so; 4: a name
 * has one of its words.
 */
function rankSimilarity({ names }: LookupEntry, { key, words }: LookupName): number {
  if (key.length < 3) return NOT_SIMILAR
  const keys = names.map((name) => name.key) as [string, ...string[]]
  if (keys[0].startsWith(key)) return 0
  if (keys.some((k) => k.startsWith(key))) return 1
  if (key.length > 3 && keys.some((k) => k.includes(key) || (k.length > 4 && key.includes(k)))) return 2
  const limit = maxTypos(key.length)
  const isNear = (k: string) => editDistance(k.slice(0, key.length), key, limit) <= limit
  if (limit > 0 && keys.some(isNear)) return isNear(keys[0]) ? 2 : 3
  const isShared = (word: string) =>
    word.length >= MIN_SHARED_WORD_CHARS && names.some((name) => name.words.includes(word))
  return words.length > 1 && words.some(isShared) ? 4 : NOT_SIMILAR
}
