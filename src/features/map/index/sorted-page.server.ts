import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Size } from '#db/tables/dogs.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import type { Sort } from '#features/dogs/dogs.ts'
import type { Area } from '#features/map/map.ts'
import type { DogIndex, PlacedDog } from './dog-index.ts'

/** A dog's position in an order: its figure and, among equals, its id. */
export interface SortPosition {
  value: number
  id: string
}
/** The orders of the table's indexes. The map itself has the dogs newest first. */
export type FigureSort = Exclude<Sort, 'recent'>

const SORT_COLUMNS = { votes: 'votes', weight: 'weight', age: 'age_months' } as const
export const figureOfSort = (sort: FigureSort) => sort.split('-')[0] as keyof typeof SORT_COLUMNS

interface SortedPageRequest {
  breed_slug?: string | undefined
  size?: string | undefined
  areas: Area[]
  limit: number
  after?: SortPosition | undefined
  sort: FigureSort
}

/** Rows of the first query of a scan, and of its later ones: most pages end in the first. */
const FIRST_SCAN_ROWS = 200
const NEXT_SCAN_ROWS = 2000

/**
 * The next dogs in an order of the list, after `after`, by the filters' index. Orders by weight and age have only dogs with that
 * figure.
 */
function selectSorted(db: Db, { sort, breed_slug, size, after }: SortedPageRequest) {
  const column = SORT_COLUMNS[figureOfSort(sort)]
  const direction = sort.endsWith('-desc') ? 'desc' : 'asc'
  let rows = db.selectFrom('dogs').select(['id', sql<number>`${sql.ref(column)}`.as('value')])
  if (breed_slug) rows = rows.where('breed_slug', '=', breed_slug)
  if (size) rows = rows.where('size', '=', size as Size)
  // As in dogs/list/list.server.ts: a comparison leaves out nulls itself, and a second condition makes SQLite choose a worse index.
  if (after)
    rows = rows.where((eb) =>
      eb(eb.refTuple(column, 'id'), direction === 'desc' ? '<' : '>', eb.tuple(after.value, after.id)),
    )
  else if (column !== 'votes') rows = rows.where(column, 'is not', null)
  return rows.orderBy(column, direction).orderBy('id', direction)
}

/** Iterates dogs in an order of the list, a query at a time. */
async function* scanSorted(db: Db, request: SortedPageRequest): AsyncGenerator<SortPosition[]> {
  for (let [limit, after] = [FIRST_SCAN_ROWS, request.after]; ; limit = NEXT_SCAN_ROWS) {
    const rows = await selectSorted(db, { ...request, after })
      .limit(limit)
      .execute()
    yield rows
    if (rows.length < limit) return
    after = rows.at(-1)
  }
}

interface PageSources<D extends PlacedDog> {
  db: Db
  /** The index of the dogs of these filters. */
  index: DogIndex<D>
  /** A dog as it is now; undefined where there is none. */
  find: (id: string) => D | undefined
}

/**
 * The next dogs of the areas in an order, one more than `limit` where more follow. Where the areas contain many of all dogs, a scan
 * in the order finds the next ones soon; else the dogs of the areas are few enough to sort.
 */
export async function sortedPage<D extends PlacedDog>(
  { db, index, find }: PageSources<D>,
  request: SortedPageRequest,
): Promise<(D & SortPosition)[]> {
  const { areas, limit } = request
  const inside = index.count(areas)
  const page: (D & SortPosition)[] = []
  if (inside === 0) return page
  const isWide = inside ** 2 > limit * index.length
  const idsInside = () => index.find(areas).map(({ id }) => id)
  const batches = isWide
    ? scanSorted(db, request)
    : [
        selectSorted(db, request)
          .where(inTexts(db, 'id', idsInside()))
          .execute(),
      ]
  for await (const rows of batches)
    for (const { id, value } of rows) {
      const dog = find(id)
      if (!dog || !areas.some((area) => isIn(dog, area))) continue
      if (page.push({ ...dog, value }) > limit) return page
    }
  return page
}

const isIn = ({ lon, lat }: PlacedDog, [west, south, east, north]: Area) =>
  lon >= west && lon <= east && lat >= south && lat <= north
