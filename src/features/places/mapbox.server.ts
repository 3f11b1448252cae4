import { trimEndWhile } from '#lib/text/text.ts'
import * as z from 'zod/mini'
import type { Geocode } from './places.ts'

export interface MapboxSettings {
  token: string
  /** The base URL before /geocoding/v5: Mapbox's, or a test server's. */
  url: string
}

/** Long enough for a slow network, short enough for a waiting person. */
const TIMEOUT_MS = 5000
/** Places, never streets or addresses: a dog's zone is no more precise than its quarter. */
const FEATURE_TYPES = 'region,district,place,locality,neighborhood'

const answerSchema = z.object({
  features: z.array(
    z.object({
      center: z.tuple([z.number().check(z.gte(-180), z.lte(180)), z.number().check(z.gte(-90), z.lte(90))]),
      place_name: z.string(),
    }),
  ),
})

/**
 * Asks Mapbox's geocoding (v5) with the parameters of docs/product.md §16.3: limit 1, language es, country ES, place types.
 * @returns the first feature, or null without one
 * @throws Error without a valid response in 5 s; its message never contains the token
 */
export async function geocodeWithMapbox({ token, url }: MapboxSettings, text: string): Promise<Geocode | null> {
  const query = new URLSearchParams({
    access_token: token,
    limit: '1',
    language: 'es',
    country: 'ES',
    types: FEATURE_TYPES,
  })
  // A semicolon would make it a batch query.
  const searchText = encodeURIComponent(text.replaceAll(';', ' '))
  const address = `${trimEndWhile(url, /\//)}/geocoding/v5/mapbox.places/${searchText}.json`
  const response = await fetch(`${address}?${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
  if (!response.ok) throw new Error(`Mapbox answered ${response.status}`)
  const answer = answerSchema.safeParse(await response.json())
  if (!answer.success) throw new Error('Mapbox sent no features')
  const [feature] = answer.data.features
  return feature ? { center: [feature.center[0], feature.center[1]], place_name: feature.place_name } : null
}
