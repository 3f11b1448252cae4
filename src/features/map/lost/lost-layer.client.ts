import type * as Leaflet from 'leaflet'
import { LOST_CIRCLE_M } from '#features/lost/lost.ts'
import { areaParam, covers, withMargin } from '#features/map/view/view-area.ts'
import type { OpenMap } from '#features/map/view/leaflet.client.ts'
import { formatRelative } from '#lib/dates.ts'
import { shownZone } from '#lib/text/zone.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import type { Box } from '#lib/topology.ts'
import type { Area, LostFeature, LostMarks, PopupDog } from '../map.ts'
import { APART_ZOOM, coveredAt, layOutLost } from './lost-layout.ts'
import styles from './lost-marks.css?url'

/** `paths` reaches every page's script, and this is the map's alone. */
const LOST_MARKS_PATH = '/api/map/lost'
/** A view at rest is asked for this long after its last move, and an answer serves views inside its area this long. */
const SETTLE_MS = 200
const ANSWER_MAX_AGE_MS = 60_000

/** A dog may be on the map twice, as itself and as lost. */
const POPUP_PREFIX = 'lost-'

interface ShownMark {
  feature: LostFeature
  /** It, and those that its mark stands for. */
  members: LostFeature[]
  circle: Leaflet.Circle
  marker: Leaflet.Marker
  element: HTMLButtonElement
}

/** «se perdió hace 2 días», by what other scripts of the map have already loaded. */
const sinceText = (since: number): string => `se perdió ${formatRelative(since, Date.now())}`

/** A mark's accessible name: «Se busca: Toby, Beagle, Jaca, se perdió hace 2 días». */
const nameOf = ({ name, breed, zone, since }: LostFeature['properties']): string =>
  `Se busca: ${[name, breed, zone && shownZone(zone)].filter(Boolean).join(', ')}, ${sinceText(since)}`

/** Shows a mark as itself, or as the number of those that it stands for. */
function showGroup(mark: ShownMark, members: LostFeature[], isOnScreen: boolean): void {
  const { element } = mark
  mark.members = members
  element.hidden = false
  element.ariaLabel =
    members.length > 1 ? `${members.length} perros perdidos, ampliar` : nameOf(mark.feature.properties)
  element.firstElementChild!.textContent = members.length > 1 ? String(members.length) : '!'
  element.tabIndex = isOnScreen ? 0 : -1
  element.ariaHidden = isOnScreen ? null : 'true'
}

/** Lost dogs on the map: a circle with a button in its middle for each. It loads with the map's engine, and fails silently: the map does without. */
export class LostLayer {
  readonly #open: OpenMap
  readonly #onPress: (dog: PopupDog) => void
  readonly #onCount: (marks: number) => void
  readonly #shown = new Map<string, ShownMark>()
  #last: { area: Area; at: number } | null = null
  #running: AbortController | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isVisible = true
  #covered: { zoom: number; boxes: readonly Box[] } | null = null
  readonly #switch: HTMLButtonElement

  /** @param onCount is given the number of lost dogs that are marked, after each load */
  constructor(open: OpenMap, onPress: (dog: PopupDog) => void, onCount: (marks: number) => void) {
    this.#open = open
    this.#onPress = onPress
    this.#onCount = onCount
    void loadStylesheet(styles)
    this.#switch = document.createElement('button')
    Object.assign(this.#switch, { type: 'button', className: 'map-lost', ariaPressed: 'true' })
    this.#switch.innerHTML = '<span aria-hidden="true">!</span><b>Perdidos</b>'
    this.#switch.addEventListener('click', () => this.#toggle())
    // Among the controls that the first view keeps clear of (view/covered.client.ts); the island never moves the first of them.
    open.map.getContainer().parentElement?.querySelector('.map-tools')?.prepend(this.#switch)
    open.map.on('moveend', this.#settleSoon)
    this.#settleSoon()
  }

  #toggle(): void {
    this.#isVisible = !this.#isVisible
    this.#switch.ariaPressed = String(this.#isVisible)
    if (this.#isVisible) return this.#settleSoon()
    this.#last = null
    this.#running?.abort()
    this.#show([])
  }

  /** What the other marks cover, in pixels of the zoom's world: lost dogs stand beside them. */
  makeWay(zoom: number, boxes: readonly Box[]): void {
    this.#covered = { zoom, boxes }
    this.#place()
  }

  /** @param id of the feature that the popup was given */
  mark(id: string): ShownMark | undefined {
    return this.#shown.get(id.slice(POPUP_PREFIX.length))
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
    this.#open.map.off('moveend', this.#settleSoon)
    this.#show([])
    this.#switch.remove()
  }

  readonly #settleSoon = (): void => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#settle(), SETTLE_MS)
  }

  async #settle(): Promise<void> {
    if (!this.#isVisible) return
    this.#place()
    const view = this.#open.visibleArea()
    if (this.#last && Date.now() - this.#last.at < ANSWER_MAX_AGE_MS && covers(this.#last.area, view)) return
    this.#running?.abort()
    const running = (this.#running = new AbortController())
    const area = withMargin(view)
    try {
      const query = new URLSearchParams({ bbox: areaParam(area) })
      const response = await fetch(`${LOST_MARKS_PATH}?${query}`, { signal: running.signal })
      if (!response.ok) throw new Error(`lost dogs: ${response.status}`)
      this.#show(((await response.json()) as LostMarks).features)
      this.#last = { area, at: Date.now() }
    } catch (error) {
      if (running.signal.aborted) return
      console.warn(error)
      this.#onCount(this.#shown.size)
    }
  }

  #show(features: readonly LostFeature[]): void {
    const stale = new Map(this.#shown)
    for (const feature of features) {
      const known = this.#shown.get(feature.id)
      stale.delete(feature.id)
      if (known) known.feature = feature
      else this.#shown.set(feature.id, this.#create(feature))
    }
    for (const [id, { circle, marker }] of stale) {
      circle.remove()
      marker.remove()
      this.#shown.delete(id)
    }
    this.#place()
    this.#onCount(this.#shown.size)
  }

  /** Marks that would lie on one another become one; only marks on screen are tab stops, and each is in the repeated world that is shown. */
  #place(): void {
    const { map } = this.#open
    const { lng } = map.getCenter()
    const zoom = map.getZoom()
    const places = [...this.#shown.values()].map((mark) => {
      const [lon, lat] = mark.feature.geometry.coordinates
      const at: Leaflet.LatLngTuple = [lat, lon + 360 * Math.round((lng - lon) / 360)]
      mark.circle.setLatLng(at)
      const { x, y } = map.project(at, zoom)
      return { mark, x, y }
    })
    const covered = this.#covered ? coveredAt(zoom, this.#covered) : []
    for (const { x, y, members } of layOutLost(places, zoom, covered)) {
      const [first, ...others] = members.map(({ mark }) => mark)
      const at = map.unproject([x, y], zoom)
      first!.marker.setLatLng(at)
      showGroup(
        first!,
        members.map(({ mark }) => mark.feature),
        map.getBounds().contains(at),
      )
      for (const mark of others) mark.element.hidden = true
    }
  }

  /** Zooms in until a mark of several parts. */
  #enter(members: readonly LostFeature[]): void {
    const { L, map, flyTo } = this.#open
    const bounds = L.latLngBounds(members.map(({ geometry: { coordinates } }) => [coordinates[1], coordinates[0]]))
    const { lat, lng } = bounds.getCenter()
    const fit = map.getBoundsZoom(bounds, false, L.point(80, 80))
    flyTo(lat, lng, Math.min(APART_ZOOM, Math.max(fit, map.getZoom() + 1)))
  }

  #create(feature: LostFeature): ShownMark {
    const { L, map } = this.#open
    const [lon, lat] = feature.geometry.coordinates
    const element = document.createElement('button')
    element.type = 'button'
    element.className = 'leaflet-marker-icon mark lost-mark'
    element.append(document.createElement('span'))
    // The icon is our own element; Leaflet only positions it.
    const icon = new L.Icon({ iconUrl: '' })
    icon.createIcon = () => element
    icon.createShadow = () => null as unknown as HTMLElement
    const circle = L.circle([lat, lon], { radius: LOST_CIRCLE_M, className: 'lost-area', interactive: false })
    const marker = L.marker([lat, lon], {
      icon,
      keyboard: false,
      riseOnHover: true,
      autoPanOnFocus: false,
      zIndexOffset: 1000,
    })
    const shown: ShownMark = { feature, members: [feature], circle, marker, element }
    marker.on('click', () => {
      if (shown.members.length > 1) return this.#enter(shown.members)
      const { id, geometry, properties } = shown.feature
      const note = `Se busca: ${sinceText(properties.since)}`
      this.#onPress({ id: POPUP_PREFIX + id, geometry, properties: { ...properties, note } })
    })
    element.addEventListener('focus', () => {
      if (element.matches(':focus-visible')) map.panInside(marker.getLatLng(), { padding: [80, 130], animate: false })
    })
    circle.addTo(map)
    marker.addTo(map)
    return shown
  }
}
