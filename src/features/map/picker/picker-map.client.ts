import { openSmallMap } from '#features/map/small/small-map.client.ts'
import type { Tiles } from '#features/map/view/leaflet.client.ts'
import type { GeoPoint } from '#lib/geo.ts'

/** Farther out a finger covers whole towns: a press there shows the place nearer instead of choosing it. */
const POINT_ZOOM_MIN = 12
const NEAR_ZOOM = 14
const PIN_PX = 26

interface PickerMapOptions {
  center: GeoPoint
  zoom: number
  /** The chosen point; null for none. */
  point: GeoPoint | null
  tiles: Tiles | null
  /** A place was pressed. @param town its municipality, where the map knows it */
  onPick: (point: GeoPoint, town: string | null) => void
}

/** Opens a map on which a press, or Enter for its middle, chooses a place. @returns shows a point that was chosen elsewhere; null for none */
export async function openPickerMap(box: HTMLElement, { center, zoom, point, tiles, onPick }: PickerMapOptions) {
  const { L, map, base } = await openSmallMap(box, { center, zoom, tiles, wheel: true })
  const icon = L.divIcon({ className: 'point-pin', iconSize: [PIN_PX, PIN_PX] })
  const pin = L.marker([center.lat, center.lon], { icon, keyboard: false, interactive: false })
  const showPin = ({ lat, lon }: GeoPoint) => pin.setLatLng([lat, lon]).addTo(map)
  if (point) showPin(point)
  const pick = ({ lat, lng: lon }: { lat: number; lng: number }): void => {
    if (map.getZoom() < POINT_ZOOM_MIN) return void map.setView([lat, lon], NEAR_ZOOM)
    showPin({ lat, lon })
    onPick({ lat, lon }, base.townAt({ lat, lon }))
  }
  map.on('click', ({ latlng }) => pick(latlng.wrap()))
  box.addEventListener('keydown', (event) => {
    if (event.target !== box || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    pick(map.getCenter().wrap())
  })
  return (chosen: GeoPoint | null): void => {
    if (!chosen) return void pin.remove()
    showPin(chosen)
    map.setView([chosen.lat, chosen.lon], NEAR_ZOOM, { animate: false })
  }
}
