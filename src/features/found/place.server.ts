import { findPlace } from '#features/places/find-place.server.ts'
import { entryAt, getGazetteer, toPlace } from '#features/places/gazetteer.server.ts'
import { isOnLand } from '#features/places/on-land.server.ts'
import { placeKey } from '#features/places/places.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { invalid } from '#lib/errors.ts'
import { distanceKm, type GeoPoint, toRadians } from '#lib/geo.ts'
import { FOUND_TEXTS } from './found.ts'

export interface FoundPlace {
  zone: string
  province: string
  /** Null where they named a zone. */
  exact: GeoPoint | null
  shown: GeoPoint
}

/** How far a point is moved, metres. */
const MOVE_METRES = { min: 100, max: 400 }
const METRES_PER_DEGREE = 111_195

/** A point at a random place 100 to 400 m from `point`. */
export function movePoint({ lat, lon }: GeoPoint, random: () => number = Math.random): GeoPoint {
  const metres = MOVE_METRES.min + random() * (MOVE_METRES.max - MOVE_METRES.min)
  const angle = random() * 2 * Math.PI
  const east = (metres * Math.cos(angle)) / Math.max(0.02, Math.cos(toRadians(lat)))
  return { lat: lat + (metres * Math.sin(angle)) / METRES_PER_DEGREE, lon: lon + east / METRES_PER_DEGREE }
}

/** The nearest town, village, quarter or city of the gazetteer, as a zone's text. */
function nearestZone(point: GeoPoint): string {
  const gazetteer = getGazetteer()
  let nearest = { index: -1, km: Infinity }
  for (const [index, entry] of gazetteer.entries.entries()) {
    if (entry.kind !== 'municipality' && entry.kind !== 'district' && entry.kind !== 'city') continue
    // A degree is 111 km: most are left out without measuring.
    if (Math.abs(entry.lat - point.lat) * 111 > nearest.km) continue
    const km = distanceKm(point, entry)
    if (km < nearest.km) nearest = { index, km }
  }
  const entry = entryAt(gazetteer.entries, nearest.index)
  return toPlace(gazetteer, nearest.index, placeKey(entry.forms[0].replace('~', ''))).name
}

/** The place of a notice: a point goes before a zone's text. @throws AppError 422 for a point in the sea and a zone that is nowhere or too wide */
export function readFoundPlace(zone: string, point: GeoPoint | null): FoundPlace {
  if (point) {
    if (!isOnLand(point)) throw invalid(FOUND_TEXTS.sea, { lat: FOUND_TEXTS.sea })
    const name = nearestZone(point)
    return { zone: name, province: provinceOf(name), exact: point, shown: movePoint(point) }
  }
  const place = findPlace(zone)
  if (!place) throw invalid(FOUND_TEXTS.unknownZone, { zone: FOUND_TEXTS.unknownZone })
  if (place.kind === 'region' || place.kind === 'province')
    throw invalid(FOUND_TEXTS.wideZone, { zone: FOUND_TEXTS.wideZone })
  return {
    zone: place.name,
    province: provinceOf(place.name),
    exact: null,
    shown: { lat: place.lat, lon: place.lon },
  }
}
