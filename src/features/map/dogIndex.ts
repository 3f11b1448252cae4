import Supercluster from 'supercluster'
import { type Cell, Cells, mercatorX, mercatorY } from './cells.ts'
import {
  type Area,
  CLUSTER_RADIUS,
  CLUSTER_ZOOM_MAX,
  type ClusterProperties,
  FEATURES_MAX,
  ZOOM_MAX,
  ZOOM_MIN,
} from './map.ts'
import { Points } from './points.ts'

/** A dog where it stands on the map. */
export interface Placed {
  id: string
  lon: number
  lat: number
  breed: string
  size: string | null
  created: number
}

/** Dogs taken together, at their middle. */
interface Cluster {
  dog?: undefined
  lon: number
  lat: number
  count: number
  bbox: Area
  cluster_id: number
}

/** One dog, or a cluster of them. */
export type Mark = { dog: Placed } | (Cluster & { expansion_zoom: number | null })
type Spot = { dog: Placed } | Cluster

interface Edges {
  west: number
  south: number
  east: number
  north: number
}

/** Leaflet's tiles are 256 pixels wide: the radius is meant in the screen's. */
const TILE = 256
/** No screen is wider. A wider bbox with many dogs gets the zoom that fits it: nobody could look at more. */
const SCREEN = 8192
const MANY = 2000

/** Newest first, the order of pages. Ids tell dogs of one moment apart. */
export const newestFirst = (a: Placed, b: Placed): number =>
  b.created - a.created || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** The dogs of one filter, clustered for every zoom. Made once and never changed. */
export class DogIndex {
  readonly dogs: readonly Placed[]
  readonly #points: Points
  readonly #apart = new Map<number, number>()
  readonly #clusters: Supercluster<Placed & { [name: string]: unknown }, Edges & { [name: string]: unknown }>

  /** @param dogs newest first */
  constructor(dogs: readonly Placed[]) {
    this.dogs = dogs
    this.#points = new Points(dogs)
    this.#clusters = new Supercluster({
      minZoom: ZOOM_MIN,
      maxZoom: CLUSTER_ZOOM_MAX,
      radius: CLUSTER_RADIUS,
      extent: TILE,
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
        properties: dog as Placed & { [name: string]: unknown },
      })),
    )
  }

  /** How many dogs stand in the areas. */
  count(areas: readonly Area[]): number {
    return this.#points.count(areas)
  }

  /** Up to `limit` dogs of the areas, newest first, after the one that `after` names. */
  page(areas: readonly Area[], limit: number, after?: { created: number; id: string }): Placed[] {
    const from = after ? this.#after(after as Placed) : 0
    return this.#points.first(areas, from, limit).map((i) => this.dogs[i]!)
  }

  /** What a map of these areas shows at this zoom, at most 200 marks whatever stands there, and how many dogs those are. */
  look(areas: readonly Area[], wanted: number): { marks: Mark[]; visible: number } {
    const visible = this.count(areas)
    const width = areas.reduce((sum, [west, , east]) => sum + east - west, 0)
    const widest = Math.floor(Math.log2((SCREEN * 360) / (TILE * Math.max(width, 1e-6))))
    const zoom = visible > MANY ? Math.max(ZOOM_MIN, Math.min(wanted, widest)) : wanted
    return { marks: zoom > CLUSTER_ZOOM_MAX ? this.#loose(areas, zoom) : this.#clustered(areas, zoom), visible }
  }

  /** Past the zooms that are clustered: dogs, or cells of them where they are too many. */
  #loose(areas: readonly Area[], zoom: number): Mark[] {
    const found: number[] = []
    this.#points.find(areas, (i) => found.push(i))
    if (found.length <= FEATURES_MAX) return found.map((i) => ({ dog: this.dogs[i]! }))
    const cells = new Cells<Spot>(zoom)
    for (const i of found) {
      const dog = this.dogs[i]!
      cells.add(this.#points.xs[i]!, this.#points.ys[i]!, dog.lon, dog.lat, 1, null, { dog })
    }
    return cells.atMost(FEATURES_MAX).map((cell) => markOf(cell, zoom))
  }

  #clustered(areas: readonly Area[], zoom: number): Mark[] {
    const spots = areas.flatMap((area) => this.#clusters.getClusters([...area], zoom).map(spotOf))
    if (spots.length <= FEATURES_MAX) return spots.map((spot) => this.#mark(spot))
    const cells = new Cells<Spot>(zoom)
    for (const spot of spots) {
      const { lon, lat } = spot.dog ?? spot
      const [count, bbox] = spot.dog ? [1, null] : [spot.count, spot.bbox]
      cells.add(mercatorX(lon), mercatorY(lat), lon, lat, count, bbox, spot)
    }
    return cells.atMost(FEATURES_MAX).map((cell) => markOf(cell, zoom))
  }

  #mark(spot: Spot): Mark {
    if (spot.dog) return spot
    // Asked once of each: supercluster makes all the dogs of a cluster to answer.
    let apart = this.#apart.get(spot.cluster_id)
    if (!apart) this.#apart.set(spot.cluster_id, (apart = this.#clusters.getClusterExpansionZoom(spot.cluster_id)))
    return { ...spot, expansion_zoom: apart }
  }

  /** The first index past the dog named, which may be gone. */
  #after(dog: Placed): number {
    let [low, high] = [0, this.dogs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (newestFirst(this.dogs[middle]!, dog) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** What supercluster found: a dog, or a cluster with the edges that were reduced for it. */
function spotOf({ geometry, properties }: { geometry: { coordinates: number[] }; properties: object }): Spot {
  if (!('cluster' in properties)) return { dog: properties as Placed }
  const { west, south, east, north, ...cluster } = properties as unknown as Edges & ClusterProperties
  const [lon, lat] = geometry.coordinates as [number, number]
  return { lon, lat, count: cluster.point_count, bbox: [west, south, east, north], cluster_id: cluster.cluster_id }
}

/** A cell of one spot is that spot; of several, a cluster whose number no cluster of supercluster's has. */
function markOf({ key, only, lon, lat, count, bbox }: Cell<Spot>, zoom: number): Mark {
  if (only?.dog) return only
  const expansion_zoom = zoom < ZOOM_MAX ? zoom + 1 : null
  return { lon, lat, count, bbox, cluster_id: only?.cluster_id ?? -1 - key, expansion_zoom }
}
