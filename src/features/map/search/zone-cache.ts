import { placeKey } from '#features/places/places.ts'

/** The localStorage key of found places: a zone's text and its lon/lat (docs/product.md §26.5). */
export const ZONE_CACHE_KEY = 'geo_zone_cache_v2'
/** The oldest entries are evicted first. */
export const ZONE_CACHE_MAX = 200
const ZONE_MAX_CHARS = 200

export type Point = [lon: number, lat: number]
/** Zones by their text, the oldest first. */
export type ZoneCache = ReadonlyMap<string, Point>

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((degrees) => typeof degrees === 'number' && Number.isFinite(degrees)) &&
  Math.abs(value[0]) <= 180 &&
  Math.abs(value[1]) <= 90

/** Parses the stored cache. Invalid entries, from an older version or another program, are left out. */
export function parseZones(text: string | null): ZoneCache {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? 'null')
  } catch {
    return new Map()
  }
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return new Map()
  const valid = Object.entries(stored).filter(
    (entry): entry is [string, Point] =>
      placeKey(entry[0]) !== '' && entry[0].length <= ZONE_MAX_CHARS && isPoint(entry[1]),
  )
  return new Map(valid.slice(-ZONE_CACHE_MAX))
}

export const serialiseZones = (zones: ZoneCache): string => JSON.stringify(Object.fromEntries(zones))

/** Finds the point of a text, whatever its case and accents. The place's name is the last text with the same point. */
export function findZone(zones: ZoneCache, text: string): { center: Point; place_name: string } | null {
  const key = placeKey(text)
  const found = [...zones].find(([zone]) => placeKey(zone) === key)
  if (!found) return null
  const [, center] = found
  const namesakes = [...zones].filter(([, [lon, lat]]) => lon === center[0] && lat === center[1])
  return { center, place_name: namesakes.at(-1)![0] }
}

/** Adds a found place under the typed text and, last, under its own name. */
export function withZone(zones: ZoneCache, text: string, place: { center: Point; place_name: string }): ZoneCache {
  const added = new Map(zones)
  for (const name of [text, place.place_name])
    if (name && name.length <= ZONE_MAX_CHARS) {
      added.delete(name)
      added.set(name, place.center)
    }
  return new Map([...added].slice(-ZONE_CACHE_MAX))
}
