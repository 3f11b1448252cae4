import type * as z from 'zod/mini'
import { foldText, trimEndWhile } from '#lib/text/text.ts'
import type { geocodeAnswer } from './answers.ts'

/** The kind of a place. A `city` is outside Spain; villages within a municipality count as `district`. */
export const PLACE_KINDS = ['municipality', 'province', 'region', 'island', 'district', 'city'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

export interface Place {
  lon: number
  lat: number
  /** Display name: «Toledo, Toledo», «Malasaña, Madrid», «Bogotá, Colombia». Always valid as a dog's zone. */
  name: string
  kind: PlaceKind
}

/** The shortest search (docs/product.md §16.3). */
export const SEARCH_MIN_CHARS = 3
/** The shortest text with suggestions. */
export const SUGGEST_MIN_CHARS = 2
/** No place's name is longer; also the limit of a dog's zone. */
export const SEARCH_MAX_CHARS = 100

/** A geocoded text, with the fields of docs/product.md §23.1. */
export type Geocode = NonNullable<z.output<typeof geocodeAnswer>>

export const PLACE_TEXTS = {
  short: 'Escribe al menos 3 caracteres.',
  long: 'El lugar no puede tener más de 100 caracteres.',
  tooMany: 'Hoy ya hemos buscado muchísimos sitios. Prueba con el nombre del pueblo o del barrio.',
} as const

/**
 * The look-up key of a name: without accents, case and punctuation; «l'Hospitalet» is two words. The dot of Catalan's «l·l» is
 * ignored, since people often omit it.
 */
export const placeKey = (text: string): string =>
  foldText(text)
    .replaceAll('·', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const ARTICLES = new Set('a as el els es l la las les lo los na o os s sa ses'.split(' '))

/** A key without its article, as in «Coruña» or «Rozas de Madrid»; null for a key without one. */
export function withoutArticle(key: string): string | null {
  const space = key.indexOf(' ')
  return space > 0 && ARTICLES.has(key.slice(0, space)) ? key.slice(space + 1) : null
}

export const isArticle = (key: string): boolean => ARTICLES.has(key)

const ABBREVIATIONS: [RegExp, string][] = [
  [/(?<!\p{L})sta\. ?/giu, 'Santa '],
  [/(?<!\p{L})sto\. ?/giu, 'Santo '],
  [/(?<!\p{L})s\. (?=\p{Lu})/gu, 'San '],
  [/(?<!\p{L})ntra\. ?/giu, 'Nuestra '],
  [/(?<!\p{L})sra\. ?/giu, 'Señora '],
  [/(?<!\p{L})c\/ ?/giu, 'Calle '],
]

/**
 * The spelling of a place nearest to the typed one in the characters of a dog's zone, which the gazetteer reads alike: no apostrophe,
 * slash, dot, bracket or quotation mark. Other characters stay.
 */
export const toPlainZone = (zone: string): string =>
  trimEndWhile(
    ABBREVIATIONS.reduce((text, [pattern, word]) => text.replace(pattern, word), zone)
      .replaceAll('·', '')
      .replace(/ ?\/ ?/g, '-')
      .replace(/ ?[([] ?/g, ', ')
      .replace(/[–—‐‑]/g, '-')
      .replace(/[)\]'’‘´`ʼ.«»"“”]/g, ' ')
      .replace(/\s+/g, ' ')
      .replaceAll(' ,', ',')
      .replace(/^[\s,]+/, ''),
    /[\s,-]/,
  )

/** A place's name with only the characters of a dog's zone (docs/product.md §22.4). */
export const toZoneText = (name: string): string =>
  toPlainZone(name.replace(/^l['’] ?/i, '')).replace(/[^\p{Script=Latin}\p{M}\d\s,-]/gu, '')

/** Suggestions without network: the first `limit` of `names`, which are sorted best first, that begin with `text`. */
export function suggestFromNames(names: readonly string[], text: string, limit = 8): string[] {
  const key = placeKey(text)
  if (key.length < SUGGEST_MIN_CHARS) return []
  const found: string[] = []
  for (const name of names) {
    const nameKey = placeKey(name)
    if (nameKey.startsWith(key) || withoutArticle(nameKey)?.startsWith(key)) found.push(name)
    if (found.length === limit) break
  }
  return found
}
