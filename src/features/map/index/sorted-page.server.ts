import type { Sqlite } from '#db/client.ts'
import type { Sort } from '#features/dogs/dogs.ts'
import type { DogIndex } from './dog-index.ts'
import type { Area } from '#features/map/map.ts'

/** A dog's position in an order: its figure and, among equals, its id. */
export interface SortPosition {
  value: number
  id: string
}
/** The orders of the table's indexes. The map itself has the dogs newest first. */
export type FigureSort = Exclude<Sort, 'recent'>

const SORT_COLUMNS = { votes: 'votes', weight: 'weight', age: 'age_months' } as const
export const figureOfSort = (sort: FigureSort) => sort.split('-')[0] as keyof typeof SORT_COLUMNS

interface Filter {
  breed_slug?: string | undefined
  size?: string | undefined
}

/**
 * Iterates dogs in an order of the list, after `after`, reading the filters' index lazily. Orders by weight and age have only dogs
 * with that figure.
 * @param ids limits the dogs; SQLite then sorts them at once
 */
function iterateSorted(
  sqlite: Sqlite,
  sort: FigureSort,
  { breed_slug, size }: Filter,
  after: SortPosition | undefined,
  ids?: readonly string[],
): IterableIterator<SortPosition> {
  const column = SORT_COLUMNS[figureOfSort(sort)]
  const [direction, operator] = sort.endsWith('-desc') ? ['DESC', '<'] : ['ASC', '>']
  const terms: string[] = []
  const values: (string | number)[] = []
  const add = (term: string, ...given: (string | number)[]) => {
    terms.push(term)
    values.push(...given)
  }
  if (breed_slug) add('breed_slug = ?', breed_slug)
  if (size) add('size = ?', size)
  if (ids) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
  // As in dogs/list/list.server.ts: a comparison leaves out nulls itself, and a second condition makes SQLite choose a worse index.
  if (after) add(`(${column}, id) ${operator} (?, ?)`, after.value, after.id)
  else if (column !== 'votes') add(`${column} IS NOT NULL`)
  const where = terms.length ? `WHERE ${terms.join(' AND ')}` : ''
  return sqlite
    .prepare(`SELECT id, ${column} AS value FROM dogs ${where} ORDER BY ${column} ${direction}, id ${direction}`)
    .iterate(...values) as IterableIterator<SortPosition>
}

interface PageSources {
  sqlite: Sqlite
  /** The index of the dogs of these filters. */
  index: DogIndex
  /** A dog's location; null where it is not on the map. */
  locate: (id: string) => { lon: number; lat: number } | null
}
interface SortedPageRequest extends Filter {
  areas: Area[]
  limit: number
  after?: SortPosition | undefined
  sort: FigureSort
}

/**
 * The next dogs of the areas in an order, one more than `limit` where more follow. Where the areas contain many of all dogs, a scan
 * in the order finds the next ones soon; else the dogs of the areas are few enough to sort.
 */
export function sortedPage(
  { sqlite, index, locate }: PageSources,
  { areas, limit, after, sort, ...filter }: SortedPageRequest,
): (SortPosition & { lon: number; lat: number })[] {
  const inside = index.count(areas)
  const isWide = inside * inside > limit * index.length
  const found: (SortPosition & { lon: number; lat: number })[] = []
  if (inside === 0) return found
  for (const { id, value } of iterateSorted(sqlite, sort, filter, after, isWide ? undefined : index.ids(areas))) {
    const point = locate(id)
    if (!point || !areas.some((area) => isIn(point, area))) continue
    if (found.push({ id, value, ...point }) > limit) break
  }
  return found
}

const isIn = ({ lon, lat }: { lon: number; lat: number }, [west, south, east, north]: Area) =>
  lon >= west && lon <= east && lat >= south && lat <= north
