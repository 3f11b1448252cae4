import Supercluster from 'supercluster'
import { type GridCell, CellGrid, mercatorX, mercatorY } from './cell-grid.ts'
import {
  type Area,
  CLUSTER_RADIUS,
  CLUSTER_ZOOM_MAX,
  type ClusterProperties,
  FEATURES_MAX,
  ZOOM_MAX,
  ZOOM_MIN,
} from '#features/map/map.ts'
import { UNITS_PER_DEGREE } from './dog-table.ts'
import { PointGrid } from './point-grid.ts'

/** A dog where it stands on the map. */
export interface PlacedDog {
  id: string
  lon: number
  lat: number
  created: number
  figures?: number
}

/** Dogs on the map, newest first. Places are hundred-thousandths of degrees. */
export interface DogListing {
  readonly lons: Int32Array
  readonly lats: Int32Array
  id(index: number): string
  created(index: number): number
  /** The figures it has (dogTable.ts, HAS). */
  figures(index: number): number
}

/** A listing of dogs that are there one by one. */
export const toListing = (dogs: readonly PlacedDog[]): DogListing => ({
  lons: Int32Array.from(dogs, ({ lon }) => Math.round(lon * UNITS_PER_DEGREE)),
  lats: Int32Array.from(dogs, ({ lat }) => Math.round(lat * UNITS_PER_DEGREE)),
  id: (index) => dogs[index]!.id,
  created: (index) => dogs[index]!.created,
  figures: (index) => dogs[index]!.figures ?? 0,
})

/** Dogs taken together, at their middle. */
interface Cluster {
  dog?: undefined
  lon: number
  lat: number
  count: number
  bbox: Area
  cluster_id: number
  /** Its newest dog, past the zooms that are clustered: there marks are photos. */
  face?: string | undefined
}

/** One dog, or a cluster of them. */
export type Mark = { dog: PlacedDog } | (Cluster & { expansion_zoom: number | null })
type DogOrCluster = { dog: PlacedDog } | Cluster

interface Edges {
  west: number
  south: number
  east: number
  north: number
}

/** What supercluster is given and gives: a dog is its index, for an object a dog would be most of the memory. */
interface Feature<Properties> {
  type: string
  geometry: { type: 'Point'; coordinates: number[] }
  properties: Properties
}
/**
 * What is used of supercluster. Its own types ask for an array of features with objects for properties; it reads a length and
 * one feature after another, and passes properties on as they are.
 */
interface ClusterIndex {
  load(points: Iterable<Feature<number>> & { readonly length: number }): unknown
  getClusters(area: [number, number, number, number], zoom: number): Feature<number | (Edges & ClusterProperties)>[]
}

/** Leaflet's tiles are 256 pixels wide: the radius is meant in the screen's. */
const TILE_PX = 256
/** No screen is wider. A wider bbox with many dogs gets the zoom that fits it: nobody could look at more. */
const SCREEN_MAX_PX = 8192
const WIDE_VIEW_MIN_DOGS = 2000

/** Newest first, the order of pages. Ids tell dogs of one moment apart. */
export const newestFirst = (a: Pick<PlacedDog, 'id' | 'created'>, b: Pick<PlacedDog, 'id' | 'created'>): number =>
  b.created - a.created || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** The dogs of one filter, clustered for every zoom. Made once and never changed. */
export class DogIndex {
  readonly #listing: DogListing
  readonly #points: PointGrid
  readonly #clusters: ClusterIndex

  constructor(listing: DogListing) {
    this.#listing = listing
    const points = (this.#points = new PointGrid(listing.lons, listing.lats))
    this.#clusters = new Supercluster<any, Edges>({
      minZoom: ZOOM_MIN,
      maxZoom: CLUSTER_ZOOM_MAX,
      radius: CLUSTER_RADIUS,
      extent: TILE_PX,
      map: (i: number) => ({ west: points.lon(i), south: points.lat(i), east: points.lon(i), north: points.lat(i) }),
      reduce: (all, one) => {
        if (one.west < all.west) all.west = one.west
        if (one.south < all.south) all.south = one.south
        if (one.east > all.east) all.east = one.east
        if (one.north > all.north) all.north = one.north
      },
    }) as ClusterIndex
    this.#clusters.load(new PointFeatures(points))
  }

  get length(): number {
    return this.#points.length
  }

  /** How many dogs stand in the areas. */
  count(areas: readonly Area[]): number {
    return this.#points.count(areas)
  }

  /** How many dogs of the areas have a figure. */
  countWith(areas: readonly Area[], figure: number): number {
    let count = 0
    this.#points.find(areas, (i) => {
      if (this.#listing.figures(i) & figure) count++
    })
    return count
  }

  /** The ids of all dogs of the areas, in no order. */
  ids(areas: readonly Area[]): string[] {
    const ids: string[] = []
    this.#points.find(areas, (i) => ids.push(this.#listing.id(i)))
    return ids
  }

  /** Up to `limit` dogs of the areas, newest first, after the one that `after` names. */
  page(areas: readonly Area[], limit: number, after?: { created: number; id: string }): PlacedDog[] {
    const from = after ? this.#after(after) : 0
    return this.#points.first(areas, from, limit).map((i) => this.#dog(i))
  }

  /** What a map of these areas shows at this zoom, at most 200 marks whatever stands there, and how many dogs those are. */
  queryMarks(areas: readonly Area[], wanted: number): { marks: Mark[]; visible: number } {
    const visible = this.count(areas)
    const width = areas.reduce((sum, [west, , east]) => sum + east - west, 0)
    const widest = Math.floor(Math.log2((SCREEN_MAX_PX * 360) / (TILE_PX * Math.max(width, 1e-6))))
    const zoom = visible > WIDE_VIEW_MIN_DOGS ? Math.max(ZOOM_MIN, Math.min(wanted, widest)) : wanted
    const marks = zoom > CLUSTER_ZOOM_MAX ? this.#loose(areas, zoom, visible) : this.#clustered(areas, zoom)
    return { marks, visible }
  }

  /** Past the zooms that are clustered: dogs, or cells of them where they are too many. */
  #loose(areas: readonly Area[], zoom: number, visible: number): Mark[] {
    if (visible <= FEATURES_MAX) {
      const marks: Mark[] = []
      this.#points.find(areas, (i) => marks.push({ dog: this.#dog(i) }))
      return marks
    }
    const cells = new CellGrid<number>(zoom)
    this.#points.gather(
      areas,
      ({ count, lon, lat, bbox, lowestIndex }) =>
        cells.add(mercatorX(lon), mercatorY(lat), lon, lat, count, bbox, undefined, lowestIndex),
      (i) => {
        const [lon, lat] = [this.#points.lon(i), this.#points.lat(i)]
        cells.add(mercatorX(lon), mercatorY(lat), lon, lat, 1, null, i, i)
      },
    )
    return cells
      .atMost(FEATURES_MAX)
      .map((cell) =>
        cell.only === undefined
          ? { ...toCluster(cell, zoom), face: this.#listing.id(cell.lowestRank) }
          : { dog: this.#dog(cell.only) },
      )
  }

  #clustered(areas: readonly Area[], zoom: number): Mark[] {
    const spots = areas.flatMap((area) => this.#clusters.getClusters([...area], zoom).map((found) => this.#spot(found)))
    if (spots.length <= FEATURES_MAX) return spots.map((spot) => this.#mark(spot))
    const cells = new CellGrid<DogOrCluster>(zoom)
    for (const spot of spots) {
      const { lon, lat } = spot.dog ?? spot
      const [count, bbox] = spot.dog ? [1, null] : [spot.count, spot.bbox]
      cells.add(mercatorX(lon), mercatorY(lat), lon, lat, count, bbox, spot)
    }
    return cells.atMost(FEATURES_MAX).map((cell) => toMark(cell, zoom))
  }

  /**
   * Supercluster writes into a cluster's number, behind the count of points, at which zoom its parts stand. It tells the
   * same when asked, but makes every dog of the cluster for it.
   */
  #mark(spot: DogOrCluster): Mark {
    return spot.dog ? spot : { ...spot, expansion_zoom: (spot.cluster_id - this.length) % 32 }
  }

  #dog(i: number): PlacedDog {
    const { id, created } = this.#listing
    return { id: id(i), created: created(i), lon: this.#points.lon(i), lat: this.#points.lat(i) }
  }

  /** What supercluster found: a dog, or a cluster with the edges that were reduced for it. */
  #spot({ geometry, properties }: Feature<number | (Edges & ClusterProperties)>): DogOrCluster {
    if (typeof properties === 'number') return { dog: this.#dog(properties) }
    const { west, south, east, north, ...cluster } = properties
    const [lon, lat] = geometry.coordinates as [number, number]
    return { lon, lat, count: cluster.point_count, bbox: [west, south, east, north], cluster_id: cluster.cluster_id }
  }

  /** The first index past the dog named, which may be gone. */
  #after(dog: Pick<PlacedDog, 'id' | 'created'>): number {
    const { id, created } = this.#listing
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (newestFirst({ id: id(middle), created: created(middle) }, dog) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The points as supercluster reads them, one after another: none is kept. */
class PointFeatures implements Iterable<Feature<number>> {
  readonly #points: PointGrid
  constructor(points: PointGrid) {
    this.#points = points
  }
  get length(): number {
    return this.#points.length
  }
  *[Symbol.iterator]() {
    const coordinates: [number, number] = [0, 0]
    const feature: Feature<number> = { type: 'Feature', geometry: { type: 'Point', coordinates }, properties: 0 }
    for (let i = 0; i < this.length; i++) {
      coordinates[0] = this.#points.lon(i)
      coordinates[1] = this.#points.lat(i)
      feature.properties = i
      yield feature
    }
  }
}

/** A cell of one spot is that spot. */
const toMark = (cell: GridCell<DogOrCluster>, zoom: number): Mark =>
  cell.only?.dog ? cell.only : toCluster(cell, zoom, cell.only?.cluster_id)

/** What is taken together in a cell: a cluster whose number no cluster of supercluster's has. */
function toCluster(
  { key, lon, lat, count, bbox }: GridCell<unknown>,
  zoom: number,
  cluster_id = -1 - key,
): Exclude<Mark, { dog: PlacedDog }> {
  return { lon, lat, count, bbox, cluster_id, expansion_zoom: zoom < ZOOM_MAX ? zoom + 1 : null }
}
