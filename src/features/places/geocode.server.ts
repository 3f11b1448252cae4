import type { Db } from '#db/client.ts'
import { findPlace } from './find-place.server.ts'
import type { Geocode } from './geocode.ts'
import { geocodeWithMapbox, type MapboxSettings } from './mapbox.server.ts'
import { placeKey } from './places.ts'

const DAY_MS = 86_400_000
/** How long an answer of Mapbox is kept; «nothing» is asked again sooner. */
const RESULT_TTL_MS = 90 * DAY_MS
const NO_RESULT_TTL_MS = 7 * DAY_MS

/** Questions on their way, so that a hundred people who ask the same at once are one question. */
const inFlight = new Map<string, Promise<Geocode | null>>()

/**
 * Where `text` is: the gazetteer's answer; else, with Mapbox set, what was kept of it or what it says now. When Mapbox
 * fails the answer is null and nothing is kept.
 */
export async function geocode(
  db: Db,
  text: string,
  mapbox: MapboxSettings | undefined,
  now = Date.now(),
): Promise<Geocode | null> {
  const place = findPlace(text)
  if (place) return { center: [place.lon, place.lat], place_name: place.name }
  const key = placeKey(text)
  if (!mapbox || !key) return null
  const kept = await db.selectFrom('geocodes').selectAll().where('key', '=', key).executeTakeFirst()
  if (kept && kept.created_at > now - (kept.place_name === null ? NO_RESULT_TTL_MS : RESULT_TTL_MS))
    return kept.place_name === null ? null : { center: [kept.lon!, kept.lat!], place_name: kept.place_name }

  let answer = inFlight.get(key)
  if (!answer) {
    answer = geocodeWithMapbox(mapbox, text).finally(() => inFlight.delete(key))
    inFlight.set(key, answer)
  }
  try {
    const found = await answer
    await storeGeocode(db, key, found, now)
    return found
  } catch (error) {
    console.error(`geocode: ${(error as Error).message}`)
    return null
  }
}

async function storeGeocode(db: Db, key: string, found: Geocode | null, now: number): Promise<void> {
  const [lon, lat] = found?.center ?? [null, null]
  const row = { lon, lat, place_name: found?.place_name ?? null, created_at: now }
  await db
    .insertInto('geocodes')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
  await deleteExpiredGeocodes(db, now)
}

/** Takes the answers that are too old to count. @returns how many */
export async function deleteExpiredGeocodes(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('geocodes')
    .where('created_at', '<', now - RESULT_TTL_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
