import { type Area, isCluster, type MapFeature } from '#features/map/map.ts'

const isInside = ([west, south, east, north]: Area, [w, s, e, n]: Area): boolean =>
  w >= west && e <= east && s >= south && n <= north
const isOutside = ([west, south, east, north]: Area, [w, s, e, n]: Area): boolean =>
  w > east || e < west || s > north || n < south

/** Whether `area` contains `view`; both with unbounded longitudes, as Leaflet has them. */
export const covers = (area: Area, view: Area): boolean => isInside(area, view)

/**
 * Counts the dogs of a view by marks of a larger area. Null where a cluster crosses the view's edge: then only the server knows
 * how many of its dogs are inside.
 */
export function countWithin(features: readonly MapFeature[], view: Area): number | null {
  // Marks have one longitude each; a view across the antimeridian shows some of them twice.
  if (view[0] < -180 || view[2] > 180) return null
  let count = 0
  for (const feature of features) {
    const [lon, lat] = feature.geometry.coordinates
    const box: Area = isCluster(feature) ? feature.bbox : [lon, lat, lon, lat]
    if (isInside(view, box)) count += isCluster(feature) ? feature.properties.point_count : 1
    else if (!isOutside(view, box)) return null
  }
  return count
}

/** The view with a share of its width and height added on every side, so that small pans need no request. */
export function withMargin([west, south, east, north]: Area, share = 0.25): Area {
  const [x, y] = [(east - west) * share, (north - south) * share]
  return [west - x, Math.max(-90, south - y), east + x, Math.min(90, north + y)]
}

/** An area as a query parameter of the API; five decimals are a metre. */
export const areaParam = (area: Area): string => area.map((degrees) => Number(degrees.toFixed(5))).join()
