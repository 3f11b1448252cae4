import type { Db } from '#db/client.ts'
import { toDogs } from '#features/dogs/dog.server.ts'
import { DEFAULT_PAGE_SIZE } from '#features/dogs/list/dog-query.ts'
import type { DogQuery, Sort } from '#features/dogs/dogs.ts'
import { toDogFilter } from '#features/dogs/list/list.server.ts'
import { AppError } from '#lib/errors.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { type Area, MAP_TEXTS, type MapDogs } from './map.ts'
import type { MarksRequest, DogPageRequest } from './index/map-store.server.ts'
import type { SortPosition } from './index/sorted-page.server.ts'

/** A serialised `MapAnswer`. */
export interface MapBody {
  body: Uint8Array<ArrayBuffer>
  etag: string
}
export interface MapPage {
  ids: string[]
  /** Their locations, in the same order. */
  centers: [lon: number, lat: number][]
  last: SortPosition | null
  visible: number
  listed: number
}
export interface MapWorkerStats {
  thread: number
  placed: number
  buildMs: number
  heapMB: number
}

/** The map of this process (`openMapService`). */
export interface MapService {
  features: (request: MarksRequest) => Promise<MapBody>
  page: (request: DogPageRequest) => Promise<MapPage>
  readStats: () => Promise<MapWorkerStats>
  close: () => Promise<void>
}

export const mapUnavailable = () => new AppError(503, MAP_TEXTS.unavailable, { retryAfter: 5 })

interface AreaQuery extends Pick<DogQuery, 'breed' | 'size'> {
  bbox: Area[]
}

/** The clusters and dogs of an area. @throws AppError 503 */
export const mapFeatures = (
  map: MapService,
  query: AreaQuery & { zoom: number; view?: Area[] | undefined },
): Promise<MapBody> => map.features({ ...toDogFilter(query), areas: query.bbox, view: query.view, zoom: query.zoom })

/** The order's name in cursors: a cursor of another order would skip dogs. */
const cursorOrder = (sort: Sort) => (sort === 'recent' ? 'map' : `map ${sort}`)

/** A page of the dogs of an area, newest first or in the order `sort`. @throws AppError 422 for a bad cursor, 503 */
export async function mapDogs(
  db: Db,
  map: MapService,
  query: AreaQuery & Pick<DogQuery, 'cursor' | 'limit' | 'sort'>,
): Promise<MapDogs> {
  const sort = query.sort ?? 'recent'
  const order = cursorOrder(sort)
  // Weights have decimals.
  const isSortValue = sort.startsWith('weight') ? Number.isFinite : Number.isSafeInteger
  const position = query.cursor === undefined ? undefined : decodeCursor(query.cursor, order, isSortValue)
  const { ids, centers, last, visible, listed } = await map.page({
    ...toDogFilter(query),
    areas: query.bbox,
    limit: query.limit ?? DEFAULT_PAGE_SIZE,
    sort,
    after: position && { value: position.value, id: position.id },
  })
  // The index may still contain a dog that has just been deleted.
  const rows = ids.length ? await db.selectFrom('dogs').selectAll().where('id', 'in', ids).execute() : []
  const byId = new Map((await toDogs(db, rows)).map((dog) => [dog.id, dog]))
  return {
    dogs: centers.flatMap((center, index) => {
      const dog = byId.get(ids[index] ?? '')
      return dog ? { ...dog, center } : []
    }),
    nextCursor: last && encodeCursor({ order, ...last }),
    visible,
    listed,
  }
}
