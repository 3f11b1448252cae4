import L from 'leaflet'
import { baseLayer, streetTiles } from '#features/map/base/base-layer.client.ts'
import type { Box } from '#lib/topology.ts'
import { openLayer } from '#ui/open-layer.client.ts'
import { type Area, ZOOM_MAX, ZOOM_MIN } from '../map.ts'
import { type Clearance, clearances, coveredEdges } from './covered.client.ts'
import { type MapViewport, DEFAULT_VIEWPORT } from './viewport.ts'

export interface Tiles {
  url: string
  attribution: string
}
interface MapOptions {
  /** The viewport of the address or the session; null for the first view. */
  viewport: MapViewport | null
  tiles: Tiles | null
  onTileError: () => void
  /** The map is at rest again. @param isMoved false where only its size changed */
  onMove: (isMoved: boolean) => void
}

/** The first view's flight to the dogs: its duration, the nearest zoom, the padding beside them and half a mark. */
const APPROACH_SECONDS = 1.6
const APPROACH_MAX_ZOOM = 11
const APPROACH_PADDING_PX = 36
const HALF_MARK_PX = 32

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

export type OpenMap = ReturnType<typeof openMap>

/** Creates a Leaflet map in the box. This module brings Leaflet along: islands import it when they need it. */
export function openMap(box: HTMLElement, { viewport, tiles, onTileError, onMove }: MapOptions) {
  const reducesMotion = prefersReducedMotion()
  const initial = viewport ?? DEFAULT_VIEWPORT
  const map = L.map(box, {
    center: [initial.lat, initial.lon],
    zoom: initial.zoom,
    minZoom: ZOOM_MIN,
    maxZoom: ZOOM_MAX,
    zoomControl: false,
    // keyboard.client.ts handles keys: they also work on marks.
    keyboard: false,
    worldCopyJump: true,
    maxBounds: [
      [-85.06, -36_000],
      [85.06, 36_000],
    ],
    zoomAnimation: !reducesMotion,
    fadeAnimation: !reducesMotion,
    markerZoomAnimation: !reducesMotion,
    inertia: !reducesMotion,
  })
  map.attributionControl.setPrefix(false)
  // Popups pan the map with an animation of their own.
  const { panBy } = map
  map.panBy = (offset, options) =>
    panBy.call(map, offset, prefersReducedMotion() ? { ...options, animate: false } : options)

  const darkScheme = matchMedia('(prefers-color-scheme: dark)')
  const base = baseLayer(L, { dark: darkScheme.matches }).addTo(map)
  const updateColours = () => base.setDark(darkScheme.matches)
  darkScheme.addEventListener('change', updateColours)
  if (tiles) streetTiles(L, { ...tiles, onFailure: onTileError }).addTo(map)

  let isTouched = false
  let isResizing = false
  let isTakenOver = viewport !== null
  let isApproaching = false
  map.on('popupopen', ({ popup }) => openLayer({ isOpen: () => popup.isOpen(), close: () => popup.close() }))
  map.on('moveend', () => {
    if (!isResizing) {
      isTouched ||= !isApproaching
      isApproaching = false
    }
    onMove(!isResizing)
  })
  /** From now on the person controls the map; a running approach stops near its position. */
  const takeOver = (animate = false) => {
    isTakenOver = true
    if (!isApproaching) return
    isApproaching = false
    map.setZoom(Math.round(map.getZoom()), { animate })
  }
  for (const type of ['pointerdown', 'wheel'] as const)
    box.addEventListener(type, () => takeOver(!reducesMotion), { capture: true, passive: true })
  // The strip changes the map's height. The map keeps its centre until the person has moved it, then its upper left corner.
  const updateSize = () => {
    isResizing = true
    map.invalidateSize({ animate: false, pan: !isTouched })
    isResizing = false
  }
  const sizeObserver = new ResizeObserver(updateSize)
  sizeObserver.observe(box)

  return {
    L,
    map,
    /** The visible area: without what the strip's edge and a phone's address search cover. */
    visibleArea(): Area {
      const { x, y } = map.getSize()
      const { top, bottom } = coveredEdges(box, y)
      const southWest = map.containerPointToLatLng([0, y - bottom])
      const northEast = map.containerPointToLatLng([x, top])
      return [southWest.lng, southWest.lat, northEast.lng, northEast.lat]
    },
    /** The viewport that the person or the address chose; null while the map shows its first view. */
    viewport(): MapViewport | null {
      const { lat, lng } = map.getCenter().wrap()
      return isTouched ? { lat, lon: lng, zoom: map.getZoom() } : viewport
    },
    /** Flies to a place in `seconds`; at once under prefers-reduced-motion. */
    flyTo(lat: number, lon: number, zoom: number, seconds = 0.6): void {
      takeOver()
      if (prefersReducedMotion()) map.setView([lat, lon], zoom, { animate: false })
      else map.flyTo([lat, lon], zoom, { duration: seconds })
    },
    /** Zooms in or out by so many levels, at the person's request. */
    zoomBy(by: number): void {
      takeOver()
      map.setZoom(map.getZoom() + by)
    },
    takeOver,
    /** Shows no place name under these marks. @param boxes in pixels of the zoom's world */
    setMarks: (zoom: number, boxes: readonly Box[]) => base.setMarks(zoom, boxes),
    /** Flies from the first view to the dogs, unless the person has moved the map. @returns whether it does */
    approach([west, south, east, north]: Area): boolean {
      if (isTakenOver) return false
      isTakenOver = isApproaching = true
      // The strip may have changed the box's height since the last frame.
      updateSize()
      const bounds = L.latLngBounds([south, west], [north, east])
      const zoomOf = ({ left, right, top, bottom }: Clearance) =>
        map.getBoundsZoom(bounds, false, L.point(left + right, top + bottom))
      const ways = clearances(box, HALF_MARK_PX, APPROACH_PADDING_PX)
      const { left, right, top, bottom } = ways.toSorted((a, b) => zoomOf(b) - zoomOf(a))[0]!
      const fit = {
        paddingTopLeft: [left, top] as [number, number],
        paddingBottomRight: [right, bottom] as [number, number],
        maxZoom: APPROACH_MAX_ZOOM,
      }
      if (prefersReducedMotion()) map.fitBounds(bounds, { ...fit, animate: false })
      else map.flyToBounds(bounds, { ...fit, duration: APPROACH_SECONDS })
      return true
    },
    close(): void {
      darkScheme.removeEventListener('change', updateColours)
      sizeObserver.disconnect()
      map.remove()
    },
  }
}
