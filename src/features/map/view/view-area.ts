import { type Area, isCluster, type MapFeature } from '#features/map/map.ts'

const isInside = ([west, south, east, north]: Area, [w, s, e, n]: Area): boolean =>
  w >= west && e <= east && s >= south && n <= north
const isOutside = ([west, south, east, north]: Area, [w, s, e, n]: Area): boolean =>
  w > east || e < west || s > north || n < south

/** Whether one area lies in another, as maps write them (unbounded longitudes). */
export const covers = (area: Area, view: Area): boolean => isInside(area, view)

/**
 * The dogs of a view, counted from marks that cover it and more: exact, or null where a cluster lies across the view's
 * edge and only the server can say how many of its dogs are inside.
 */
export function countWithin(features: readonly MapFeature[], view: Area): number | null {
  // Marks are named by their place in the one world; a view past its edge sees some of them twice.
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

/** The view with a part of its width and height added on every side: panning a little finds marks there. */
export function withMargin([west, south, east, north]: Area, part = 0.25): Area {
  const [x, y] = [(east - west) * part, (north - south) * part]
  return [west - x, Math.max(-90, south - y), east + x, Math.min(90, north + y)]
}

/** A view as parameters of the API carry it. */
export const areaParam = (area: Area): string => area.map((degrees) => Number(degrees.toFixed(5))).join()
