import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Sort } from '#features/dogs/dogs.ts'
import type { Area, MapAnswer } from '#features/map/map.ts'
import type { MapPage } from '#features/map/map.server.ts'
import { DogIndex, newestFirst } from './dog-index.ts'
import { readAllRows, type Row, selectChangedRows } from './dog-rows.server.ts'
import { jitterLocation } from './location-jitter.ts'
import type { OverrideFile } from './location-overrides.server.ts'
import { featureOf, pointAt, readShownDogs } from './map-features.server.ts'
import { figureOfSort, type SortPosition, sortedPage } from './sorted-page.server.ts'

export type Place = { lon: number; lat: number }
/** Finds the places of zones, null where one is unknown, in the zones' order. */
export type LocateZones = (zones: readonly string[]) => Promise<readonly (Place | null)[]>

/** Filters in the table's terms. */
export interface MapFilter {
  breed_slug?: string | undefined
  size?: string | undefined
}
export interface MarksRequest extends MapFilter {
  areas: Area[]
  /** The areas whose dogs are counted; by default `areas`. */
  view?: Area[] | undefined
  zoom: number
}
export interface DogPageRequest extends MapFilter {
  areas: Area[]
  limit: number
  /** Newest first by default. */
  sort?: Sort | undefined
  /** The last dog of the page before. */
  after?: SortPosition | undefined
}

/** A dog as it was read. It never changes, so that indexes stay correct: a change makes another one. */
interface StoredDog extends Row {
  /** The operator's point or the zone's; null: it is not on the map. */
  place: Place | null
  /** Its location near `place`; NaN without one. */
  lon: number
  lat: number
}

/** Dogs that indexes of filters may hold together, some 150 bytes each. */
const FILTERED_MAX_DOGS = 500_000
/** What says whether a dog has the figure of an order. All have votes. */
const FIGURE_COLUMNS = { votes: null, weight: 'has_weight', age: 'has_age' } as const
/** A transaction that began before the last read may commit this long after it. */
const REFRESH_OVERLAP_MS = 10_000

/**
 * The map's columns of all dogs in memory, and the indexes over them, in the map's worker. What markers show (names, likes) is
 * read from the database per request, so that it is never stale.
 */
export class MapStore {
  readonly #db: Db
  readonly #locate: LocateZones
  readonly #override: OverrideFile
  #dogs = new Map<string, StoredDog>()
  #all = new DogIndex<StoredDog>([])
  readonly #filtered = new LRUCache<string, DogIndex<StoredDog>>({
    maxSize: FILTERED_MAX_DOGS,
    // An empty index takes memory too. A very large one may fill the cache alone: building it per request would be worse.
    sizeCalculation: ({ length }) => Math.min(length + 500, FILTERED_MAX_DOGS),
  })
  /** Places by zone: thousands of dogs share one. */
  #places = new Map<string, Place | null>()
  #lastReadAt = 0
  #isStale = true

  /** @param db to read with only */
  constructor(db: Db, locate: LocateZones, override: OverrideFile) {
    this.#db = db
    this.#locate = locate
    this.#override = override
  }

  get placed(): number {
    return this.#all.length
  }

  /** Whether dogs changed since `rebuild`. */
  get isStale(): boolean {
    return this.#isStale
  }

  /**
   * Reads changes of the table since the last call, of any process, and the override file. Changed dogs are found by
   * `updated_at`; where dogs were deleted, or added with an old date, the count differs and all are read.
   * Requests are answered meanwhile. Not to be called again before it ends, nor `retryUnknown` and `rebuild`.
   * @param isWritten false where the database has not been written to since
   */
  async refresh(now = Date.now(), isWritten = true): Promise<void> {
    const isMoved = this.#override.reloadIfChanged()
    // The clock was set back: new changes would look old.
    if (now < this.#lastReadAt) this.#lastReadAt = 0
    if (isWritten) {
      await this.#read()
      this.#lastReadAt = now
    }
    if (isMoved) await this.#place([...this.#dogs.values()])
  }

  async #read(): Promise<void> {
    const { count } = await this.#db
      .selectFrom('dog_tallies')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('dogs'), sql.lit(0)).as('count'))
      .executeTakeFirstOrThrow()
    if (this.#lastReadAt) {
      await this.#place(await selectChangedRows(this.#db, this.#lastReadAt - REFRESH_OVERLAP_MS).execute())
      if (count === this.#dogs.size) return
    }
    const ids = new Set<string>()
    for await (const rows of readAllRows(this.#db)) {
      await this.#place(rows)
      for (const { id } of rows) ids.add(id)
    }
    for (const id of this.#dogs.keys()) if (!ids.has(id)) this.#isStale = this.#dogs.delete(id)
  }

  /** Retries zones without a place, after the geocoder has learnt new ones. */
  async retryUnknown(): Promise<void> {
    for (const [zone, place] of this.#places) if (!place) this.#places.delete(zone)
    await this.#place([...this.#dogs.values()])
  }

  /** Places dogs by the override, else near their zone's point, and keeps those that changed. */
  async #place(rows: readonly Row[]): Promise<void> {
    await this.#learnPlaces(rows)
    for (const { id, zone, breed_slug, size, created, has_weight, has_age } of rows) {
      const place = this.#override.points.get(id) ?? (zone === null ? null : (this.#places.get(zone) ?? null))
      const known = this.#dogs.get(id)
      const isSame =
        known?.place === place &&
        known.zone === zone &&
        known.breed_slug === breed_slug &&
        known.size === size &&
        known.has_weight === has_weight &&
        known.has_age === has_age
      if (isSame) continue
      const { lon, lat } = place ? jitterLocation(id, place) : { lon: NaN, lat: NaN }
      this.#dogs.set(id, { id, zone, breed_slug, size, created, has_weight, has_age, place, lon, lat })
      this.#isStale = true
    }
  }

  /** Looks up the zones that are not known yet, in one query. */
  async #learnPlaces(rows: readonly Row[]): Promise<void> {
    const unknown = new Set(rows.flatMap(({ zone }) => (zone?.trim() && !this.#places.has(zone) ? [zone] : [])))
    if (unknown.size === 0) return
    const places = await this.#locate([...unknown])
    for (const [i, zone] of [...unknown].entries()) this.#places.set(zone, places[i] ?? null)
  }

  /**
   * Builds the index anew; indexes of filters are built on their next request. The old one is discarded first, so that two never
   * take memory: no request runs meanwhile.
   */
  rebuild(): void {
    this.#filtered.clear()
    this.#all = new DogIndex<StoredDog>([])
    const dogs = [...this.#dogs.values()]
    // Each edit of a zone may bring a new one.
    const zones = new Set(dogs.map(({ zone }) => zone))
    for (const zone of this.#places.keys()) if (!zones.has(zone)) this.#places.delete(zone)
    this.#all = new DogIndex(dogs.filter(({ place }) => place).sort(newestFirst))
    this.#isStale = false
  }

  #indexOf({ breed_slug, size }: MapFilter): DogIndex<StoredDog> {
    if (!breed_slug && !size) return this.#all
    const key = `${breed_slug ?? ''} ${size ?? ''}`
    let index = this.#filtered.get(key)
    if (!index) {
      index = new DogIndex(
        this.#all.dogs.filter((dog) => (!breed_slug || dog.breed_slug === breed_slug) && (!size || dog.size === size)),
      )
      this.#filtered.set(key, index)
    }
    return index
  }

  /** `GET /api/map`. */
  async answer({ areas, view, zoom, ...filter }: MarksRequest): Promise<MapAnswer> {
    const index = this.#indexOf(filter)
    const { marks, visible: all } = index.queryMarks(areas, zoom)
    const visible = view ? index.count(view) : all
    const ids = marks.flatMap((mark) => (mark.dog ? mark.dog.id : (mark.coverDogId ?? [])))
    const shown = await readShownDogs(this.#db, ids)
    const features = marks.flatMap((mark) => featureOf(mark, shown))
    return { type: 'FeatureCollection', features, visible, total: index.length }
  }

  /** A page of `GET /api/map/dogs`, in the order requested; `last` where more follow. */
  async page(request: DogPageRequest): Promise<MapPage> {
    const { areas, limit, after, sort = 'recent', ...filter } = request
    const index = this.#indexOf(filter)
    const figure = FIGURE_COLUMNS[sort === 'recent' ? 'votes' : figureOfSort(sort)]
    const found =
      sort === 'recent'
        ? index
            .page(areas, limit + 1, after && { created: after.value, id: after.id })
            .map((dog) => ({ ...dog, value: dog.created }))
        : await sortedPage({ db: this.#db, index, find: (id) => this.#dogs.get(id) }, { ...request, sort })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    const visible = index.count(areas)
    return {
      ids: page.map(({ id }) => id),
      centers: page.map(({ lon, lat }) => pointAt(lon, lat).coordinates),
      last: last ? { value: last.value, id: last.id } : null,
      visible,
      listed: figure ? index.find(areas).filter((dog) => dog[figure]).length : visible,
    }
  }
}
