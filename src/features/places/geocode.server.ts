import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { AppError } from '#lib/errors.ts'
import { findPlace } from './find-place.server.ts'
import { geocodeWithMapbox, type MapboxSettings } from './mapbox.server.ts'
import { type Geocode, placeKey } from './places.ts'
import { DAY_MS } from '#lib/time.ts'

/** How long a response of Mapbox is cached; an empty one for less. */
const RESULT_TTL_MS = 90 * DAY_MS
const NO_RESULT_TTL_MS = 7 * DAY_MS

/** Look-ups in flight by key, so that identical concurrent ones ask once. */
const inFlight = new Map<string, Promise<Geocode | null>>()

/**
 * Geocodes `text` from the gazetteer, else, where Mapbox is configured, from the cache or Mapbox. Null without a result or
 * when Mapbox fails, which is not cached.
 * @param spend called before each request to Mapbox, which costs the operator money
 * @throws AppError from `spend`
 */
export async function geocode(
  db: Db,
  text: string,
  mapbox: MapboxSettings | undefined,
  now = Date.now(),
  spend: () => Promise<void> = () => Promise.resolve(),
): Promise<Geocode | null> {
  const place = findPlace(text)
  if (place) return { center: [place.lon, place.lat], place_name: place.name }
  const key = placeKey(text)
  if (!mapbox || !key) return null
  let lookup = inFlight.get(key)
  if (!lookup) {
    lookup = lookUp(db, { key, text }, mapbox, now, spend).finally(() => inFlight.delete(key))
    inFlight.set(key, lookup)
  }
  return lookup
}

/** Reads a result from the cache, else asks Mapbox and stores what it answers. */
async function lookUp(
  db: Db,
  { key, text }: { key: string; text: string },
  mapbox: MapboxSettings,
  now: number,
  spend: () => Promise<void>,
): Promise<Geocode | null> {
  const cached = await db.selectFrom('geocodes').selectAll().where('key', '=', key).executeTakeFirst()
  if (cached && cached.created_at > now - (cached.place_name === null ? NO_RESULT_TTL_MS : RESULT_TTL_MS)) {
    const { place_name, lon, lat } = cached
    return place_name === null || lon === null || lat === null ? null : { center: [lon, lat], place_name }
  }

  try {
    await spend()
    const geocoded = await geocodeWithMapbox(mapbox, text)
    await storeGeocode(db, key, geocoded, now)
    return geocoded
  } catch (error) {
    if (error instanceof AppError) throw error
    console.error(`perrario · la búsqueda de un lugar falló: ${(error as Error).message}`)
    return null
  }
}

async function storeGeocode(db: Db, key: string, geocoded: Geocode | null, now: number): Promise<void> {
  const [lon, lat] = geocoded?.center ?? [null, null]
  const row = { lon, lat, place_name: geocoded?.place_name ?? null, created_at: now }
  await transact(db, (trx) =>
    trx
      .insertInto('geocodes')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute(),
  )
  await deleteExpiredGeocodes(db, now)
}

/** Deletes expired geocodes. @returns how many */
export async function deleteExpiredGeocodes(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('geocodes')
      .where((eb) =>
        eb.or([
          eb('created_at', '<', now - RESULT_TTL_MS),
          eb('created_at', '<', now - NO_RESULT_TTL_MS).and('place_name', 'is', null),
        ]),
      )
      .executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows)
}
