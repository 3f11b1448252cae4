import type { DogRecord } from './datasets.ts'

/** A dog as a GeoJSON feature (RFC 7946); `geometry` is null for an unknown zone. */
export const featureOf = ({ id, lat, lon, ...properties }: DogRecord) => ({
  type: 'Feature' as const,
  id,
  geometry:
    lat === null || lon === null ? null : { type: 'Point' as const, coordinates: [lon, lat] as [number, number] },
  properties,
})

/** The collection of a file. `siguiente` is the cursor of the next file; null in the last one. */
export const geojsonOf = (dogs: readonly DogRecord[], next: string | null) => ({
  type: 'FeatureCollection' as const,
  features: dogs.map(featureOf),
  siguiente: next,
})
