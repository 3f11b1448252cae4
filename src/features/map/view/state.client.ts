import type { ListQuery } from '#features/dogs/list/listQuery.ts'
import { formatMapQuery, type MapPlace, placeParams, readPlace } from './place.ts'

const KEY = 'perrario.map'

/** Keeps the view in the address, for reload, sharing and coming back, and for the session's next look at the map. */
export function keepPlace(query: ListQuery, place: MapPlace | null): void {
  history.replaceState(history.state, '', location.pathname + formatMapQuery(query, place))
  try {
    if (place) sessionStorage.setItem(KEY, placeParams(place))
  } catch {
    // A full or forbidden storage only costs the comfort of coming back to the same place.
  }
}

/** The place the session last looked at, where the address says nothing of one. */
export function recallPlace(): MapPlace | null {
  const asked = new URLSearchParams(location.search)
  if (['lat', 'lon', 'zoom'].some((name) => asked.has(name))) return null
  try {
    return readPlace(new URLSearchParams(sessionStorage.getItem(KEY) ?? ''))
  } catch {
    return null
  }
}
