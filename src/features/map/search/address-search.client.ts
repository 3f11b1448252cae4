import type { Geocode } from '#features/places/places.ts'
import { paths } from '#lib/paths.ts'
import { parseSearchCount, SEARCH_TEXTS, searchProblem } from './address-search.ts'
import { findZone, withZone, parseZones, serialiseZones, ZONE_CACHE_KEY } from './zone-cache.ts'

const COUNT_KEY = 'perrario:address-searches'

/** Runs `access`, and returns `fallback` where storage fails (private window, full disk, forbidden). */
function tryStorage<T>(access: () => T, fallback: T): T {
  try {
    return access()
  } catch {
    return fallback
  }
}

/** The count of this page, for browsers without session storage. */
let pageCount = 0
/** Number of searches in this session. */
export const readSearchCount = (): number =>
  Math.max(
    pageCount,
    tryStorage(() => parseSearchCount(sessionStorage.getItem(COUNT_KEY)), 0),
  )
export function countSearch(by: 1 | -1): void {
  pageCount = Math.max(0, readSearchCount() + by)
  tryStorage(() => sessionStorage.setItem(COUNT_KEY, String(pageCount)), undefined)
}

const readZoneCache = () => parseZones(tryStorage(() => localStorage.getItem(ZONE_CACHE_KEY), null))

/** Finds a place among this device's earlier results. */
export const findCachedPlace = (text: string): Geocode | null => findZone(readZoneCache(), text)

export const cachePlace = (text: string, place: Geocode): void =>
  tryStorage(
    () => localStorage.setItem(ZONE_CACHE_KEY, serialiseZones(withZone(readZoneCache(), text, place))),
    undefined,
  )

/** Requests the place of a text; null where there is none. @throws Error with the sentence to show, or the AbortError */
export async function fetchPlace(text: string, signal: AbortSignal): Promise<Geocode | null> {
  let response: Response
  try {
    response = await fetch(paths.api.geocode(text), { signal, headers: { Accept: 'application/json' } })
  } catch (error) {
    throw signal.aborted ? error : new Error(SEARCH_TEXTS.offline)
  }
  if (!response.ok) throw new Error(searchProblem(response.status))
  return response.json().catch((error: unknown) => {
    throw signal.aborted ? error : new Error(SEARCH_TEXTS.failed)
  })
}
