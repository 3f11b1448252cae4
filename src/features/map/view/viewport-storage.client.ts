import type { ListQuery } from '#features/dogs/list/list-query.ts'
import { formatMapQuery, type MapViewport, viewportParams, parseViewport } from './viewport.ts'

const VIEWPORT_KEY = 'perrario.map'

/** Writes the view into the address, for reload, sharing and history, and into the session's storage. */
export function saveViewport(query: ListQuery, viewport: MapViewport | null): void {
  history.replaceState(history.state, '', location.pathname + formatMapQuery(query, viewport))
  try {
    if (viewport) sessionStorage.setItem(VIEWPORT_KEY, viewportParams(viewport))
  } catch {
    // Where storage is full or forbidden, the next visit starts with the first view.
  }
}

/** The session's last viewport; null where the address has one. */
export function recallViewport(): MapViewport | null {
  const params = new URLSearchParams(location.search)
  if (['lat', 'lon', 'zoom'].some((name) => params.has(name))) return null
  try {
    return parseViewport(new URLSearchParams(sessionStorage.getItem(VIEWPORT_KEY) ?? ''))
  } catch {
    return null
  }
}
