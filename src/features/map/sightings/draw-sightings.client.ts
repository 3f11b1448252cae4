import type * as Leaflet from 'leaflet'
import { LOST_CIRCLE_M } from '#features/lost/lost.ts'
import { openSmallMap } from '#features/map/small/small-map.client.ts'
import type { DrawnSighting, SightingMapData } from './sighting-map.client.ts'

/** Nearer a single sighting has nothing around it to go by. */
const FIRST_ZOOM_MAX = 15
const PADDING_PX = 40
/** The zoom buttons' width beside it. */
const BUTTONS_PX = 56
/** What lies at one point is drawn side by side, pixels. */
const SPREAD_PX = 26

/** Draws the sightings with their numbers, in the order of time, and where the dog was lost. */
export async function drawSightings(box: HTMLElement, { marks, home, tiles, say }: SightingMapData): Promise<void> {
  const { L, map } = await openSmallMap(box, { center: home, zoom: FIRST_ZOOM_MAX, tiles, wheel: false })
  const at = ({ lat, lon }: { lat: number; lon: number }): Leaflet.LatLngTuple => [lat, lon]
  map.fitBounds(L.latLngBounds([home, ...marks].map(at)), {
    maxZoom: FIRST_ZOOM_MAX,
    paddingTopLeft: [PADDING_PX + BUTTONS_PX, PADDING_PX],
    paddingBottomRight: [PADDING_PX, PADDING_PX],
    animate: false,
  })
  if (home.isApproximate)
    L.circle(at(home), { radius: LOST_CIRCLE_M, className: 'sighting-home-area', interactive: false }).addTo(map)
  L.polyline(marks.map(at), { className: 'sighting-way', interactive: false }).addTo(map)

  const place = (element: HTMLElement, point: Leaflet.LatLngTuple) => {
    // The icon is our own element; Leaflet only positions it.
    const icon = new L.Icon({ iconUrl: '' })
    icon.createIcon = () => element
    icon.createShadow = () => null as unknown as HTMLElement
    const marker = L.marker(point, { icon, keyboard: false, autoPanOnFocus: false, riseOnHover: true }).addTo(map)
    element.addEventListener('focus', () => {
      if (element.matches(':focus-visible'))
        map.panInside(marker.getLatLng(), { padding: [PADDING_PX, PADDING_PX], animate: false })
    })
    return marker
  }
  const taken = new Map<string, number>()
  const spread = (element: HTMLElement, point: { lat: number; lon: number }) => {
    const key = `${point.lat.toFixed(4)} ${point.lon.toFixed(4)}`
    const count = taken.get(key) ?? 0
    taken.set(key, count + 1)
    element.style.marginLeft = `${count * SPREAD_PX}px`
  }

  const homeMark = createMark('sighting-mark home', '!', 'Donde se perdió')
  spread(homeMark, home)
  place(homeMark, at(home)).on('click', () => say(home.isApproximate ? 'Por esta zona se perdió.' : 'Aquí se perdió.'))
  for (const mark of marks) {
    const { number, label, isApproximate } = mark
    const className = `sighting-mark${isApproximate ? ' approximate' : ''}`
    const element = createMark(className, String(number), `Avistamiento ${number}: ${label}`)
    spread(element, mark)
    place(element, at(mark)).on('click', () => showEntry(mark, say))
  }
}

function createMark(className: string, text: string, label: string): HTMLElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = `leaflet-marker-icon leaflet-interactive ${className}`
  element.ariaLabel = label
  const content = document.createElement('span')
  content.textContent = text
  element.append(content)
  return element
}

/** Leads to the sighting in the list; one that is on another page of it is told of. */
function showEntry({ id, number, label }: DrawnSighting, say: SightingMapData['say']): void {
  const entry = document.getElementById(`s-${id}`)
  say(`${number}: ${label}.`)
  if (!entry) return
  location.replace(`#${entry.id}`)
  entry.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
}
