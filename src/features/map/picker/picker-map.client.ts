import 'leaflet/dist/leaflet.css'
import L from 'leaflet'
import { baseLayer, streetTiles } from '#features/map/base/base-layer.client.ts'
import { ZOOM_MAX, ZOOM_MIN } from '#features/map/map.ts'
import type { GeoPoint } from '#lib/geo.ts'

// Loaded when a form's map is opened: Leaflet is larger than the page.

interface PickerMapOptions {
  center: GeoPoint
  zoom: number
  tiles: { url: string; attribution: string } | null
  /** The map is at rest, with this place in its middle. */
  onMove: (center: GeoPoint, zoom: number) => void
}

/** Opens a map whose middle is the chosen place. @returns moves it there */
export function openPickerMap(box: HTMLElement, { center, zoom, tiles, onMove }: PickerMapOptions) {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(box, {
    center: [center.lat, center.lon],
    zoom,
    minZoom: ZOOM_MIN,
    maxZoom: ZOOM_MAX,
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    inertia: !isStill,
  })
  map.attributionControl.setPrefix(false)
  baseLayer(L, { dark: matchMedia('(prefers-color-scheme: dark)').matches }).addTo(map)
  if (tiles) streetTiles(L, { ...tiles, onFailure: () => {} }).addTo(map)
  map.on('moveend', () => {
    const { lat, lng } = map.getCenter().wrap()
    onMove({ lat, lon: lng }, map.getZoom())
  })
  return (point: GeoPoint, at: number): void => void map.setView([point.lat, point.lon], at, { animate: false })
}
