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

/** A dog and its location on the map. */
export interface PlacedDog {
  id: string
  lon: number
  lat: number
  created: number
  figures?: number
}

/** Dogs on the map, newest first. Coordinates are hundred-thousandths of degrees. */
export interface DogListing {
  readonly lons: Int32Array
  readonly lats: Int32Array
  id(index: number): string
  created(index: number): number
  /** Bit set of the figures that it has (FIGURE_FLAGS in dog-table.ts). */
  figures(index: number): number
}

/** A listing of dogs given as objects. */
export function toListing(dogs: readonly PlacedDog[]): DogListing {
  const dogAt = (index: number) => dogs[index]!
  return {
    lons: Int32Array.from(dogs, ({ lon }) => Math.round(lon * UNITS_PER_DEGREE)),
    lats: Int32Array.from(dogs, ({ lat }) => Math.round(lat * UNITS_PER_DEGREE)),
    id: (index) => dogAt(index).id,
    created: (index) => dogAt(index).created,
    figures: (index) => dogAt(index).figures ?? 0,
  }
}

/** Several dogs at their centroid. */
interface Cluster {
  dog?: undefined
  lon: number
  lat: number
  count: number
  bbox: Area
  cluster_id: number
  /** Id of its newest dog, whose photo the mark shows; only beyond CLUSTER_ZOOM_MAX. */
  coverDogId?: string | undefined
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

/** Input and output of supercluster: a dog is its index, since an object per dog would take most of the memory. */
interface Feature<Properties> {
  type: string
  geometry: { type: 'Point'; coordinates: number[] }
  properties: Properties
}
/**
 * The part of supercluster that is used. Its types require an array of features with object properties; in fact it reads a length
 * and one feature after another, and returns properties unchanged.
 */
interface ClusterIndex {
  load(points: Iterable<Feature<number>> & { readonly length: number }): unknown
  getClusters(area: [number, number, number, number], zoom: number): Feature<number | (Edges & ClusterProperties)>[]
}

/** Leaflet's tile size, so that the cluster radius is in screen pixels. */
const TILE_PX = 256
/** No screen is wider. A wider bbox with many dogs is answered at the zoom that fits it. */
const SCREEN_MAX_PX = 8192
const WIDE_VIEW_MIN_DOGS = 2000

/** Newest first, the order of pages. Ids break ties. */
export const newestFirst = (a: Pick<PlacedDog, 'id' | 'created'>, b: Pick<PlacedDog, 'id' | 'created'>): number =>
  b.created - a.created || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** The dogs of one filter, clustered for every zoom. Immutable. */
export class DogIndex {
  readonly #listing: DogListing
  readonly #points: PointGrid
  readonly #clusters: ClusterIndex

  constructor(listing: DogListing) {
    this.#listing = listing
    const points = (this.#points = new PointGrid(listing.lons, listing.lats))
    this.#clusters = new Supercluster<never, Edges>({
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

  /** Number of dogs in the areas. */
  count(areas: readonly Area[]): number {
    return this.#points.count(areas)
  }

  /** Number of dogs in the areas that have a figure. */
  countWith(areas: readonly Area[], figure: number): number {
    let count = 0
    this.#points.find(areas, (i) => {
      if (this.#listing.figures(i) & figure) count++
    })
    return count
  }

  /** Ids of all dogs in the areas, unordered. */
  ids(areas: readonly Area[]): string[] {
    const ids: string[] = []
    this.#points.find(areas, (i) => ids.push(this.#listing.id(i)))
    return ids
  }

  /** Up to `limit` dogs of the areas, newest first, after the dog `after`. */
  page(areas: readonly Area[], limit: number, after?: { created: number; id: string }): PlacedDog[] {
    const from = after ? this.#after(after) : 0
    return this.#points.first(areas, from, limit).map((i) => this.#dog(i))
  }

  /** The marks of these areas at this zoom, at most FEATURES_MAX, and the number of their dogs. */
  queryMarks(areas: readonly Area[], requestedZoom: number): { marks: Mark[]; visible: number } {
    const visible = this.count(areas)
    const width = areas.reduce((sum, [west, , east]) => sum + east - west, 0)
    const widest = Math.floor(Math.log2((SCREEN_MAX_PX * 360) / (TILE_PX * Math.max(width, 1e-6))))
    const zoom = visible > WIDE_VIEW_MIN_DOGS ? Math.max(ZOOM_MIN, Math.min(requestedZoom, widest)) : requestedZoom
    const marks = zoom > CLUSTER_ZOOM_MAX ? this.#unclustered(areas, zoom, visible) : this.#clustered(areas, zoom)
    return { marks, visible }
  }

  /** Beyond CLUSTER_ZOOM_MAX: single dogs, or cells of them where they are too many. */
  #unclustered(areas: readonly Area[], zoom: number, visible: number): Mark[] {
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
          ? { ...toCluster(cell, zoom), coverDogId: this.#listing.id(cell.lowestRank) }
          : { dog: this.#dog(cell.only) },
      )
  }

  #clustered(areas: readonly Area[], zoom: number): Mark[] {
    const found = areas.flatMap((area) =>
      this.#clusters.getClusters([...area], zoom).map((feature) => this.#toDogOrCluster(feature)),
    )
    if (found.length <= FEATURES_MAX) return found.map((item) => this.#mark(item))
    const cells = new CellGrid<DogOrCluster>(zoom)
    for (const item of found) {
      const { lon, lat } = item.dog ?? item
      const [count, bbox] = item.dog ? [1, null] : [item.count, item.bbox]
      cells.add(mercatorX(lon), mercatorY(lat), lon, lat, count, bbox, item)
    }
    return cells.atMost(FEATURES_MAX).map((cell) => toMark(cell, zoom))
  }

  /**
   * Supercluster encodes the expansion zoom in a cluster's id, after the number of points. Its own method returns the same, but
   * creates every dog of the cluster for it.
   */
  #mark(item: DogOrCluster): Mark {
    return item.dog ? item : { ...item, expansion_zoom: (item.cluster_id - this.length) % 32 }
  }

  #dog(i: number): PlacedDog {
    const { id, created } = this.#listing
    return { id: id(i), created: created(i), lon: this.#points.lon(i), lat: this.#points.lat(i) }
  }

  /** Converts a result of supercluster: a dog, or a cluster with its reduced edges. */
  #toDogOrCluster({ geometry, properties }: Feature<number | (Edges & ClusterProperties)>): DogOrCluster {
    if (typeof properties === 'number') return { dog: this.#dog(properties) }
    const { west, south, east, north, ...cluster } = properties
    const [lon, lat] = geometry.coordinates as [number, number]
    return { lon, lat, count: cluster.point_count, bbox: [west, south, east, north], cluster_id: cluster.cluster_id }
  }

  /** The first index after a dog, which may have been deleted. */
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

/** The points as supercluster reads them, one after another, in one reused object. */
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

/** The mark of a cell: its only dog, or a cluster. */
const toMark = (cell: GridCell<DogOrCluster>, zoom: number): Mark =>
  cell.only?.dog ? cell.only : toCluster(cell, zoom, cell.only?.cluster_id)

/** A cell as a cluster, by default with a negative id, which no cluster of supercluster has. */
function toCluster(
  { key, lon, lat, count, bbox }: GridCell<unknown>,
  zoom: number,
  cluster_id = -1 - key,
): Exclude<Mark, { dog: PlacedDog }> {
  return { lon, lat, count, bbox, cluster_id, expansion_zoom: zoom < ZOOM_MAX ? zoom + 1 : null }
}
