/** Degrees. */
export interface GeoPoint {
  lat: number
  lon: number
}

export const EARTH_RADIUS_KM = 6371

export const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

/** The distance over the ground, km. */
export function distanceKm(a: GeoPoint, b: GeoPoint): number {
  const half = (from: number, to: number) => Math.sin(toRadians(to - from) / 2) ** 2
  const chord = half(a.lat, b.lat) + Math.cos(toRadians(a.lat)) * Math.cos(toRadians(b.lat)) * half(a.lon, b.lon)
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}
