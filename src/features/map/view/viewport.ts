import { formatListQuery, type ListQuery } from '#features/dogs/list/list-query.ts'
import { DECIMAL_PATTERN, ZOOM_DEFAULT, ZOOM_MAX, ZOOM_MIN } from '#features/map/map.ts'

/** A map's centre in degrees and its zoom. */
export interface MapViewport {
  lat: number
  lon: number
  zoom: number
}

/** The first view (docs/product.md §16.1). */
export const DEFAULT_VIEWPORT: MapViewport = { lon: -3.7038, lat: 40.4168, zoom: ZOOM_DEFAULT }
/** The northern edge of Mercator maps. */
const LAT_MAX = 85.06

/** Parses the viewport of an address; null where it has none or an invalid one. */
export function parseViewport(params: URLSearchParams): MapViewport | null {
  const [lat, lon, zoom] = ['lat', 'lon', 'zoom'].map((name) => {
    const text = params.get(name) ?? ''
    return DECIMAL_PATTERN.test(text) ? Number(text) : NaN
  }) as [number, number, number]
  const isValid = Math.abs(lat) <= LAT_MAX && Math.abs(lon) <= 180 && zoom >= ZOOM_MIN && zoom <= ZOOM_MAX
  return isValid ? { lat, lon, zoom: Math.floor(zoom) } : null
}

/** The decimals that one pixel of the zoom needs. */
const decimals = (zoom: number) => Math.max(1, Math.ceil(Math.log10((256 * 2 ** zoom) / 360)))

/** The viewport as query parameters. */
export function viewportParams({ lat, lon, zoom }: MapViewport): string {
  const short = (degrees: number) => String(Number(degrees.toFixed(decimals(zoom))))
  return `lat=${short(lat)}&lon=${short(lon)}&zoom=${zoom}`
}

/** The query of the map's address. Without a viewport the map starts with its first view. */
export const formatMapQuery = (query: ListQuery, viewport: MapViewport | null): string =>
  formatListQuery({ ...query, view: 'map' }) + (viewport ? `&${viewportParams(viewport)}` : '')
