import type { Area, MapFeature } from '#features/map/map.ts'
import { countOf, boundsOf, unionArea } from './mark-layout.ts'

/** The first view holds so many of the dogs at least: one that lives far away does not make all others small. */
const MIN_DOGS_SHARE = 0.9

/** How many dogs these marks are. */
export const countDogs = (features: readonly MapFeature[]): number =>
  features.reduce((sum, feature) => sum + countOf(feature), 0)

/** Where most of the dogs are: the largest groups until they are enough. Null without dogs. */
export function areaOfDogs(features: readonly MapFeature[]): Area | null {
  const enough = countDogs(features) * MIN_DOGS_SHARE
  let area: Area | null = null
  let count = 0
  for (const feature of features.toSorted((a, b) => countOf(b) - countOf(a))) {
    if (count >= enough) break
    count += countOf(feature)
    area = area ? unionArea(area, boundsOf(feature)) : boundsOf(feature)
  }
  return area
}
