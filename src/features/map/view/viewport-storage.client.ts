import type { ListQuery } from '#features/dogs/list/list-query.ts'
import { formatMapQuery, type MapViewport, viewportParams, parseViewport } from './viewport.ts'

const VIEWPORT_KEY = 'perrario.map'

/** Keeps the view in the address, for reload, sharing and coming back, and for the session's next look at the map. */
export function saveViewport(query: ListQuery, place: MapViewport | null): void {
  history.replaceState(history.state, '', location.pathname + formatMapQuery(query, place))
  try {
    if (place) sessionStorage.setItem(VIEWPORT_KEY, viewportParams(place))
  } catch {
    // A full or forbidden storage only costs the comfort of coming back to the same place.
  }
}

/** The place the session last looked at, where the address says nothing of one. */
export function recallViewport(): MapViewport | null {
  const asked = new URLSearchParams(location.search)
  if (['lat', 'lon', 'zoom'].some((name) => asked.has(name))) return null
  try {
    return parseViewport(new URLSearchParams(sessionStorage.getItem(VIEWPORT_KEY) ?? ''))
  } catch {
    return null
  }
}
