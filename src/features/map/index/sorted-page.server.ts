import type { Sqlite } from '#db/client.ts'
import type { Sort } from '#features/dogs/dogs.ts'
import type { DogIndex } from './dog-index.ts'
import type { Area } from '#features/map/map.ts'

/** A dog's place in an order: its figure and, among equals, its id. */
export interface SortPosition {
  value: number
  id: string
}
/** The orders that the table's indexes hold; the newest first is the map's own. */
export type FigureSort = Exclude<Sort, 'recent'>

const SORT_COLUMNS = { votes: 'votes', weight: 'weight', age: 'age_months' } as const
export const figureOfSort = (sort: FigureSort) => sort.split('-')[0] as keyof typeof SORT_COLUMNS

interface Filter {
  breed_slug?: string | undefined
  size?: string | undefined
}

/**
 * Dogs in an order of the list, the next after `after`, read from the index of their filters as they are asked for. Weight
 * and age orders hold only dogs that have it.
 * @param among ids to which they are limited; then they are sorted at once
 */
function iterateSorted(
  sqlite: Sqlite,
  sort: FigureSort,
  { breed_slug, size }: Filter,
  after: SortPosition | undefined,
  among?: readonly string[],
): IterableIterator<SortPosition> {
  const column = SORT_COLUMNS[figureOfSort(sort)]
  const [way, side] = sort.endsWith('-desc') ? ['DESC', '<'] : ['ASC', '>']
  const terms: string[] = []
  const values: (string | number)[] = []
  const add = (term: string, ...given: (string | number)[]) => {
    terms.push(term)
    values.push(...given)
  }
  if (breed_slug) add('breed_slug = ?', breed_slug)
  if (size) add('size = ?', size)
  if (among) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(among))
  // As in dogs/list/list.server.ts: a comparison leaves out nulls by itself, and saying so twice makes for a worse index.
  if (after) add(`(${column}, id) ${side} (?, ?)`, after.value, after.id)
  else if (column !== 'votes') add(`${column} IS NOT NULL`)
  const where = terms.length ? `WHERE ${terms.join(' AND ')}` : ''
  return sqlite
    .prepare(`SELECT id, ${column} AS value FROM dogs ${where} ORDER BY ${column} ${way}, id ${way}`)
    .iterate(...values) as IterableIterator<SortPosition>
}

interface PageSources {
  sqlite: Sqlite
  /** Of the dogs of these filters. */
  index: DogIndex
  /** Where a dog stands; null where it is not on the map. */
  locate: (id: string) => { lon: number; lat: number } | null
}
interface SortedPageRequest extends Filter {
  areas: Area[]
  limit: number
  after?: SortPosition | undefined
  sort: FigureSort
}

/**
 * The next dogs of the areas in an order, and one more than `limit` where more follow. Where many of all dogs stand in the
 * areas, the next ones are soon met in the table's own order; else those of the areas are few enough to be sorted.
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
