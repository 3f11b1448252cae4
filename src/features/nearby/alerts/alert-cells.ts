import { distanceKm, EARTH_RADIUS_KM, type GeoPoint, toRadians } from '#lib/geo.ts'
import { ALERT_DISTANCES_KM, type AlertDistance, type AlertRange } from '../home-zone/home-zone.ts'

// Finds the members with alerts near a point without reading all of them. Each distance has a grid of its own, whose cells are as high as
// the distance and, in the middle of their row, as wide: the home zones within it lie in some nine to twelve cells.

/** `home_zones.alert_km` of alerts for the whole province. */
export const PROVINCE_RANGE = 0

const KM_PER_DEGREE = (Math.PI * EARTH_RADIUS_KM) / 180
/** Cells near the poles would be wider than the earth. */
const MIN_COSINE = 0.02

const cosine = (lat: number): number => Math.max(MIN_COSINE, Math.cos(toRadians(lat)))

const rowAt = (lat: number, km: number): number => Math.floor(((lat + 90) * KM_PER_DEGREE) / km)
/** Columns of a row are counted by the width of a degree in its middle. */
const columnAt = (lon: number, row: number, km: number): number => {
  const middle = ((row + 0.5) * km) / KM_PER_DEGREE - 90
  return Math.floor(((lon + 180) * KM_PER_DEGREE * cosine(middle)) / km)
}
const cellName = (km: number, row: number, column: number): string => `${km}:${row}:${column}`
const provinceCell = (province: string): string => `p:${province}`

/** The cell in which a home zone waits for breeds; null without alerts. */
export function alertCell(home: GeoPoint & { province: string }, alert: AlertRange): string | null {
  if (alert === null) return null
  if (alert === 'province') return provinceCell(home.province)
  const row = rowAt(home.lat, alert)
  return cellName(alert, row, columnAt(home.lon, row, alert))
}

/** The cells of one grid that hold everybody within its distance of the point. */
function cellsWithin({ lat, lon }: GeoPoint, km: AlertDistance): string[] {
  const latSpan = km / KM_PER_DEGREE
  // The widest span of longitudes of a circle on the sphere.
  const lonSpan = toDegrees(Math.asin(Math.min(1, Math.sin(km / EARTH_RADIUS_KM) / cosine(lat))))
  const cells: string[] = []
  for (let row = rowAt(lat - latSpan, km); row <= rowAt(lat + latSpan, km); row++)
    for (let column = columnAt(lon - lonSpan, row, km); column <= columnAt(lon + lonSpan, row, km); column++)
      cells.push(cellName(km, row, column))
  return cells
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI

/** The cells that may hold home zones near enough to this point. `isNear` decides about each zone. */
export const cellsAround = (point: GeoPoint & { province: string }): string[] => [
  ...(point.province ? [provinceCell(point.province)] : []),
  ...ALERT_DISTANCES_KM.flatMap((km) => cellsWithin(point, km)),
]

/** Whether a home zone that waits with a range (`home_zones.alert_km`) is near enough; of a province its cell has decided. */
export const isNear = (home: GeoPoint, point: GeoPoint, rangeKm: number): boolean =>
  rangeKm === PROVINCE_RANGE || distanceKm(home, point) <= rangeKm
