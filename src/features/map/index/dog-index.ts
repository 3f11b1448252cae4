import Supercluster, { type ClusterProperties } from 'supercluster'
import { type Area, CLUSTER_RADIUS, CLUSTER_ZOOM_MAX, FEATURES_MAX, ZOOM_MAX, ZOOM_MIN } from '#features/map/map.ts'
import { type GridCell, CellGrid } from './cell-grid.ts'

/** A dog and its location on the map. */
export interface PlacedDog {
  id: string
  lon: number
  lat: number
  /** When it came to the album, ms. */
  created: number
}

/** Several dogs at their centroid. */
interface Cluster {
  dog?: undefined
  lon: number
  lat: number
  count: number
  bbox: Area
  cluster_id: number
  /** The zoom at which it splits; null where no zoom splits it. */
  expansion_zoom: number | null
  /** Id of its newest dog, whose photo the mark shows; only beyond CLUSTER_ZOOM_MAX. */
  coverDogId?: string | undefined
}
/** One dog, or a cluster of them. */
export type Mark = { dog: PlacedDog } | Cluster

interface Edges {
  west: number
  south: number
  east: number
  north: number
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
export class DogIndex<D extends PlacedDog = PlacedDog> {
  /** Newest first. */
  readonly dogs: readonly D[]
  /** Coordinates beside one another: those of 100,000 dogs are compared in a fraction of a millisecond. */
  readonly #lons: Float64Array
  readonly #lats: Float64Array
  readonly #found: Uint32Array
  readonly #clusters: Supercluster<D, Edges>

  /** @param dogs newest first */
  constructor(dogs: readonly D[]) {
    this.dogs = dogs
    this.#lons = Float64Array.from(dogs, ({ lon }) => lon)
    this.#lats = Float64Array.from(dogs, ({ lat }) => lat)
    this.#found = new Uint32Array(dogs.length)
    this.#clusters = new Supercluster<D, Edges>({
      minZoom: ZOOM_MIN,
      maxZoom: CLUSTER_ZOOM_MAX,
      radius: CLUSTER_RADIUS,
      extent: TILE_PX,
      map: ({ lon, lat }) => ({ west: lon, south: lat, east: lon, north: lat }),
      reduce: (all, one) => {
        if (one.west < all.west) all.west = one.west
        if (one.south < all.south) all.south = one.south
        if (one.east > all.east) all.east = one.east
        if (one.north > all.north) all.north = one.north
      },
    })
    this.#clusters.load(
      dogs.map((dog) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [dog.lon, dog.lat] },
        properties: dog,
      })),
    )
  }

  get length(): number {
    return this.dogs.length
  }

  /** Number of dogs in the areas, edges included. */
  count(areas: readonly Area[]): number {
    return areas.reduce((sum, area) => sum + this.#search(area).length, 0)
  }

  /** The dogs in the areas, newest first in each. */
  find(areas: readonly Area[]): D[] {
    const found: D[] = []
    for (const area of areas) for (const i of this.#search(area)) found.push(this.dogs[i]!)
    return found
  }

  /** Up to `limit` dogs of the areas, newest first, after the dog `after`, which may have been deleted. */
  page(areas: readonly Area[], limit: number, after?: { created: number; id: string }): D[] {
    const from = after ? this.dogs.findIndex((dog) => newestFirst(dog, after) > 0) : 0
    if (from < 0) return []
    const found = areas.flatMap((area) => [...this.#search(area, from, limit)])
    return found
      .sort((a, b) => a - b)
      .slice(0, limit)
      .map((i) => this.dogs[i]!)
  }

  /** Indexes of up to `limit` dogs in an area, from the index `from` on; valid until the next search. */
  #search([west, south, east, north]: Area, from = 0, limit = Infinity): Uint32Array {
    const lons = this.#lons
    const lats = this.#lats
    const found = this.#found
    let count = 0
    for (let i = from; i < lons.length && count < limit; i++) {
      const lon = lons[i]!
      const lat = lats[i]!
      if (lon >= west && lon <= east && lat >= south && lat <= north) found[count++] = i
    }
    return found.subarray(0, count)
  }

  /** The marks of these areas at this zoom, at most FEATURES_MAX, and the number of their dogs. */
  queryMarks(areas: readonly Area[], requestedZoom: number): { marks: Mark[]; visible: number } {
    const visible = this.count(areas)
    const width = areas.reduce((sum, [west, , east]) => sum + east - west, 0)
    const widest = Math.floor(Math.log2((SCREEN_MAX_PX * 360) / (TILE_PX * Math.max(width, 1e-6))))
    const zoom = visible > WIDE_VIEW_MIN_DOGS ? Math.max(ZOOM_MIN, Math.min(requestedZoom, widest)) : requestedZoom
    return { marks: zoom > CLUSTER_ZOOM_MAX ? this.#unclustered(areas, zoom) : this.#clustered(areas, zoom), visible }
  }

  /** Beyond CLUSTER_ZOOM_MAX: single dogs, or cells of them where they are too many. */
  #unclustered(areas: readonly Area[], zoom: number): Mark[] {
    const dogs = this.find(areas)
    if (dogs.length <= FEATURES_MAX) return dogs.map((dog) => ({ dog }))
    const cells = new CellGrid<D>(zoom)
    for (const dog of dogs) cells.add(dog, dog.lon, dog.lat)
    return cells
      .atMost(FEATURES_MAX)
      .map((cell) => (cell.isSingle ? { dog: cell.first } : { ...toCluster(cell, zoom), coverDogId: cell.first.id }))
  }

  #clustered(areas: readonly Area[], zoom: number): Mark[] {
    const marks = areas.flatMap((area) =>
      this.#clusters.getClusters([...area], zoom).map((feature) => this.#toMark(feature)),
    )
    if (marks.length <= FEATURES_MAX) return marks
    const cells = new CellGrid<Mark>(zoom)
    for (const mark of marks)
      if (mark.dog) cells.add(mark, mark.dog.lon, mark.dog.lat)
      else cells.add(mark, mark.lon, mark.lat, mark.count, mark.bbox)
    return cells.atMost(FEATURES_MAX).map((cell) => (cell.isSingle ? cell.first : toCluster(cell, zoom)))
  }

  #toMark({ geometry, properties }: ReturnType<Supercluster<D, Edges>['getClusters']>[number]): Mark {
    if (!('cluster' in properties)) return { dog: properties }
    const { west, south, east, north, cluster_id, point_count } = properties as ClusterProperties & Edges
    const [lon, lat] = geometry.coordinates as [number, number]
    // An id holds the zoom after the number of points. Supercluster's own method creates every dog of the cluster to say the same.
    const expansion_zoom = (cluster_id - this.length) % 32
    return { lon, lat, count: point_count, bbox: [west, south, east, north], cluster_id, expansion_zoom }
  }
}

/** A cell as a cluster, with a negative id, which no cluster of supercluster has. */
const toCluster = ({ key, lon, lat, count, bbox }: GridCell<unknown>, zoom: number): Cluster => ({
  lon,
  lat,
  count,
  bbox,
  cluster_id: -1 - key,
  expansion_zoom: zoom < ZOOM_MAX ? zoom + 1 : null,
})
