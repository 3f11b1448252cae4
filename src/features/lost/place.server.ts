import { createHmac, randomInt } from 'node:crypto'
import { findNearestPlace } from '#features/places/nearest-place.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { siteKey } from '#features/storage/site-key.server.ts'
import { invalid } from '#lib/errors.ts'
import { distanceKm, EARTH_RADIUS_KM, type GeoPoint, toRadians } from '#lib/geo.ts'
import { LOST_TEXTS, NEAREST_PLACE_MAX_KM, OFFSET_MAX_M, OFFSET_MIN_M, SAME_PLACE_KM } from './lost.ts'
import type { LostInput } from './lost-input.ts'

/** How far the circle's centre is from the exact point, metres. */
export interface Offset {
  north: number
  east: number
}

/**
 * A random number from 0 to below 1. `Math.random` is predictable: whoever sees enough of its output, as in the offsets of their own dogs, can
 * compute the offsets of others.
 */
const secretRandom = (): number => randomInt(2 ** 47) / 2 ** 47

const METRES_PER_DEGREE = (EARTH_RADIUS_KM * 1000 * Math.PI) / 180
/** Some ten metres: more would be precision that the circle does not have. */
const SHOWN_DECIMALS = 4

/** What rounding moves at most, metres: half a step north and half a step east. */
const ROUNDING_M = 8

/**
 * The offset of an owner's circles, for ever: whoever sees many of them sees one, and another owner of the dog has another.
 */
export function offsetOf(ownerId: string): Offset {
  const digest = createHmac('sha256', siteKey()).update(`lost-offset\0${ownerId}`).digest()
  const draws = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)].map((drawn) => drawn / 2 ** 48)
  return randomOffset(() => draws.shift()!)
}

/** A random offset: any direction, and a distance that is within the bounds also after rounding. */
export function randomOffset(random = secretRandom): Offset {
  const angle = random() * 2 * Math.PI
  const least = OFFSET_MIN_M + ROUNDING_M
  const metres = least + random() * (OFFSET_MAX_M - ROUNDING_M - least)
  return { north: metres * Math.cos(angle), east: metres * Math.sin(angle) }
}

const roundShown = (degrees: number): number => Number(degrees.toFixed(SHOWN_DECIMALS))

/** The point after the offset. `point` is near a place of the gazetteer, so never near a pole. */
export const moveBy = ({ lat, lon }: GeoPoint, { north, east }: Offset): GeoPoint => ({
  lat: roundShown(lat + north / METRES_PER_DEGREE),
  lon: roundShown(lon + east / (METRES_PER_DEGREE * Math.cos(toRadians(lat)))),
})

/** Where a dog was last seen, as a case stores it. */
export interface LostPlace {
  zone: string
  province: string
  /** The exact point; null where a zone was named. */
  point: GeoPoint | null
  shown: GeoPoint
  /** What is remembered of the circle (`Circle.moved`); null where a zone was named. */
  circle: GeoPoint | null
}

/** A circle of an owner's dog that others have seen. */
export interface Circle {
  dogId: string
  /** The place that it was made of, moved by `offsetOf`: as far from others that are moved as the places are from one another. */
  moved: GeoPoint
  shown: GeoPoint
}

/**
 * The place of a case. The zone of a point is that of the moved point, so that nothing that others see is derived from the exact one. The
 * point of a known circle stays while the place is within SAME_PLACE_KM of what it was made of: readings of one door differ.
 * @param circles the owner's, the dog's own first
 * @throws AppError 422 for no place, two, or one that is nowhere
 */
export function resolveLostPlace(
  { zone, lat, lon }: Pick<LostInput, 'zone' | 'lat' | 'lon'>,
  ownerId: string,
  circles: readonly Circle[],
): LostPlace {
  const hasPoint = typeof lat === 'number' || typeof lon === 'number'
  if (zone && hasPoint) throw invalid(LOST_TEXTS.onePlace, { zone: LOST_TEXTS.onePlace })
  if (zone) return resolveZone(zone)
  if (!hasPoint) throw invalid(LOST_TEXTS.place, { zone: LOST_TEXTS.place })
  if (typeof lat !== 'number' || typeof lon !== 'number') {
    const missing = typeof lat === 'number' ? 'lon' : 'lat'
    throw invalid(LOST_TEXTS.point, { [missing]: LOST_TEXTS.point })
  }
  const point = { lat, lon }
  // Before it is moved: near the poles a metre is many degrees.
  const isNowhere = findNearestPlace(point, NEAREST_PLACE_MAX_KM) === null
  const moved = moveBy(point, offsetOf(ownerId))
  const known = circles.find((circle) => distanceKm(circle.moved, moved) <= SAME_PLACE_KM)
  const shown = isNowhere ? null : (known?.shown ?? moved)
  const nearest = shown && findNearestPlace(shown, NEAREST_PLACE_MAX_KM + 1)
  if (!nearest) throw invalid(LOST_TEXTS.nowhere, { lat: LOST_TEXTS.nowhere })
  return { zone: nearest.name, province: nearest.province, point, shown, circle: known?.moved ?? moved }
}

function resolveZone(text: string): LostPlace {
  const place = findPlace(text)
  if (!place) throw invalid(LOST_TEXTS.zone, { zone: LOST_TEXTS.zone })
  const province = provinceOf(text)
  if (place.kind === 'region' && province === '') throw invalid(LOST_TEXTS.tooWide, { zone: LOST_TEXTS.tooWide })
  return { zone: place.name, province, point: null, shown: { lat: place.lat, lon: place.lon }, circle: null }
}
