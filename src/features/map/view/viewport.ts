import { formatListQuery, type ListQuery } from '#features/dogs/list/list-query.ts'
import { DECIMAL_PATTERN, ZOOM_DEFAULT, ZOOM_MAX, ZOOM_MIN } from '#features/map/map.ts'

/** What a map looks at: its middle in degrees and its zoom. */
export interface MapViewport {
  lat: number
  lon: number
  zoom: number
}

/** The first view (docs/product.md §16.1). */
export const DEFAULT_VIEWPORT: MapViewport = { lon: -3.7038, lat: 40.4168, zoom: ZOOM_DEFAULT }
/** Where Mercator maps end. */
const LAT_MAX = 85.06

/** The place in an address; null when it names none or makes no sense. */
export function parseViewport(params: URLSearchParams): MapViewport | null {
  const [lat, lon, zoom] = ['lat', 'lon', 'zoom'].map((name) => {
    const text = params.get(name) ?? ''
    return DECIMAL_PATTERN.test(text) ? Number(text) : NaN
  }) as [number, number, number]
  const isPlace = Math.abs(lat) <= LAT_MAX && Math.abs(lon) <= 180 && zoom >= ZOOM_MIN && zoom <= ZOOM_MAX
  return isPlace ? { lat, lon, zoom: Math.floor(zoom) } : null
}

/** As many decimals as a pixel of the zoom is worth, and no more. */
const decimals = (zoom: number) => Math.max(1, Math.ceil(Math.log10((256 * 2 ** zoom) / 360)))

/** The place as the parameters of an address. */
export function viewportParams({ lat, lon, zoom }: MapViewport): string {
  const short = (degrees: number) => String(Number(degrees.toFixed(decimals(zoom))))
  return `lat=${short(lat)}&lon=${short(lon)}&zoom=${zoom}`
}

/** The search part of the map's address. Without a place the map begins at its first view. */
export const formatMapQuery = (query: ListQuery, place: MapViewport | null): string =>
  formatListQuery({ ...query, view: 'map' }) + (place ? `&${viewportParams(place)}` : '')
