import type { Sqlite } from '#db/client.ts'
import { paths } from '#lib/paths.ts'
import { DogIndex, type Mark, newestFirst, type Placed } from './dogIndex.ts'
import { Lru } from '#lib/lru.ts'
import type { Area, DogFeature, MapAnswer, MapFeature } from './map.ts'
import type { MapPage } from './map.server.ts'
import type { OverrideFile } from './override.server.ts'
import { spread } from './spread.ts'

export type Locate = (zone: string) => { lon: number; lat: number } | null

/** Filters as the table holds them. */
export interface MapFilter {
  breed_slug?: string | undefined
  size?: string | undefined
}
export interface MapQuestion extends MapFilter {
  areas: Area[]
  /** The part of the areas whose dogs are counted; all of them by default. */
  view?: Area[] | undefined
  zoom: number
}
export interface PageQuestion extends MapFilter {
  areas: Area[]
  limit: number
  /** The last dog of the page before. */
  after?: Place | undefined
}
/** A dog's place in the order of pages. */
export interface Place {
  created: number
  id: string
}

interface Row {
  id: string
  zone: string | null
  breed_slug: string
  size: string | null
  created_at: number
}
/** Every dog of the table; one whose zone is nowhere has no `lon`. */
interface Known extends Placed {
  zone: string | null
}
type Shown = Omit<DogFeature['properties'], 'path' | 'likes'> & { path_breed: string; path_slug: string; votes: number }

/** Dogs that indexes of filters may hold together, about as many as a large community twice. */
const FILTERED_MAX = 200_000
/** How far behind the clock a change may come to light: a transaction that began before the last look. */
const OVERLAP = 10_000
const ROW = 'SELECT id, zone, breed_slug, size, created_at FROM dogs'
/** By the index dogs_updated. */
export const CHANGED = `${ROW} WHERE updated_at >= ?`
const LISTED = 'IN (SELECT value FROM json_each(?))'

/**
 * All dogs in memory as far as the map needs them, and the indexes over them. It lives in the map's worker; what markers
 * show (names, likes) is read from the database when asked for, so that it is never stale.
 */
export class MapStore {
  readonly #sqlite: Sqlite
  readonly #locate: Locate
  readonly #override: OverrideFile
  readonly #known = new Map<string, Known>()
  /** The dogs that are on the map, newest first. */
  #placed: Known[] = []
  #all = new DogIndex([])
  readonly #filtered = new Lru<string, DogIndex>(FILTERED_MAX)
  /** Places by zone text, since thousands of dogs share one. */
  readonly #places = new Map<string, { lon: number; lat: number } | null>()
  readonly #words = new Map<string, string>()
  #looked = 0
  #isStale = true

  constructor(sqlite: Sqlite, locate: Locate, override: OverrideFile) {
    this.#sqlite = sqlite
    this.#locate = locate
    this.#override = override
  }

  get placed(): number {
    return this.#placed.length
  }

  /** Something changed since `rebuild`. */
  get isStale(): boolean {
    return this.#isStale
  }

  /**
   * Reads what changed in the table since the last call, whoever wrote it, and the override file. Changed dogs are found
   * by `updated_at`; deleted ones, and those that came with an old date, by a count that does not fit.
   * @param isWritten false when nothing was written to the database since
   */
  refresh(now = Date.now(), isWritten = true): void {
    const isMoved = this.#override.changed()
    // The clock went back: what changes now says it changed before we looked, so everything is read once more.
    if (now < this.#looked) this.#looked = 0
    if (isWritten) {
      this.#sqlite.transaction(() => this.#read())()
      this.#looked = now
    }
    if (!isMoved) return
    for (const dog of this.#known.values()) this.#take({ ...dog, breed_slug: dog.breed, created_at: dog.created }, true)
  }

  #read(): void {
    const rows = this.#looked
      ? this.#sqlite.prepare(CHANGED).iterate(this.#looked - OVERLAP)
      : this.#sqlite.prepare(ROW).iterate()
    for (const row of rows as Iterable<Row>) this.#take(row)
    const count = this.#sqlite.prepare('SELECT coalesce(sum(dogs), 0) FROM dog_tallies').pluck().get()
    if (count !== this.#known.size) this.#compare()
  }

  /** Id by id, which takes some thirty milliseconds of a hundred thousand dogs. */
  #compare(): void {
    const gone = new Set(this.#known.keys())
    const unknown: string[] = []
    for (const id of this.#sqlite.prepare('SELECT id FROM dogs').pluck().iterate() as Iterable<string>)
      if (!gone.delete(id)) unknown.push(id)
    for (const id of gone) this.#known.delete(id)
    const rows = this.#sqlite.prepare(`${ROW} WHERE id ${LISTED}`).iterate(JSON.stringify(unknown))
    for (const row of rows as Iterable<Row>) this.#take(row)
    if (gone.size > 0) this.#isStale = true
  }

  #take(row: Row, again = false): void {
    const before = this.#known.get(row.id)
    const isSame = before && before.zone === row.zone && before.breed === row.breed_slug && before.size === row.size
    if (isSame && !again) return
    const point = this.#override.points.get(row.id) ?? this.#place(row.zone)
    this.#known.set(row.id, {
      id: row.id,
      zone: row.zone === null ? null : this.#word(row.zone),
      breed: this.#word(row.breed_slug),
      size: row.size === null ? null : this.#word(row.size),
      created: row.created_at,
      ...(point ? spread(row.id, point) : { lon: NaN, lat: NaN }),
    })
    this.#isStale = true
  }

  /** The same text as one string, however many dogs say it. */
  #word(text: string): string {
    const known = this.#words.get(text)
    if (known === undefined) this.#words.set(text, text)
    return known ?? text
  }

  #place(zone: string | null) {
    if (!zone?.trim()) return null
    let place = this.#places.get(zone)
    if (place === undefined) this.#places.set(zone, (place = this.#locate(zone)))
    return place
  }

  /** Looks zones up again that were nowhere: somebody has learnt of places since. */
  retryUnknown(): void {
    for (const [zone, place] of this.#places) if (!place) this.#places.delete(zone)
    for (const dog of this.#known.values())
      if (Number.isNaN(dog.lon) && this.#place(dog.zone))
        this.#take({ ...dog, breed_slug: dog.breed, created_at: dog.created }, true)
  }

  /** Clusters anew. Indexes of filters are made when they are next asked for. */
  rebuild(): void {
    this.#isStale = false
    this.#placed = [...this.#known.values()].filter((dog) => !Number.isNaN(dog.lon)).sort(newestFirst)
    this.#all = new DogIndex(this.#placed)
    this.#filtered.clear()
  }

  #indexOf({ breed_slug, size }: MapFilter): DogIndex {
    if (!breed_slug && !size) return this.#all
    return this.#filtered.getOrMake(
      `${breed_slug ?? ''} ${size ?? ''}`,
      () =>
        new DogIndex(
          this.#placed.filter((dog) => (!breed_slug || dog.breed === breed_slug) && (!size || dog.size === size)),
        ),
      // An index of no dogs takes room too.
      (index) => index.dogs.length + 500,
    )
  }

  /** `GET /api/map`. */
  answer({ areas, view, zoom, ...filter }: MapQuestion): MapAnswer {
    const index = this.#indexOf(filter)
    const { marks, visible: all } = index.look(areas, zoom)
    const visible = view ? index.count(view) : all
    const shown = this.#shown(marks.flatMap(({ dog }) => (dog ? [dog.id] : [])))
    const features = marks.flatMap((mark) => featureOf(mark, shown))
    return { type: 'FeatureCollection', features, visible, total: index.dogs.length }
  }

  /** A page of `GET /api/map/dogs`, newest first; `last` when more follow. */
  page({ areas, limit, after, ...filter }: PageQuestion): MapPage {
    const index = this.#indexOf(filter)
    const dogs = index.page(areas, limit + 1, after)
    const last = dogs.length > limit ? dogs[limit - 1] : undefined
    const page = dogs.slice(0, limit)
    return {
      ids: page.map((dog) => dog.id),
      centers: page.map((dog) => pointAt(dog.lon, dog.lat).coordinates),
      last: last ? { created: last.created, id: last.id } : null,
      visible: index.count(areas),
    }
  }

  #shown(ids: string[]): Map<string, Shown> {
    const rows = this.#sqlite
      .prepare(
        `SELECT id, name, breed, breed_slug, zone, photo_url, path_breed, path_slug, votes FROM dogs WHERE id ${LISTED}`,
      )
      .all(JSON.stringify(ids)) as Shown[]
    return new Map(rows.map((row) => [row.id, row]))
  }
}

/** A dog deleted since the index was built is left out. */
function featureOf(mark: Mark, shown: Map<string, Shown>): MapFeature[] {
  if (!mark.dog) {
    const { lon, lat, count, bbox, cluster_id, expansion_zoom } = mark
    const properties = {
      cluster: true as const,
      cluster_id,
      point_count: count,
      point_count_abbreviated: abbreviate(count),
      expansion_zoom,
    }
    return [{ type: 'Feature', id: cluster_id, bbox, geometry: pointAt(lon, lat), properties }]
  }
  const row = shown.get(mark.dog.id)
  if (!row) return []
  const { path_breed, path_slug, votes: likes, ...rest } = row
  const properties = { ...rest, path: paths.dog({ path_breed, path_slug }), likes }
  return [{ type: 'Feature', id: row.id, geometry: pointAt(mark.dog.lon, mark.dog.lat), properties }]
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
const pointAt = (lon: number, lat: number) => ({
  type: 'Point' as const,
  coordinates: [round(lon), round(lat)] as [number, number],
})

/** As supercluster writes it: 1.3k, 12k. */
const abbreviate = (count: number): string | number =>
  count >= 10_000 ? `${Math.round(count / 1000)}k` : count >= 1000 ? `${Math.round(count / 100) / 10}k` : count
