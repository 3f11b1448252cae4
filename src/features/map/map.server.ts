import type { Db } from '#db/client.ts'
import { toDogs } from '#features/dogs/dog.server.ts'
import { PAGE_DEFAULT } from '#features/dogs/dogQuery.ts'
import type { DogQuery, Sort } from '#features/dogs/dogs.ts'
import { toFilter } from '#features/dogs/list.server.ts'
import { AppError } from '#lib/errors.ts'
import { readCursor, writeCursor } from '#lib/cursor.ts'
import { type Area, MAP_TEXTS, type MapDogs } from './map.ts'
import type { MapQuestion, PageQuestion } from './store.server.ts'
import type { Place } from './order.server.ts'

/** A `MapAnswer` as it is sent. */
export interface MapBody {
  body: Uint8Array<ArrayBuffer>
  etag: string
}
export interface MapPage {
  ids: string[]
  /** Where each of them stands. */
  centers: [lon: number, lat: number][]
  last: Place | null
  visible: number
  listed: number
}
export interface MapFigures {
  thread: number
  placed: number
  buildMs: number
  heapMB: number
}

/** What host.server.ts opens. */
export interface MapService {
  features: (question: MapQuestion) => Promise<MapBody>
  page: (question: PageQuestion) => Promise<MapPage>
  figures: () => Promise<MapFigures>
  close: () => Promise<void>
}

export const mapAway = () => new AppError(503, MAP_TEXTS.away, { retryAfter: 5 })

interface AreaQuery extends Pick<DogQuery, 'breed' | 'size'> {
  bbox: Area[]
}

/** The clusters and dogs of an area. @throws AppError 503 */
export const mapFeatures = (
  map: MapService,
  query: AreaQuery & { zoom: number; view?: Area[] | undefined },
): Promise<MapBody> => map.features({ ...toFilter(query), areas: query.bbox, view: query.view, zoom: query.zoom })

/** Names the order in cursors: another order's would skip dogs. */
const orderOf = (sort: Sort) => (sort === 'recent' ? 'map' : `map ${sort}`)

/** A page of the dogs that stand in an area, newest first or as `sort` says. @throws AppError 422 for a bad cursor, 503 */
export async function mapDogs(
  db: Db,
  map: MapService,
  query: AreaQuery & Pick<DogQuery, 'cursor' | 'limit' | 'sort'>,
): Promise<MapDogs> {
  const sort = query.sort ?? 'recent'
  const order = orderOf(sort)
  const at = query.cursor === undefined ? undefined : readCursor(query.cursor, order)
  const { ids, centers, last, visible, listed } = await map.page({
    ...toFilter(query),
    areas: query.bbox,
    limit: query.limit ?? PAGE_DEFAULT,
    sort,
    after: at && { value: at.value, id: at.id },
  })
  // The index may name a dog that was deleted a moment ago.
  const rows = ids.length ? await db.selectFrom('dogs').selectAll().where('id', 'in', ids).execute() : []
  const byId = new Map((await toDogs(db, rows)).map((dog) => [dog.id, dog]))
  return {
    dogs: ids.flatMap((id, index) => {
      const dog = byId.get(id)
      return dog ? { ...dog, center: centers[index]! } : []
    }),
    nextCursor: last && writeCursor({ order, ...last }),
    visible,
    listed,
  }
}
