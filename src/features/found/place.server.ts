import { NAMING_MAX_KM, UNNAMED_PLACE } from '#features/lost/encounter-input.server.ts'
import { moveBy, randomOffset } from '#features/lost/place.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { findNearestPlace } from '#features/places/nearest-place.server.ts'
import { isOnLand } from '#features/places/on-land.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { invalid } from '#lib/errors.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { FOUND_TEXTS } from './found.ts'

export interface FoundPlace {
  zone: string
  province: string
  /** What distances to lost dogs are measured from. Nobody sees it. */
  matchPoint: GeoPoint
}

/**
 * The place of a notice: a point goes before a zone's text, and is not stored.
 * @throws AppError 422 for a point in the sea and a zone that is nowhere or too wide
 */
export function readFoundPlace(zone: string, point: GeoPoint | null): FoundPlace {
  if (point) {
    if (!isOnLand(point)) throw invalid(FOUND_TEXTS.sea, { lat: FOUND_TEXTS.sea })
    // The zone of a moved point, and distances from that zone's middle alone: an owner who moves their own case about and reads the bands
    // would measure any nearer point.
    const moved = moveBy(point, randomOffset())
    const nearest = findNearestPlace(moved, NAMING_MAX_KM)
    const middle = nearest && findPlace(nearest.name)
    return {
      zone: nearest?.name ?? UNNAMED_PLACE,
      province: nearest?.province ?? '',
      matchPoint: middle ? { lat: middle.lat, lon: middle.lon } : moved,
    }
  }
  const place = findPlace(zone)
  if (!place) throw invalid(FOUND_TEXTS.unknownZone, { zone: FOUND_TEXTS.unknownZone })
  if (place.kind === 'region' || place.kind === 'province')
    throw invalid(FOUND_TEXTS.wideZone, { zone: FOUND_TEXTS.wideZone })
  return {
    zone: place.name,
    province: provinceOf(place.name),
    matchPoint: { lat: place.lat, lon: place.lon },
  }
}
