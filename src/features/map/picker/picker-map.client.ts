import { openSmallMap } from '#features/map/small/small-map.client.ts'
import type { Tiles } from '#features/map/view/leaflet.client.ts'
import type { GeoPoint } from '#lib/geo.ts'

interface PickerMapOptions {
  center: GeoPoint
  zoom: number
  tiles: Tiles | null
  /** The map is at rest, with this place in its middle. */
  onMove: (center: GeoPoint, zoom: number) => void
}

/** Opens a map whose middle is the chosen place. @returns moves it there */
export async function openPickerMap(box: HTMLElement, { center, zoom, tiles, onMove }: PickerMapOptions) {
  const { map } = await openSmallMap(box, { center, zoom, tiles, wheel: true })
  map.on('moveend', () => {
    const { lat, lng } = map.getCenter().wrap()
    onMove({ lat, lon: lng }, map.getZoom())
  })
  // A press puts the place there, as dragging the map does.
  map.on('click', ({ latlng }) => map.panTo(latlng))
  return (point: GeoPoint, at: number): void => void map.setView([point.lat, point.lon], at, { animate: false })
}
