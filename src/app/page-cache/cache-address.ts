import { readResult, RESULT_PARAM } from '#features/riddle/result.ts'
import { slugify } from '#lib/text/slug.ts'
import { isUuid } from '#lib/identifiers.ts'
import { RESERVED_SEGMENTS } from '#lib/http/reserved-segments.ts'

/** Parameters of the list's addresses (features/dogs/list/list-query.ts) and the cursor of its pages. */
const LIST_PARAMS = ['breed', 'cursor', 'size', 'sort', 'view']
const ALBUM_PARAMS = ['album', 'buscar', 'modo', 'orden', 'pagina', 'vista']

/** The pages that are cached, each with the query parameters that it reads. Others are left out of the address. */
const CACHEABLE_PAGES: readonly (readonly [pattern: RegExp, query: readonly string[]])[] = [
  [/^\/$/, [...LIST_PARAMS, ...ALBUM_PARAMS, 'tab']],
  [/^\/perros$/, LIST_PARAMS],
  [/^\/razas$/, ALBUM_PARAMS],
  [/^\/razas\/imprimir$/, ['modo']],
  [/^\/razas\/(?:guia|que-raza|comparar)$/, []],
  [/^\/razas\/[a-z0-9-]{1,120}$/, ['desde']],
  [/^\/razas\/(?:para|grupo|tamano|pais)\/[a-z0-9-]{1,60}$/, []],
  [/^\/reto$/, []],
  [/^\/reto\/\d{4}-\d\d-\d\d$/, [RESULT_PARAM]],
  [/^\/reto\/ronda$/, []],
  [/^\/(?:comunidad|insignias)$/, ['cursor']],
  [/^\/perdidos$/, ['breed', 'cursor', 'desde', 'provincia', 'size']],
  [/^\/perdidos\/primeras-24-horas$/, []],
  [/^\/comunidad\/\d{4}$/, []],
  [/^\/api\/docs$/, []],
  [/^\/usuario\/[0-9a-f-]{36}$/, [...ALBUM_PARAMS, 'cursor', 'lado', 'tab']],
]
/** The map starts where its address says: there are as many pages as places. The riddle's says why a guess was refused. */
const UNCACHEABLE_PARAMS = ['lat', 'lon', 'zoom', 'aviso']

/** Pages whose parameters make thousands of pages that hardly two people ask for: only the page without any is cached. */
const COUNTLESS_PAGES = /^\/razas\/(?:que-raza|comparar)$/

/** Lookups by index: an unknown address is recognised before anything is rendered. */
export interface AddressLookups {
  /** Whether a dog has, or had, the address `/{breed}/{slug}`. */
  hasDogPath: (breed: string, slug: string) => Promise<boolean>
  hasDog: (id: string) => Promise<boolean>
}

/** The address of a page about a dog: a lookup tells whether there is one. */
export interface DogAddress {
  /** The address under which the page is cached where the dog exists. */
  known: string
  /** The address where it does not; null for spellings that lead to another dog's page, which are never cached. */
  unknown: string | null
  isKnown: (lookups: AddressLookups) => Promise<boolean>
}

/** One cached page serves every unknown dog: one by its path, one by its id. */
export const NOT_FOUND_ADDRESSES = { path: '/perro-perdido/nadie', id: '/perro/00000000-0000-4000-8000-000000000000' }

const MAX_ADDRESS_CHARS = 300
const PLAIN_PATH = /^[a-z0-9/-]+$/
const DOG_PATH = /^\/([a-z0-9-]{1,120})\/([a-z0-9-]{1,120})$/

/**
 * The address under which the page of `url` is cached: the path and the parameters that the page reads, in a fixed order.
 * Null for a page that is never cached, and for capitals, escapes and the like: Astro redirects those spellings.
 */
export function toCacheAddress(url: string): string | DogAddress | null {
  if (url.length > MAX_ADDRESS_CHARS) return null
  const { path, query } = splitUrl(url)
  if (!PLAIN_PATH.test(path) || (query && COUNTLESS_PAGES.test(path))) return null
  const [, params] = CACHEABLE_PAGES.find(([pattern]) => pattern.test(path)) ?? []
  return params ? withQuery(path, query, params) : toDogAddress(path)
}

/** The path, and the query without its «?»; null without one. */
function splitUrl(url: string): { path: string; query: string | null } {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, query: null } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

function toDogAddress(path: string): DogAddress | null {
  if (path.startsWith('/perro/')) {
    const id = path.slice('/perro/'.length).replace(/\/cartel$/, '')
    if (!isUuid(id)) return null
    return { known: path, unknown: NOT_FOUND_ADDRESSES.id, isKnown: (lookups) => lookups.hasDog(id) }
  }
  const [, breed = '', slug = ''] = DOG_PATH.exec(path) ?? []
  if (!breed || RESERVED_SEGMENTS.has(breed)) return null
  // Other spellings that findByPath resolves: `toby-1` is `toby`, and so on.
  const isOtherSpelling = slug.endsWith('-1') || slugify(slug) !== slug || slugify(breed) !== breed
  return {
    known: path,
    unknown: isOtherSpelling ? null : NOT_FOUND_ADDRESSES.path,
    isKnown: (lookups) => lookups.hasDogPath(breed, slug),
  }
}

function withQuery(path: string, text: string | null, names: readonly string[]): string | null {
  if (text === null) return path
  const requested = new URLSearchParams(text)
  if (UNCACHEABLE_PARAMS.some((name) => requested.has(name))) return null
  // It has seven values; others could be made up without end.
  if (names.includes(RESULT_PARAM) && requested.has(RESULT_PARAM) && readResult(requested) === null) return null
  const query = new URLSearchParams()
  // A page reads the first value of a repeated parameter.
  for (const name of names.toSorted()) {
    const value = requested.get(name)
    if (value !== null) query.set(name, value)
  }
  return query.size > 0 ? `${path}?${query}` : path
}
