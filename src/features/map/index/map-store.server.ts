import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Sort } from '#features/dogs/dogs.ts'
import { DogIndex, type DogListing, toListing, type PlacedDog } from './dog-index.ts'
import { readAllIds, readAllRows, readRowsOf, type Row, selectChangedRows } from './dog-rows.server.ts'
import { DogTable, FIGURE_FLAGS, UNITS_PER_DEGREE } from './dog-table.ts'
import type { Area, MapAnswer } from '#features/map/map.ts'
import type { MapPage } from '#features/map/map.server.ts'
import { featureOf, pointAt, readShownDogs } from './map-features.server.ts'
import type { OverrideFile } from './location-overrides.server.ts'
import { figureOfSort, type SortPosition, sortedPage } from './sorted-page.server.ts'
import { jitterLocation } from './location-jitter.ts'

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

/** Dogs that indexes of filters may hold together, some 150 bytes each. */
const FILTERED_MAX_DOGS = 500_000
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
  readonly #dogs = new DogTable()
  /** Rows of the dogs that are on the map, newest first. */
  #placed: Uint32Array = new Uint32Array(0)
  #all = new DogIndex(toListing([]))
  readonly #filtered = new LRUCache<string, DogIndex>({
    maxSize: FILTERED_MAX_DOGS,
    // An empty index takes memory too. A very large one may fill the cache alone: building it per request would be worse.
    sizeCalculation: ({ length }) => Math.min(length + 500, FILTERED_MAX_DOGS),
  })
  /** Locations by zone text: thousands of dogs share one. Emptied when texts are compacted. */
  readonly #places = new Map<string, Place | null>()
  #lastReadAt = 0
  #isStale = true

  /** @param db to read with only */
  constructor(db: Db, locate: LocateZones, override: OverrideFile) {
    this.#db = db
    this.#locate = locate
    this.#override = override
  }

  get placed(): number {
    return this.#placed.length
  }

  /** Whether dogs changed since `rebuild`. */
  get isStale(): boolean {
    return this.#isStale
  }

  /**
   * Reads changes of the table since the last call, of any process, and the override file. Changed dogs are found by
   * `updated_at`; deleted ones, and those added with an old date, by a count that differs.
   * Requests are answered meanwhile. Not to be called again before it ends, nor `retryUnknown` and `rebuild`.
   * @param isWritten false where the database has not been written to since
   */
  async refresh(now = Date.now(), isWritten = true): Promise<void> {
    const isMoved = this.#override.reloadIfChanged()
    // The clock was set back: new changes would look old, so everything is read again.
    if (now < this.#lastReadAt) this.#lastReadAt = 0
    if (isWritten) {
      await this.#read()
      this.#lastReadAt = now
    }
    if (isMoved) await this.#locateDogs([...this.#dogs.all()])
  }

  async #read(): Promise<void> {
    const { count } = await this.#db
      .selectFrom('dog_tallies')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('dogs'), sql.lit(0)).as('count'))
      .executeTakeFirstOrThrow()
    if (this.#lastReadAt)
      await this.#upsert(await selectChangedRows(this.#db, this.#lastReadAt - REFRESH_OVERLAP_MS).execute())
    else {
      this.#dogs.reserve(count)
      for await (const rows of readAllRows(this.#db)) await this.#upsert(rows)
    }
    // A dog that was added or deleted between these reads is found by the next refresh.
    if (count !== this.#dogs.size) await this.#compareIds()
  }

  /** Compares all ids, by the primary key. */
  async #compareIds(): Promise<void> {
    const known = new Set<number>()
    const unknown: string[] = []
    for await (const ids of readAllIds(this.#db))
      for (const id of ids) {
        const row = this.#dogs.find(id)
        if (row < 0) unknown.push(id)
        else known.add(row)
      }
    for (const row of this.#dogs.all()) {
      if (known.has(row)) continue
      this.#dogs.remove(row)
      this.#isStale = true
    }
    for await (const rows of readRowsOf(this.#db, unknown)) await this.#upsert(rows)
  }

  async #upsert(rows: readonly Row[]): Promise<void> {
    await this.#learnPlaces(rows.map(({ zone }) => zone))
    for (const row of rows) this.#upsertRow(row)
  }

  #upsertRow({ id, zone, breed_slug, size, created_at, figures }: Row): void {
    const { strings, zones, breeds, sizes } = this.#dogs
    const numbers = [strings.intern(zone), strings.intern(breed_slug), strings.intern(size)] as const
    let row = this.#dogs.find(id)
    if (row >= 0) this.#dogs.figures[row] = figures
    if (row >= 0 && zones[row] === numbers[0] && breeds[row] === numbers[1] && sizes[row] === numbers[2]) return
    if (row < 0) row = this.#dogs.add(id)
    ;[this.#dogs.zones[row], this.#dogs.breeds[row], this.#dogs.sizes[row]] = numbers
    this.#dogs.created[row] = created_at
    this.#dogs.figures[row] = figures
    this.#locateDog(row, id)
  }

  /** Looks up the zones that are not known yet, in one query. */
  async #learnPlaces(zones: readonly (string | null)[]): Promise<void> {
    const unknown = [...new Set(zones)].filter((zone) => zone !== null && zone.trim() !== '' && !this.#places.has(zone))
    if (unknown.length === 0) return
    const places = await this.#locate(unknown as string[])
    for (const [i, zone] of unknown.entries()) this.#places.set(zone as string, places[i] ?? null)
  }

  async #locateDogs(rows: readonly number[]): Promise<void> {
    await this.#learnPlaces(rows.map((row) => this.#dogs.zone(row)))
    for (const row of rows) this.#locateDog(row)
  }

  /** Sets a dog's location: by the override, else near its zone, which `learnPlaces` must know. */
  #locateDog(row: number, id = this.#dogs.id(row)): void {
    const point = this.#override.points.get(id) ?? this.#place(this.#dogs.zone(row))
    this.#dogs.move(row, point ? jitterLocation(id, point) : null)
    this.#isStale = true
  }

  #place(zone: string | null) {
    return zone === null ? null : (this.#places.get(zone) ?? null)
  }

  /** Retries zones without a location, after the geocoder has learnt new places. */
  async retryUnknown(): Promise<void> {
    for (const [zone, place] of this.#places) if (!place) this.#places.delete(zone)
    const waiting = [...this.#dogs.all()].filter((row) => !this.#dogs.isPlaced(row))
    await this.#learnPlaces(waiting.map((row) => this.#dogs.zone(row)))
    for (const row of waiting) if (this.#place(this.#dogs.zone(row))) this.#locateDog(row)
  }

  /**
   * Builds the index anew; indexes of filters are built on their next request. The old index is discarded first: no request runs
   * meanwhile, and two indexes of a million dogs would not fit into memory.
   */
  rebuild(): void {
    this.#filtered.clear()
    this.#all = new DogIndex(toListing([]))
    this.#dogs.recycle()
    if (this.#dogs.compactStrings()) this.#places.clear()
    this.#placed = this.#dogs.newestFirst()
    this.#all = new DogIndex(this.#listing(this.#placed))
    this.#isStale = false
  }

  /** Coordinates are copied: a dog may move before the index is rebuilt. */
  #listing(rows: Uint32Array): DogListing {
    const { lons, lats, created, figures } = this.#dogs
    const rowAt = (index: number) => rows[index]!
    return {
      lons: Int32Array.from(rows, (row) => lons[row]!),
      lats: Int32Array.from(rows, (row) => lats[row]!),
      id: (index) => this.#dogs.id(rowAt(index)),
      created: (index) => created[rowAt(index)]!,
      figures: (index) => figures[rowAt(index)]!,
    }
  }

  #indexOf({ breed_slug, size }: MapFilter): DogIndex {
    if (!breed_slug && !size) return this.#all
    const key = `${breed_slug ?? ''} ${size ?? ''}`
    const known = this.#filtered.get(key)
    if (known) return known
    const { strings, breeds, sizes } = this.#dogs
    const breed = breed_slug && strings.find(breed_slug)
    const sizeNumber = size && strings.find(size)
    const matches = (row: number) =>
      (!breed_slug || breeds[row] === breed) && (!size || sizes[row] === sizeNumber) && this.#dogs.isPlaced(row)
    const index = new DogIndex(this.#listing(this.#placed.filter(matches)))
    this.#filtered.set(key, index)
    return index
  }

  /** `GET /api/map`. */
  async answer({ areas, view, zoom, ...filter }: MarksRequest): Promise<MapAnswer> {
    const index = this.#indexOf(filter)
    const { marks, visible: all } = index.queryMarks(areas, zoom)
    const visible = view ? index.count(view) : all
    const shown = await readShownDogs(
      this.#db,

      marks.flatMap((mark) => (mark.dog ? [mark.dog.id] : mark.coverDogId ? [mark.coverDogId] : [])),
    )
    const features = marks.flatMap((mark) => featureOf(mark, shown))
    return { type: 'FeatureCollection', features, visible, total: index.length }
  }

  /** A page of `GET /api/map/dogs`, in the order requested; `last` where more follow. */
  async page(request: DogPageRequest): Promise<MapPage> {
    const { areas, limit, after, sort = 'recent', ...filter } = request
    const index = this.#indexOf(filter)
    const visible = index.count(areas)
    const isNewest = sort === 'recent'
    const found = isNewest
      ? index.page(areas, limit + 1, after && { created: after.value, id: after.id }).map(toSortPosition)
      : await sortedPage({ db: this.#db, index, locate: (id) => this.#pointOf(id) }, { ...request, sort })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    const figure = isNewest ? undefined : FIGURE_FLAGS[figureOfSort(sort)]
    return {
      ids: page.map(({ id }) => id),
      centers: page.map(({ lon, lat }) => pointAt(lon, lat).coordinates),
      last: last ? { value: last.value, id: last.id } : null,
      visible,
      listed: figure ? index.countWith(areas, figure) : visible,
    }
  }

  /** A dog's current location; null where it is not on the map. */
  #pointOf(id: string): { lon: number; lat: number } | null {
    const row = this.#dogs.find(id)
    if (row < 0 || !this.#dogs.isPlaced(row)) return null
    return { lon: this.#dogs.lons[row]! / UNITS_PER_DEGREE, lat: this.#dogs.lats[row]! / UNITS_PER_DEGREE }
  }
}

const toSortPosition = ({ created, ...dog }: PlacedDog) => ({ ...dog, value: created })
