import type { Geocode } from '#features/places/places.ts'
import { paths } from '#lib/paths.ts'
import { parseSearchCount, SEARCH_TEXTS, searchProblem } from './address-search.ts'
import { findZone, withZone, parseZones, serialiseZones, ZONE_CACHE_KEY } from './zone-cache.ts'

const COUNT_KEY = 'perrario:address-searches'

/** A browser that keeps nothing (private window, full disk, forbidden) searches all the same. */
function tryStorage<T>(deed: () => T, otherwise: T): T {
  try {
    return deed()
  } catch {
    return otherwise
  }
}

/** Also counted here, for a browser whose session storage does not. */
let counted = 0
export const searchesDone = (): number =>
  Math.max(
    counted,
    tryStorage(() => parseSearchCount(sessionStorage.getItem(COUNT_KEY)), 0),
  )
export function countSearch(by: 1 | -1): void {
  counted = Math.max(0, searchesDone() + by)
  tryStorage(() => sessionStorage.setItem(COUNT_KEY, String(counted)), undefined)
}

const readZoneCache = () => parseZones(tryStorage(() => localStorage.getItem(ZONE_CACHE_KEY), null))

/** A place this device was told before. */
export const findCachedPlace = (text: string): Geocode | null => findZone(readZoneCache(), text)

export const cachePlace = (text: string, place: Geocode): void =>
  tryStorage(
    () => localStorage.setItem(ZONE_CACHE_KEY, serialiseZones(withZone(readZoneCache(), text, place))),
    undefined,
  )

/** Where a text leads, or null. @throws Error with the sentence to show, or the abort's own */
export async function fetchPlace(text: string, signal: AbortSignal): Promise<Geocode | null> {
  let response: Response
  try {
    response = await fetch(paths.api.geocode(text), { signal, headers: { Accept: 'application/json' } })
  } catch (error) {
    throw signal.aborted ? error : new Error(SEARCH_TEXTS.away)
  }
  if (!response.ok) throw new Error(searchProblem(response.status))
  return response.json().catch((error: unknown) => {
    throw signal.aborted ? error : new Error(SEARCH_TEXTS.failed)
  })
}
