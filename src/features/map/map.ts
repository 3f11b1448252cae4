import type * as z from 'zod/mini'
import type { Dog } from '#features/dogs/dogs.ts'
import type { clusterPropertiesAnswer, lostMarksAnswer, mapAnswer, mapDogsAnswer } from './answers.ts'

/** Zoom limits (docs/product.md §16.1). */
export const ZOOM_MIN = 1
export const ZOOM_MAX = 18
export const ZOOM_DEFAULT = 2
/** The last zoom with clusters. */
export const CLUSTER_ZOOM_MAX = 14
/** The first zoom with photos instead of circles (docs/product.md §16.1). */
export const PHOTO_ZOOM = 14
/** Radius of a cluster in screen pixels. */
export const CLUSTER_RADIUS = 50
/** Features of one response (docs/product.md §23.1). */
export const FEATURES_MAX = 200

/** West, south, east, north in degrees; never across the antimeridian. */
export type Area = readonly [west: number, south: number, east: number, north: number]

/** The response of `GET /api/map`. */
export type MapAnswer = Omit<z.output<typeof mapAnswer>, 'features'> & { features: MapFeature[] }
type AnswerFeature = z.output<typeof mapAnswer>['features'][number]

export type ClusterProperties = z.output<typeof clusterPropertiesAnswer> & {
  /** The zone of all of its dogs, where the browser merged them (view/mark-layout.ts). */
  zone?: string
}
export type ClusterFeature = Omit<Extract<AnswerFeature, { id: number }>, 'bbox' | 'properties'> & {
  bbox: Area
  properties: ClusterProperties
}
export type DogFeature = Extract<AnswerFeature, { id: string }>
/** What the map shows of a dog, in its mark and its popup. */
export type DogProperties = DogFeature['properties']
export type MapFeature = ClusterFeature | DogFeature

export const isCluster = (feature: MapFeature): feature is ClusterFeature => 'cluster' in feature.properties

/** A dog of a list, with its location on the map. */
export type MapDog = Dog & { center: readonly [lon: number, lat: number] }

/** What a popup shows: a dog, or a lost one with a note above its name. */
export interface PopupDog {
  id: string
  geometry: DogFeature['geometry']
  properties: Pick<DogProperties, 'name' | 'breed' | 'zone' | 'photo_url' | 'path'> & { note?: string }
}

/** The response of `GET /api/map/dogs`. */
export type MapDogs = z.output<typeof mapDogsAnswer>

/** The response of `GET /api/map/lost`. */
export type LostMarks = z.output<typeof lostMarksAnswer>
export type LostFeature = LostMarks['features'][number]

export const MAP_TEXTS = {
  bbox: 'La zona del mapa no es válida: se esperan cuatro números, oeste, sur, este y norte.',
  inverted: 'La zona del mapa está del revés: su sur queda más arriba que su norte.',
  outside: 'La zona del mapa se sale del mundo.',
  zoom: 'El zoom debe ser un número.',
  unavailable: 'El mapa no está disponible ahora mismo. Inténtalo dentro de un momento.',
} as const

export const DECIMAL_PATTERN = /^[+-]?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i

/**
 * Parses a bbox into one area, or two where it crosses the antimeridian, with a west greater than its east (RFC 7946 §5.2). Maps
 * that repeat the world send longitudes past 180 and latitudes past the poles, which are normalised.
 * @returns the areas, or the sentence for an invalid bbox
 */
export function parseBbox(text: string): Area[] | string {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length !== 4 || !parts.every((part) => DECIMAL_PATTERN.test(part))) return MAP_TEXTS.bbox
  const [west, south, east, north] = parts.map(Number) as [number, number, number, number]
  // Somebody may drag the map around the world up to a hundred times; more is an error.
  if (![west, east].every((lon) => Math.abs(lon) <= 36_000)) return MAP_TEXTS.outside
  if (![south, north].every((lat) => Math.abs(lat) <= 180)) return MAP_TEXTS.outside
  if (south > north) return MAP_TEXTS.inverted
  const crosses = west > east
  if (crosses && (Math.abs(west) > 180 || Math.abs(east) > 180)) return MAP_TEXTS.inverted
  const bottom = Math.max(-90, Math.min(90, south))
  const top = Math.max(-90, Math.min(90, north))
  const width = crosses ? east + 360 - west : east - west
  if (width >= 360) return [[-180, bottom, 180, top]]
  // Unchanged: a rounding error would leave out the dog on the edge of a cluster's own bbox.
  if (!crosses && west >= -180 && east <= 180) return [[west, bottom, east, top]]
  const left = west === 180 && width === 0 ? 180 : ((((west + 180) % 360) + 360) % 360) - 180
  const right = left + width
  if (right <= 180) return [[left, bottom, right, top]]
  return [
    [left, bottom, 180, top],
    [-180, bottom, right - 360, top],
  ]
}
