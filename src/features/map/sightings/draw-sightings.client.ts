import type * as Leaflet from 'leaflet'
import { LOST_CIRCLE_M } from '#features/lost/lost.ts'
import { openSmallMap } from '#features/map/small/small-map.client.ts'
import { separateCircles } from '#features/map/view/separate-circles.ts'
import type { GeoPoint } from '#lib/geo.ts'
import type { Box } from '#lib/topology.ts'
import type { DrawnSighting, SightingMapData } from './sighting-map.client.ts'

/** Nearer the embedded map has no names or borders to go by; street tiles have streets. */
const FIRST_ZOOM_MAX = 13
const FIRST_ZOOM_MAX_WITH_TILES = 15
/** Moved by less a mark still lies on its place. */
const MOVED_PX = 6
const PADDING_PX = 40
/** The zoom buttons' width beside it. */
const BUTTONS_PX = 56
/** Half of what a finger needs. */
const MARK_RADIUS_PX = 22

interface PlacedMark {
  point: GeoPoint
  marker: Leaflet.Marker
  isFixed: boolean
}

/** Draws the sightings with their numbers, in the order of time, and where the dog was lost. */
export async function drawSightings(box: HTMLElement, data: SightingMapData): Promise<void> {
  const { marks, home, tiles, say, showSpreadHint } = data
  const maxZoom = tiles ? FIRST_ZOOM_MAX_WITH_TILES : FIRST_ZOOM_MAX
  const { L, map, base } = await openSmallMap(box, { center: home, zoom: maxZoom, tiles, wheel: false })
  map.fitBounds(L.latLngBounds([home, ...marks].map(toLatLng)), {
    maxZoom,
    paddingTopLeft: [PADDING_PX + BUTTONS_PX, PADDING_PX],
    paddingBottomRight: [PADDING_PX, PADDING_PX],
    animate: false,
  })
  if (home.isApproximate)
    L.circle(toLatLng(home), { radius: LOST_CIRCLE_M, className: 'sighting-home-area', interactive: false }).addTo(map)
  L.polyline(marks.map(toLatLng), { className: 'sighting-way', interactive: false }).addTo(map)

  const place = (element: HTMLElement, point: GeoPoint, onPress: () => void): PlacedMark => {
    // The icon is our own element; Leaflet only positions it.
    const icon = new L.Icon({ iconUrl: '' })
    icon.createIcon = () => element
    icon.createShadow = () => null as unknown as HTMLElement
    const marker = L.marker(toLatLng(point), { icon, keyboard: false, autoPanOnFocus: false, riseOnHover: true })
    marker.on('click', onPress).addTo(map)
    element.addEventListener('focus', () => {
      if (element.matches(':focus-visible'))
        map.panInside(marker.getLatLng(), { padding: [PADDING_PX, PADDING_PX], animate: false })
    })
    return { point, marker, isFixed: false }
  }
  const homeText = home.isApproximate ? 'Por esta zona se perdió.' : 'Aquí se perdió.'
  const homeMark = place(createMark('home', '!', 'Donde se perdió'), home, () => say(homeText))
  const placed = [
    { ...homeMark, isFixed: true },
    ...marks.map((mark) => {
      const { number, label, isApproximate } = mark
      const element = createMark(isApproximate ? 'approximate' : '', String(number), `Avistamiento ${number}: ${label}`)
      return place(element, mark, () => showEntry(mark, say))
    }),
  ]
  const separate = () => {
    showSpreadHint(separateMarks(map, placed))
    // Names make way for them.
    const boxes = placed.map(({ marker }): Box => {
      const { x, y } = map.project(marker.getLatLng())
      return [x - MARK_RADIUS_PX, y - MARK_RADIUS_PX, x + MARK_RADIUS_PX, y + MARK_RADIUS_PX]
    })
    base.setMarks(map.getZoom(), boxes)
  }
  separate()
  map.on('zoomend', separate)
}

const toLatLng = ({ lat, lon }: GeoPoint): Leaflet.LatLngTuple => [lat, lon]

/**
 * Moves marks beside each other that would lie on one another; the way between them keeps the places.
 * @returns whether one stands elsewhere now
 */
function separateMarks(map: Leaflet.Map, placed: readonly PlacedMark[]): boolean {
  let isSpread = false
  const circles = placed.map(({ point, isFixed }) => {
    const { x, y } = map.project(toLatLng(point))
    return { x, y, radius: MARK_RADIUS_PX, isFixed }
  })
  separateCircles(circles)
  for (const [index, { marker, point }] of placed.entries()) {
    const { x, y } = circles[index]!
    marker.setLatLng(map.unproject([x, y]))
    if (map.project(toLatLng(point)).distanceTo([x, y]) > MOVED_PX) isSpread = true
  }
  return isSpread
}

function createMark(className: string, text: string, label: string): HTMLElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = `leaflet-marker-icon leaflet-interactive sighting-mark ${className}`
  element.ariaLabel = label
  const content = document.createElement('span')
  content.textContent = text
  element.append(content)
  return element
}

/** Leads to the sighting in the list; for one that is on another page of it, a sentence says so. */
function showEntry({ id, number, label }: DrawnSighting, say: SightingMapData['say']): void {
  const entry = document.getElementById(`s-${id}`)
  say(`${number}: ${label}.`)
  if (!entry) return
  location.replace(`#${entry.id}`)
  entry.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
}
