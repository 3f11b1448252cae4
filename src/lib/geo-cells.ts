import { EARTH_RADIUS_KM, type GeoPoint, toRadians } from './geo.ts'

// Finds the points that wait for something within a distance of theirs without reading all of them. Each distance has a grid of its own,
// whose cells are as high as the distance and, in the middle of their row, as wide: the points within it lie in some nine to twelve cells.

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

/** The cell of a point in the grid of a distance. */
export function cellOf({ lat, lon }: GeoPoint, km: number): string {
  const row = rowAt(lat, km)
  return cellName(km, row, columnAt(lon, row, km))
}

/** The cells of one grid that hold everybody within its distance of the point. */
export function cellsWithin({ lat, lon }: GeoPoint, km: number): string[] {
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
