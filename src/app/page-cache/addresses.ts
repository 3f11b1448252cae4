import { readResult, RESULT_PARAM } from '#features/riddle/result.ts'
import { slugify } from '#lib/text/slug.ts'
import { isUuid } from '#lib/identifiers.ts'
import { RESERVED_SEGMENTS } from '#lib/http/reserved-segments.ts'

/** Parameters of the list's addresses (features/dogs/list/list-query.ts) and the cursor of its pages. */
const LIST_PARAMS = ['breed', 'cursor', 'size', 'sort', 'view']
const ALBUM_PARAMS = ['album', 'buscar', 'modo', 'orden', 'pagina', 'vista']

/**
 * The pages that are cached, each with the query parameters that it reads. Others are left out of the address. Those marked `shared` are
 * composed of one render for all members.
 */
const CACHEABLE_PAGES: readonly (readonly [pattern: RegExp, query: readonly string[], shared?: 'shared'])[] = [
  [/^\/$/, [...LIST_PARAMS, ...ALBUM_PARAMS, 'tab'], 'shared'],
  [/^\/perros$/, LIST_PARAMS, 'shared'],
  [/^\/razas$/, ALBUM_PARAMS],
  [/^\/razas\/imprimir$/, ['modo']],
  [/^\/razas\/(?:guia|que-raza|comparar)$/, []],
  [/^\/razas\/[a-z0-9-]{1,120}$/, ['desde'], 'shared'],
  [/^\/razas\/(?:para|grupo|tamano|pais)\/[a-z0-9-]{1,60}$/, []],
  [/^\/reto$/, []],
  [/^\/reto\/\d{4}-\d\d-\d\d$/, [RESULT_PARAM]],
  [/^\/reto\/ronda$/, []],
  [/^\/(?:comunidad|insignias)$/, ['cursor']],
  [/^\/perdidos$/, ['breed', 'cursor', 'desde', 'provincia', 'size']],
  [/^\/perdidos\/primeras-24-horas$/, [], 'shared'],
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

/** The address of a cached page. */
export interface PageAddress {
  /** The path and the parameters that the page reads, in a fixed order. */
  address: string
  /** Whether members share a render of it. */
  isShared: boolean
  /** Whether visitors get a file of the build. */
  isFile?: true
  /** Of a page about a dog. */
  dog?: {
    /** Whether there is such a dog, by a lookup. */
    isKnown: (lookups: AddressLookups) => Promise<boolean>
    /** The address where there is none; null for spellings that lead to another dog's page, which are never cached. */
    unknown: string | null
  }
}

/**
 * Pages that the build has as files, for visitors, and the routes that render them for members: a file shows a visitor's frame until a
 * script has filled it in.
 */
const MEMBER_ROUTES: ReadonlyMap<string, string> = new Map([
  ['/privacidad', '/privacidad/miembros'],
  ['/terminos', '/terminos/miembros'],
])
/** Parameters that lead the list's address to another page (server/rewrites.ts). */
const OTHER_PAGES = /[?&](?:tab=|view=map)/

/** One cached page serves every unknown dog: one by its path, one by its id. */
export const NOT_FOUND_ADDRESSES = { path: '/perro-perdido/nadie', id: '/perro/00000000-0000-4000-8000-000000000000' }

const MAX_ADDRESS_CHARS = 300
const PLAIN_PATH = /^[a-z0-9/-]+$/
const DOG_PATH = /^\/([a-z0-9-]{1,120})\/([a-z0-9-]{1,120})$/

/**
 * The address under which the page of `url` is cached. Null for a page that is never cached, and for capitals, escapes and the like: Astro
 * redirects those spellings.
 */
export function toPageAddress(url: string): PageAddress | null {
  if (url.length > MAX_ADDRESS_CHARS) return null
  const mark = url.indexOf('?')
  const [path, query] = mark < 0 ? [url, null] : [url.slice(0, mark), url.slice(mark + 1)]
  const file = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  if (MEMBER_ROUTES.has(file)) return { address: file, isShared: true, isFile: true }
  if (!PLAIN_PATH.test(path) || (query && COUNTLESS_PAGES.test(path))) return null
  const [, params, shared] = CACHEABLE_PAGES.find(([pattern]) => pattern.test(path)) ?? []
  if (!params) return toDogAddress(path, url)
  const address = withQuery(path, query, params)
  // A link without a parameter may end in «?».
  const isSpelledSo = address === url || query === ''
  return address === null ? null : { address, isShared: shared !== undefined && isSpelledSo && !OTHER_PAGES.test(url) }
}

/** The route that renders the page of `url` for members, where the build has it as a file. */
export const findMemberRoute = (url: string): string | undefined => MEMBER_ROUTES.get(toPageAddress(url)?.address ?? '')

function toDogAddress(path: string, url: string): PageAddress | null {
  if (path.startsWith('/perro/')) {
    const id = path.slice('/perro/'.length).replace(/\/cartel$/, '')
    const isKnown = (lookups: AddressLookups) => lookups.hasDog(id)
    return isUuid(id) ? { address: path, isShared: false, dog: { isKnown, unknown: NOT_FOUND_ADDRESSES.id } } : null
  }
  const [, breed = '', slug = ''] = DOG_PATH.exec(path) ?? []
  if (!breed || RESERVED_SEGMENTS.has(breed)) return null
  // Other spellings that findByPath resolves: `toby-1` is `toby`, and so on.
  const isOtherSpelling = slug.endsWith('-1') || slugify(slug) !== slug || slugify(breed) !== breed
  const isKnown = (lookups: AddressLookups) => lookups.hasDogPath(breed, slug)
  const unknown = isOtherSpelling ? null : NOT_FOUND_ADDRESSES.path
  return { address: path, isShared: path === url, dog: { isKnown, unknown } }
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
