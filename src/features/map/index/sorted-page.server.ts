import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Size } from '#db/tables/dogs.ts'
import { inTexts } from '#db/dialect/expressions.ts'
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

/** Rows of the first query of a scan, and of its later ones: most pages end in the first. */
const FIRST_SCAN_ROWS = 200
const NEXT_SCAN_ROWS = 2000

/**
 * The next dogs in an order of the list, after `after`, by the filters' index. Orders by weight and age have only dogs with that figure.
 * @param ids limits the dogs
 */
function readSorted(
  db: Db,
  sort: FigureSort,
  { breed_slug, size }: Filter,
  { after, ids, limit }: { after: SortPosition | undefined; ids?: readonly string[]; limit?: number },
): Promise<SortPosition[]> {
  const column = SORT_COLUMNS[figureOfSort(sort)]
  const isDescending = sort.endsWith('-desc')
  let rows = db.selectFrom('dogs').select(['id', sql<number>`${sql.ref(column)}`.as('value')])
  if (breed_slug) rows = rows.where('breed_slug', '=', breed_slug)
  if (size) rows = rows.where('size', '=', size as Size)
  if (ids) rows = rows.where(inTexts(db, 'id', ids))
  // As in dogs/list/list.server.ts: a comparison leaves out nulls itself, and a second condition makes SQLite choose a worse index.
  if (after)
    rows = rows.where((eb) => eb(eb.refTuple(column, 'id'), isDescending ? '<' : '>', eb.tuple(after.value, after.id)))
  else if (column !== 'votes') rows = rows.where(column, 'is not', null)
  const direction = isDescending ? 'desc' : 'asc'
  rows = rows.orderBy(column, direction).orderBy('id', direction)
  return (limit === undefined ? rows : rows.limit(limit)).execute()
}

/** Iterates dogs in an order of the list, a query at a time. */
async function* iterateSorted(
  db: Db,
  sort: FigureSort,
  filter: Filter,
  after: SortPosition | undefined,
): AsyncGenerator<SortPosition[]> {
  for (let limit = FIRST_SCAN_ROWS; ; limit = NEXT_SCAN_ROWS) {
    const rows = await readSorted(db, sort, filter, { after, limit })
    yield rows
    if (rows.length < limit) return
    after = rows.at(-1)
  }
}

interface PageSources {
  db: Db
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
export async function sortedPage(
  { db, index, locate }: PageSources,
  { areas, limit, after, sort, ...filter }: SortedPageRequest,
): Promise<(SortPosition & { lon: number; lat: number })[]> {
  const inside = index.count(areas)
  const isWide = inside * inside > limit * index.length
  const found: (SortPosition & { lon: number; lat: number })[] = []
  if (inside === 0) return found
  const batches = isWide
    ? iterateSorted(db, sort, filter, after)
    : [readSorted(db, sort, filter, { after, ids: index.ids(areas) })]
  for await (const rows of batches)
    for (const { id, value } of rows) {
      const point = locate(id)
      if (!point || !areas.some((area) => isIn(point, area))) continue
      if (found.push({ id, value, ...point }) > limit) return found
    }
  return found
}

const isIn = ({ lon, lat }: { lon: number; lat: number }, [west, south, east, north]: Area) =>
  lon >= west && lon <= east && lat >= south && lat <= north
