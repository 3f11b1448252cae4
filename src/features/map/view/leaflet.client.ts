import type * as Leaflet from 'leaflet'
import { baseLayer, streetTiles } from '#features/map/base/base-layer.client.ts'
import { type Area, ZOOM_MAX, ZOOM_MIN } from '../map.ts'
import { coveredEdges, freeEdges } from './covered.client.ts'
import { type MapViewport, DEFAULT_VIEWPORT } from './viewport.ts'

export interface Tiles {
  url: string
  attribution: string
}
interface MapOptions {
  /** Where the address or the session leads; null for the first view. */
  place: MapViewport | null
  tiles: Tiles | null
  onTrouble: () => void
  /** The map stands still again. @param isMoved false where only its room changed */
  onMove: (isMoved: boolean) => void
}

/** The first view's way to the dogs: seconds, the nearest zoom, the room beside them and half a mark, px. */
const APPROACH_SECONDS = 1.6
const APPROACH_ZOOM = 11
const APPROACH_ASIDE = 36
const APPROACH_MARK = 36

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Fetches Leaflet and opens a map on the box. @throws where its code does not come */
export async function openMap(box: HTMLElement, options: MapOptions) {
  const { default: L } = await import('leaflet')
  return createMap(L, box, options)
}
export type OpenMap = Awaited<ReturnType<typeof openMap>>

function createMap(L: typeof Leaflet, box: HTMLElement, { place, tiles, onTrouble, onMove }: MapOptions) {
  const still = prefersReducedMotion()
  const begin = place ?? DEFAULT_VIEWPORT
  const map = L.map(box, {
    center: [begin.lat, begin.lon],
    zoom: begin.zoom,
    minZoom: ZOOM_MIN,
    maxZoom: ZOOM_MAX,
    zoomControl: false,
    // Keys are ours (keys.client.ts): they also work on marks.
    keyboard: false,
    worldCopyJump: true,
    maxBounds: [
      [-85.06, -36_000],
      [85.06, 36_000],
    ],
    zoomAnimation: !still,
    fadeAnimation: !still,
    markerZoomAnimation: !still,
    inertia: !still,
  })
  map.attributionControl.setPrefix(false)
  // Popups pan the map by themselves, and would glide.
  const { panBy } = map
  map.panBy = (offset, how) => panBy.call(map, offset, prefersReducedMotion() ? { ...how, animate: false } : how)

  const night = matchMedia('(prefers-color-scheme: dark)')
  const base = baseLayer(L, { dark: night.matches }).addTo(map)
  const paint = () => base.setDark(night.matches)
  night.addEventListener('change', paint)
  if (tiles) streetTiles(L, { ...tiles, onTrouble }).addTo(map)

  let isTouched = false
  let isResizing = false
  let isTaken = place !== null
  let isApproaching = false
  map.on('moveend', () => {
    if (!isResizing) {
      isTouched ||= !isApproaching
      isApproaching = false
    }
    onMove(!isResizing)
  })
  /** From now on the map is the person's; an approach under way stops near where it is. */
  const takeOver = (animate = false) => {
    isTaken = true
    if (!isApproaching) return
    isApproaching = false
    map.setZoom(Math.round(map.getZoom()), { animate })
  }
  for (const type of ['pointerdown', 'wheel'] as const)
    box.addEventListener(type, () => takeOver(!still), { capture: true, passive: true })
  // The strip takes and gives room. Until somebody moves the map its middle stays, then its upper left.
  const size = new ResizeObserver(() => {
    isResizing = true
    map.invalidateSize({ animate: false, pan: !isTouched })
    isResizing = false
  })
  size.observe(box)

  return {
    L,
    map,
    /** What is seen of the map: without what lies under the strip's edge and a phone's address search. */
    view(): Area {
      const { top, bottom } = coveredEdges(box)
      const { x, y } = map.getSize()
      const southWest = map.containerPointToLatLng([0, y - bottom])
      const northEast = map.containerPointToLatLng([x, top])
      return [southWest.lng, southWest.lat, northEast.lng, northEast.lat]
    },
    /** Where somebody moved it or the address led; null while it shows its first view. */
    place(): MapViewport | null {
      const { lat, lng } = map.getCenter().wrap()
      return isTouched ? { lat, lon: lng, zoom: map.getZoom() } : place
    },
    /** Moves there: at once where motion is unwelcome, else in so many seconds. */
    go(lat: number, lon: number, zoom: number, seconds = 0.6): void {
      takeOver()
      if (prefersReducedMotion()) map.setView([lat, lon], zoom, { animate: false })
      else map.flyTo([lat, lon], zoom, { duration: seconds })
    },
    /** Nearer or further by so many zooms, at the person's wish. */
    zoomBy(by: number): void {
      takeOver()
      map.setZoom(map.getZoom() + by)
    },
    takeOver,
    /** The first view goes to the dogs, where nobody has moved the map. @returns whether it does */
    approach([west, south, east, north]: Area): boolean {
      if (isTaken) return false
      isTaken = isApproaching = true
      const bounds = L.latLngBounds([south, west], [north, east])
      const { top, bottom } = freeEdges(box, APPROACH_MARK)
      const room = {
        paddingTopLeft: [APPROACH_ASIDE, top] as [number, number],
        paddingBottomRight: [APPROACH_ASIDE, bottom] as [number, number],
        maxZoom: APPROACH_ZOOM,
      }
      if (prefersReducedMotion()) map.fitBounds(bounds, { ...room, animate: false })
      else map.flyToBounds(bounds, { ...room, duration: APPROACH_SECONDS })
      return true
    },
    close(): void {
      night.removeEventListener('change', paint)
      size.disconnect()
      map.remove()
    },
  }
}
