import type { Geocode } from '#features/places/geocode.ts'
import { paths } from '#lib/paths.ts'
import { readCount, SEARCH_TEXTS, searchProblem } from './search.ts'
import { findZone, keepZone, readZones, writeZones, ZONE_CACHE } from './zoneCache.ts'

const COUNT = 'perrario:address-searches'

/** A browser that keeps nothing (private window, full disk, forbidden) searches all the same. */
function quietly<T>(deed: () => T, otherwise: T): T {
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
    quietly(() => readCount(sessionStorage.getItem(COUNT)), 0),
  )
export function countSearch(by: 1 | -1): void {
  counted = Math.max(0, searchesDone() + by)
  quietly(() => sessionStorage.setItem(COUNT, String(counted)), undefined)
}

const zones = () => readZones(quietly(() => localStorage.getItem(ZONE_CACHE), null))

/** A place this device was told before. */
export const keptPlace = (text: string): Geocode | null => findZone(zones(), text)

export const keepPlace = (text: string, place: Geocode): void =>
  quietly(() => localStorage.setItem(ZONE_CACHE, writeZones(keepZone(zones(), text, place))), undefined)

/** Where a text leads, or null. @throws Error with the sentence to show, or the abort's own */
export async function askPlace(text: string, signal: AbortSignal): Promise<Geocode | null> {
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
