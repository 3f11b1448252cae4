import { SIZES, type Size, SORTS, type Sort } from '#features/dogs/dogs.ts'

export type View = 'grid' | 'map'

/** Stands in the list's place when it cannot be read (docs/product.md §4.4). */
export const LOAD_FAILED = 'No se pudieron cargar los perros. Intenta de nuevo más tarde.'

/** Stands in the place of a filtered list that is empty; the specified text is about a community without dogs. */
export const NO_MATCH = 'Ningún perro con estos filtros'

/** What the list shows, as its address says it: `/?breed=beagle&size=mediano&sort=votes-desc&view=map`. */
export interface ListQuery {
  breed: string | null
  size: Size | null
  sort: Sort
  view: View
}

const oneOf = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.includes(value as T) ? (value as T) : null

/** Reads an address; what it does not understand counts as absent, so that an old or mangled link still opens. */
export function parseListQuery(params: URLSearchParams): ListQuery {
  return {
    breed: params.get('breed')?.match(/^[a-z0-9-]{1,80}$/)?.[0] ?? null,
    size: oneOf(SIZES, params.get('size')),
    sort: oneOf(SORTS, params.get('sort')) ?? 'recent',
    view: params.get('view') === 'map' ? 'map' : 'grid',
  }
}

/** The search part of the address, `''` or with its `?`; defaults are left out, so that one list has one address. */
export function formatListQuery(query: ListQuery, cursor?: string): string {
  const params = new URLSearchParams()
  if (query.breed) params.set('breed', query.breed)
  if (query.size) params.set('size', query.size)
  if (query.sort !== 'recent') params.set('sort', query.sort)
  if (query.view !== 'grid') params.set('view', query.view)
  if (cursor) params.set('cursor', cursor)
  const text = params.toString()
  return text && `?${text}`
}

export const isFiltered = ({ breed, size }: ListQuery): boolean => breed !== null || size !== null

/** The sort buttons (docs/product.md §4.1): the first is plain, the others turn between descending and ascending. */
export const SORT_BUTTONS = [
  { label: 'Nuevos', key: 'recent' },
  { label: '+ Likes', key: 'votes' },
  { label: 'Peso', key: 'weight' },
  { label: 'Edad', key: 'age' },
] as const
export type SortKey = (typeof SORT_BUTTONS)[number]['key']

export const sortKey = (sort: Sort): SortKey => sort.split('-')[0] as SortKey

/** The order a press of `key` leads to from `current`: descending first, then turned at each press. */
export function nextSort(key: SortKey, current: Sort): Sort {
  if (key === 'recent') return 'recent'
  return current === `${key}-desc` ? `${key}-asc` : `${key}-desc`
}
