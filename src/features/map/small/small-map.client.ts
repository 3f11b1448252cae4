import L from 'leaflet'
import { baseLayer, streetTiles } from '#features/map/base/base-layer.client.ts'
import { ZOOM_MAX, ZOOM_MIN } from '#features/map/map.ts'
import type { Tiles } from '#features/map/view/leaflet.client.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { openLayer } from '#ui/open-layer.client.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './small-map.css?url'

// The map of a form or a list. Loaded when it is opened or comes into view: Leaflet is larger than the page.

/** The embedded map has towns, quarters and coasts: nearer than this there is nothing to go by. */
const EMBEDDED_ZOOM_MAX = 16
/** Pixels that an arrow key moves the map; with Shift three times as many. */
const KEY_STEP_PX = 24

interface SmallMapOptions {
  center: GeoPoint
  zoom: number
  /** The operator's street tiles. */
  tiles: Tiles | null
  /** Whether a wheel over the map zooms it; otherwise it scrolls the page. */
  wheel: boolean
}

/** Opens a map in the box, with keys, buttons and a scale. */
export async function openSmallMap(box: HTMLElement, { center, zoom, tiles, wheel }: SmallMapOptions) {
  await loadStylesheet(styles)
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  box.classList.add('small-map')
  const map = L.map(box, {
    center: [center.lat, center.lon],
    zoom,
    minZoom: ZOOM_MIN,
    maxZoom: tiles ? ZOOM_MAX : EMBEDDED_ZOOM_MAX,
    keyboardPanDelta: KEY_STEP_PX,
    scrollWheelZoom: wheel,
    zoomControl: false,
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
    inertia: !isStill,
  })
  L.control.zoom({ zoomInTitle: 'Acercar', zoomOutTitle: 'Alejar' }).addTo(map)
  L.control.scale({ position: 'topright', imperial: false }).addTo(map)
  map.attributionControl.setPrefix(false)
  map.on('popupopen', ({ popup }) => openLayer({ isOpen: () => popup.isOpen(), close: () => popup.close() }))
  const darkScheme = matchMedia('(prefers-color-scheme: dark)')
  const base = baseLayer(L, { dark: darkScheme.matches }).addTo(map)
  darkScheme.addEventListener('change', () => base.setDark(darkScheme.matches))
  if (tiles) streetTiles(L, { ...tiles, onFailure: () => {} }).addTo(map)
  return { L, map, base }
}
