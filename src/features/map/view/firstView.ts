import { type Area, isCluster, type MapFeature } from '../map.ts'

/** The first view holds so many of the dogs at least: one that lives far away does not make all others small. */
const SHARE = 0.9

const countOf = (feature: MapFeature): number => (isCluster(feature) ? feature.properties.point_count : 1)

/** How many dogs these marks are. */
export const dogsOf = (features: readonly MapFeature[]): number =>
  features.reduce((sum, feature) => sum + countOf(feature), 0)

/** Where most of the dogs are: the largest groups until they are enough. Null without dogs. */
export function areaOfDogs(features: readonly MapFeature[]): Area | null {
  const enough = dogsOf(features) * SHARE
  let area: Area | null = null
  let count = 0
  for (const feature of features.toSorted((a, b) => countOf(b) - countOf(a))) {
    if (area && count >= enough) break
    count += countOf(feature)
    const [lon, lat] = feature.geometry.coordinates
    const [w, s, e, n]: Area = isCluster(feature) ? feature.bbox : [lon, lat, lon, lat]
    area = area
      ? [Math.min(area[0], w), Math.min(area[1], s), Math.max(area[2], e), Math.max(area[3], n)]
      : [w, s, e, n]
  }
  return area
}
