import { foldText } from '#lib/text/text.ts'

/** What a place is, from small to large. A `city` lies outside Spain; villages within a municipality count as `district`. */
export type PlaceKind = 'municipality' | 'province' | 'region' | 'island' | 'district' | 'city'

export interface Place {
  lon: number
  lat: number
  /** As shown: «Toledo, Toledo», «Malasaña, Madrid», «Bogotá, Colombia». Always fit to be stored as a dog's zone. */
  name: string
  kind: PlaceKind
}

/** The fewest letters a search is made for (docs/product.md §16.3). */
export const SEARCH_MIN_CHARS = 3
/** The fewest letters that bring suggestions. */
export const SUGGEST_MIN_CHARS = 2
/** No name of a place is longer; a dog's zone is cut there too. */
export const SEARCH_MAX_CHARS = 100

export const PLACE_TEXTS = {
  short: 'Escribe al menos 3 caracteres.',
  long: 'El lugar no puede tener más de 100 caracteres.',
} as const

/**
 * A name as it is looked up: no accents, no case, no punctuation, and «l'Hospitalet» in two words. Catalan's «l·l» is one
 * sound written in two letters, with the dot or without it.
 */
export const placeKey = (text: string): string =>
  foldText(text)
    .replaceAll('·', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const ARTICLES = new Set('a as el els es l la las les lo los na o os s sa ses'.split(' '))

/** A key without its article, for who writes «Coruña» or «Rozas de Madrid»; null where there is none. */
export function withoutArticle(key: string): string | null {
  const space = key.indexOf(' ')
  return space > 0 && ARTICLES.has(key.slice(0, space)) ? key.slice(space + 1) : null
}

export const isArticle = (key: string): boolean => ARTICLES.has(key)

/** A name in letters that a dog's zone may hold (docs/product.md §22.4): no slash, apostrophe, dot or bracket. */
export const toZoneText = (name: string): string =>
  name
    .replaceAll('·', '')
    .replace(/^[lL]['’]\s*/, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?[/(] ?/g, '-')
    .replace(/['’.]/g, ' ')
    .replace(/[^\p{Script=Latin}\p{M}\d\s,-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Proposals of `names`, which come best first, for a device without network: those whose name begins as `text` does. */
export function suggestFromNames(names: readonly string[], text: string, limit = 8): string[] {
  const key = placeKey(text)
  if (key.length < SUGGEST_MIN_CHARS) return []
  const found: string[] = []
  for (const name of names) {
    const own = placeKey(name)
    if (own.startsWith(key) || withoutArticle(own)?.startsWith(key)) found.push(name)
    if (found.length === limit) break
  }
  return found
}
