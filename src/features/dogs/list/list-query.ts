import { SIZES, type Size, SORTS, type Sort } from '#features/dogs/dogs.ts'

export type View = 'grid' | 'map'

/** Shown instead of a list that failed to load (docs/product.md §4.4). */
export const LOAD_FAILED = 'No se pudieron cargar los perros. Intenta de nuevo más tarde.'

/** Shown instead of an empty filtered list; the specified text is about a community without dogs. */
export const NO_MATCH = 'Ningún perro con estos filtros'

/** The list's filters, sort and view, as in its address: `/?breed=beagle&size=mediano&sort=votes-desc&view=map`. */
export interface ListQuery {
  breed: string | null
  size: Size | null
  sort: Sort
  view: View
}

const oneOf = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.includes(value as T) ? (value as T) : null

/** Reads an address. Invalid values count as absent, so that an old or damaged link still opens. */
export function parseListQuery(params: URLSearchParams): ListQuery {
  return {
    breed: params.get('breed')?.match(/^[a-z0-9-]{1,80}$/)?.[0] ?? null,
    size: oneOf(SIZES, params.get('size')),
    sort: oneOf(SORTS, params.get('sort')) ?? 'recent',
    view: params.get('view') === 'map' ? 'map' : 'grid',
  }
}

/** The query string with its `?`, or `''`. Defaults are omitted, so that one list has one address. */
export function formatListQuery(query: ListQuery, cursor?: string): string {
  const params = new URLSearchParams()
  if (query.breed) params.set('breed', query.breed)
  if (query.size) params.set('size', query.size)
  if (query.sort !== 'recent') params.set('sort', query.sort)
  if (query.view !== 'grid') params.set('view', query.view)
  if (cursor) params.set('cursor', cursor)
  // As the page cache orders them (src/app/page-cache/addresses.ts).
  params.sort()
  const text = params.toString()
  return text && `?${text}`
}

/** The address of the list with `change`, from a page of the list; «?» for the list without filters. */
export const listHref = (query: ListQuery, change: Partial<ListQuery> = {}): string =>
  formatListQuery({ ...query, ...change }) || '?'

/** In a community of fewer dogs the list has no filters (docs/product.md §4.1). */
export const MIN_DOGS_TO_FILTER = 12

/** How many of filters and order are not the default. */
export const chosenCount = ({ breed, size, sort }: ListQuery): number =>
  [breed, size, sort !== 'recent'].filter(Boolean).length

export const isFiltered = ({ breed, size }: ListQuery): boolean => breed !== null || size !== null

/** The sort buttons (docs/product.md §4.1): «Nuevos» has one direction, the others toggle between descending and ascending. */
export const SORT_BUTTONS = [
  { label: 'Nuevos', key: 'recent' },
  { label: '+ Likes', key: 'votes' },
  { label: 'Peso', key: 'weight' },
  { label: 'Edad', key: 'age' },
] as const
export type SortKey = (typeof SORT_BUTTONS)[number]['key']

export const sortKey = (sort: Sort): SortKey => sort.split('-')[0] as SortKey

/** The sort after a press of the button `key`: descending first, then the other direction at each press. */
export function nextSort(key: SortKey, current: Sort): Sort {
  if (key === 'recent') return 'recent'
  return current === `${key}-desc` ? `${key}-asc` : `${key}-desc`
}
