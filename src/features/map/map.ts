import type { Dog } from '#features/dogs/dogs.ts'

/** The map's numbers (docs/product.md §16.1). */
export const ZOOM_MIN = 1
export const ZOOM_MAX = 18
export const ZOOM_DEFAULT = 2
/** Up to here dogs are gathered in clusters. */
export const CLUSTER_ZOOM_MAX = 14
/** From here on there are photos and no circles (docs/product.md §16.1). */
export const PHOTO_ZOOM = 14
/** Pixels of the screen within which they are. */
export const CLUSTER_RADIUS = 50
/** Features of one answer (docs/product.md §23.1). */
export const FEATURES_MAX = 200

/** West, south, east, north in degrees; never across the antimeridian. */
export type Area = readonly [west: number, south: number, east: number, north: number]

/** A cluster, under supercluster's names. */
export interface ClusterProperties {
  cluster: true
  cluster_id: number
  point_count: number
  point_count_abbreviated: string | number
  /** The zoom at which it falls apart; null where no zoom parts it, so that it opens as a list (`bbox` asks for that). */
  expansion_zoom: number | null
  /** The photo of its newest dog, past the zooms that are clustered: there marks are photos. */
  photo_url?: string
  /** The zone that all of its dogs name, where the browser took them together (view/bundles.ts). */
  zone?: string
}

/** A dog on the map: what its marker and its popup show. */
export interface DogProperties {
  id: string
  name: string
  breed: string
  breed_slug: string
  zone: string | null
  photo_url: string
  path: string
  likes: number
}

interface Feature<P> {
  type: 'Feature'
  geometry: { type: 'Point'; coordinates: [lon: number, lat: number] }
  properties: P
}
/** `bbox` is as wide as its dogs stand. */
export type ClusterFeature = Feature<ClusterProperties> & { id: number; bbox: Area }
export type DogFeature = Feature<DogProperties> & { id: string }
export type MapFeature = ClusterFeature | DogFeature

export const isCluster = (feature: MapFeature): feature is ClusterFeature => 'cluster' in feature.properties

/** What `GET /api/map` answers. */
export interface MapAnswer {
  type: 'FeatureCollection'
  features: MapFeature[]
  /** Dogs that stand inside the bbox, or inside `view` where that was given, each counted. */
  visible: number
  /** Dogs of these filters anywhere on the map. */
  total: number
}

/** A dog of a list, and where on the map it stands. */
export type MapDog = Dog & { center: readonly [lon: number, lat: number] }

/** What `GET /api/map/dogs` answers. */
export interface MapDogs {
  dogs: MapDog[]
  nextCursor: string | null
  /** Dogs in the bbox, over all pages. */
  visible: number
  /** Those of them that the order holds: by weight and age only dogs that have it (docs/product.md §16.4). */
  listed: number
}

export const MAP_TEXTS = {
  bbox: 'La zona del mapa no es válida: se esperan cuatro números, oeste, sur, este y norte.',
  inverted: 'La zona del mapa está del revés: su sur queda más arriba que su norte.',
  outside: 'La zona del mapa se sale del mundo.',
  zoom: 'El zoom debe ser un número.',
  away: 'El mapa no está disponible ahora mismo. Inténtalo dentro de un momento.',
} as const

export const DECIMAL_PATTERN = /^[+-]?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i

/**
 * A bbox as one area, or two where it crosses the antimeridian. Maps that repeat the world send longitudes past 180 and
 * latitudes a little past the poles: these are brought back. A west greater than the east crosses (RFC 7946 §5.2).
 * @returns the areas, or the sentence that says what is wrong
 */
export function parseBbox(text: string): Area[] | string {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length !== 4 || !parts.every((part) => DECIMAL_PATTERN.test(part))) return MAP_TEXTS.bbox
  const [west, south, east, north] = parts.map(Number) as [number, number, number, number]
  // A hundred turns around the world are someone who likes to spin the map; more is a mistake.
  if (![west, east].every((lon) => Math.abs(lon) <= 36_000)) return MAP_TEXTS.outside
  if (![south, north].every((lat) => Math.abs(lat) <= 180)) return MAP_TEXTS.outside
  if (south > north) return MAP_TEXTS.inverted
  const crosses = west > east
  if (crosses && (Math.abs(west) > 180 || Math.abs(east) > 180)) return MAP_TEXTS.inverted
  const bottom = Math.max(-90, Math.min(90, south))
  const top = Math.max(-90, Math.min(90, north))
  const width = crosses ? east + 360 - west : east - west
  if (width >= 360) return [[-180, bottom, 180, top]]
  // As it is: a sum would be off by a hair, and leave out the dog on the very edge of a cluster's own bbox.
  if (!crosses && west >= -180 && east <= 180) return [[west, bottom, east, top]]
  const left = west === 180 && width === 0 ? 180 : ((((west + 180) % 360) + 360) % 360) - 180
  const right = left + width
  if (right <= 180) return [[left, bottom, right, top]]
  return [
    [left, bottom, 180, top],
    [-180, bottom, right - 360, top],
  ]
}
