import type { Area, MapFeature } from '../map.ts'
import { countOf, edgesOf, together } from './bundles.ts'

/** The first view holds so many of the dogs at least: one that lives far away does not make all others small. */
const SHARE = 0.9

/** How many dogs these marks are. */
export const dogsOf = (features: readonly MapFeature[]): number =>
  features.reduce((sum, feature) => sum + countOf(feature), 0)

/** Where most of the dogs are: the largest groups until they are enough. Null without dogs. */
export function areaOfDogs(features: readonly MapFeature[]): Area | null {
  const enough = dogsOf(features) * SHARE
  let area: Area | null = null
  let count = 0
  for (const feature of features.toSorted((a, b) => countOf(b) - countOf(a))) {
    if (count >= enough) break
    count += countOf(feature)
    area = area ? together(area, edgesOf(feature)) : edgesOf(feature)
  }
  return area
}
