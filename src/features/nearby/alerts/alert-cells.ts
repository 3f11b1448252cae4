import { cellOf, cellsWithin } from '#lib/geo-cells.ts'
import { distanceKm, type GeoPoint } from '#lib/geo.ts'
import { ALERT_DISTANCES_KM, type AlertRange } from '../home-zone/home-zone.ts'

/** `home_zones.alert_km` of alerts for the whole province. */
export const PROVINCE_RANGE = 0

const provinceCell = (province: string): string => `p:${province}`

/** The cell in which a home zone waits for breeds; null without alerts. */
export function alertCell(home: GeoPoint & { province: string }, alert: AlertRange): string | null {
  if (alert === null) return null
  return alert === 'province' ? provinceCell(home.province) : cellOf(home, alert)
}

/** The cells that may hold home zones near enough to this point. `isNear` decides about each zone. */
export const cellsAround = (point: GeoPoint & { province: string }): string[] => [
  ...(point.province ? [provinceCell(point.province)] : []),
  ...ALERT_DISTANCES_KM.flatMap((km) => cellsWithin(point, km)),
]

/** Whether a home zone that waits with a range (`home_zones.alert_km`) is near enough; of a province its cell has decided. */
export const isNear = (home: GeoPoint, point: GeoPoint, rangeKm: number): boolean =>
  rangeKm === PROVINCE_RANGE || distanceKm(home, point) <= rangeKm
