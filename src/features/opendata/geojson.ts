import type { DogRecord } from './datasets.ts'

/** A feature of RFC 7946; without a geometry where the zone is nowhere we know. */
export const featureOf = ({ id, lat, lon, ...properties }: DogRecord) => ({
  type: 'Feature' as const,
  id,
  geometry:
    lat === null || lon === null ? null : { type: 'Point' as const, coordinates: [lon, lat] as [number, number] },
  properties,
})

/** The collection, `siguiente` naming what the next file begins after; null in the last one. */
export const geojsonOf = (dogs: readonly DogRecord[], next: string | null) => ({
  type: 'FeatureCollection' as const,
  features: dogs.map(featureOf),
  siguiente: next,
})
