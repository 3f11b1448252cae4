import type { Area, MapFeature } from '#features/map/map.ts'
import { countOf, boundsOf, unionArea } from './mark-layout.ts'

/** Share of the dogs that the first view holds at least: a distant dog does not make all others small. */
const MIN_DOGS_SHARE = 0.9

/** Number of dogs in these marks. */
export const countDogs = (features: readonly MapFeature[]): number =>
  features.reduce((sum, feature) => sum + countOf(feature), 0)

/** The area of the largest groups that hold MIN_DOGS_SHARE of the dogs together; null without dogs. */
export function areaOfDogs(features: readonly MapFeature[]): Area | null {
  const minDogs = countDogs(features) * MIN_DOGS_SHARE
  let area: Area | null = null
  let count = 0
  for (const feature of features.toSorted((a, b) => countOf(b) - countOf(a))) {
    if (count >= minDogs) break
    count += countOf(feature)
    area = area ? unionArea(area, boundsOf(feature)) : boundsOf(feature)
  }
  return area
}
