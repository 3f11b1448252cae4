import { placeKey } from '#features/places/places.ts'

/** Where the device keeps what it was told: a zone's text and its lon/lat (docs/product.md §26.5). */
export const ZONE_CACHE_KEY = 'geo_zone_cache_v2'
/** The oldest go first. */
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

/** What was kept, as far as it makes sense: another program, an older version or a person may have written there. */
export function parseZones(text: string | null): ZoneCache {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? 'null')
  } catch {
    return new Map()
  }
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return new Map()
  const good = Object.entries(kept).filter(
    (entry): entry is [string, Point] =>
      placeKey(entry[0]) !== '' && entry[0].length <= ZONE_MAX_CHARS && isPoint(entry[1]),
  )
  return new Map(good.slice(-ZONE_CACHE_MAX))
}

export const serialiseZones = (zones: ZoneCache): string => JSON.stringify(Object.fromEntries(zones))

/** The point kept for a text, spelt this way or another, and what it is called: a place's own name was kept last. */
export function findZone(zones: ZoneCache, text: string): { center: Point; place_name: string } | null {
  const key = placeKey(text)
  const found = [...zones].find(([zone]) => placeKey(zone) === key)
  if (!found) return null
  const [, center] = found
  const namesakes = [...zones].filter(([, [lon, lat]]) => lon === center[0] && lat === center[1])
  return { center, place_name: namesakes.at(-1)![0] }
}

/** With a place that was found: under what was typed, and under its own name. */
export function withZone(zones: ZoneCache, text: string, place: { center: Point; place_name: string }): ZoneCache {
  const kept = new Map(zones)
  for (const name of [text, place.place_name])
    if (name && name.length <= ZONE_MAX_CHARS) {
      kept.delete(name)
      kept.set(name, place.center)
    }
  return new Map([...kept].slice(-ZONE_CACHE_MAX))
}
