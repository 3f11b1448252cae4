import { findPlace } from '#features/places/find-place.server.ts'
import type { PlaceKind } from '#features/places/places.ts'
import type { GeoPoint } from '#lib/geo.ts'

/** All of the place is in sight, of a municipality its town. */
const ZOOMS: Record<PlaceKind, number> = {
  district: 14,
  municipality: 13,
  city: 12,
  island: 10,
  province: 9,
  region: 8,
}

/** Where a map opens for a zone's text; null for an unknown one. */
export function findZoneView(zone: string): (GeoPoint & { zoom: number }) | null {
  const place = findPlace(zone)
  return place && { lat: place.lat, lon: place.lon, zoom: ZOOMS[place.kind] }
}
