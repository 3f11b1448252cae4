import type { Dog } from '#features/dogs/dogs.ts'
import { LOAD_FAILED } from '#features/dogs/list/list-query.ts'
import { discardStaleCounts } from '#features/likes/likes.store.ts'
import { paths } from '#lib/paths.ts'
import type { Area, MapDogs } from '#features/map/map.ts'
import { type MapFilters, STRIP_TEXTS, areaDogsQuery } from './area-dogs.ts'

async function getJson<T>(address: string, signal: AbortSignal): Promise<T> {
  let response: Response
  try {
    response = await fetch(address, { signal, headers: { Accept: 'application/json' } })
  } catch (error) {
    throw signal.aborted ? error : new Error(STRIP_TEXTS.networkError)
  }
  const body: unknown = await response.json().catch(() => null)
  if (response.ok && body) return body as T
  // The details of 429 and 503 say when to try again; our own sentence does not.
  const { detail } = (body ?? {}) as { detail?: unknown }
  const isWait = response.status === 429 || response.status === 503
  throw new Error(isWait && typeof detail === 'string' ? detail : LOAD_FAILED)
}

/** One page of the dogs of an area, newest first. @throws Error with the sentence to show, or the abort's own */
export async function loadAreaDogs(
  area: Area,
  filters: MapFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<MapDogs> {
  const requestedAt = performance.now()
  const page = await getJson<MapDogs>(`${paths.api.mapDogs}?${areaDogsQuery(area, filters, cursor)}`, signal)
  discardStaleCounts(
    page.dogs.map(({ id }) => id),
    requestedAt,
  )
  return page
}

/** Loads a dog that is on the map but not in the strip. @throws as `loadAreaDogs` */
export const loadDog = async (id: string, signal: AbortSignal): Promise<Dog> =>
  (await getJson<{ dog: Dog }>(paths.api.dog(id), signal)).dog
