import type * as Leaflet from 'leaflet'
import { photoSrc, photoSrcSet } from '#features/photos/photos.ts'
import { type ClusterFeature, type DogFeature, isCluster, type MapFeature } from '../map.ts'
import { type PlacedMark, placeMarks } from './mark-layout.ts'
import { clusterFigure, clusterStep, markName } from './texts.ts'

interface PressHandlers {
  cluster: (cluster: ClusterFeature) => void
  dog: (dog: DogFeature) => void
}
interface Mark extends PlacedMark {
  marker: Leaflet.Marker
  element: HTMLButtonElement
}
export interface SelectedDog {
  id: string
  center: readonly [lon: number, lat: number] | null
}

/** Keeps a focused mark clear of the controls over the map. */
const FOCUS_PADDING: Leaflet.PanInsideOptions = {
  paddingTopLeft: [40, 130],
  paddingBottomRight: [80, 40],
  animate: false,
}

const markKey = (feature: MapFeature, zoom: number) =>
  isCluster(feature) ? `${zoom}:${feature.properties.cluster_id}` : feature.properties.id

/**
 * The circles and photos on the map. Each is a button that is reused while responses contain it, so that panning rebuilds
 * nothing and focus stays. Only those on screen are tab stops.
 */
export class Marks {
  readonly #L: typeof Leaflet
  readonly #map: Leaflet.Map
  readonly #onPress: PressHandlers
  readonly #marks = new Map<string, Mark>()
  #selected: SelectedDog | null = null

  constructor(L: typeof Leaflet, map: Leaflet.Map, onPress: PressHandlers) {
    this.#L = L
    this.#map = map
    this.#onPress = onPress
  }

  /** Shows exactly these marks. @returns them, where they are drawn */
  show(features: readonly MapFeature[], zoom: number): readonly PlacedMark[] {
    const marks = inReadingOrder(placeMarks(features, zoom))
    const stale = new Map(this.#marks)
    const focused = [...stale.values()].find(({ element }) => element === document.activeElement)
    for (const placed of marks) {
      const key = markKey(placed.feature, zoom)
      const mark = this.#marks.get(key)
      stale.delete(key)
      if (mark) this.#update(mark, placed)
      else this.#marks.set(key, this.#create(placed))
    }
    for (const [key, { marker }] of stale) {
      marker.remove()
      this.#marks.delete(key)
    }
    this.settle()
    this.select(this.#selected)
    if (focused && !focused.element.isConnected) this.#focusNear(focused.marker.getLatLng())
    return marks
  }

  /** After a move: updates which marks are on screen, and in which of the repeated worlds. */
  settle(): void {
    const { lng } = this.#map.getCenter()
    const bounds = this.#map.getBounds()
    for (const { at, marker, element } of this.#marks.values()) {
      const [lon, lat] = at
      const nearestLon = lon + 360 * Math.round((lng - lon) / 360)
      if (marker.getLatLng().lng !== nearestLon) marker.setLatLng([lat, nearestLon])
      const isOnScreen = bounds.contains([lat, nearestLon])
      element.tabIndex = isOnScreen ? 0 : -1
      element.ariaHidden = isOnScreen ? null : 'true'
    }
  }

  /** Highlights the dog's mark, or the circle that contains the dog. */
  select(selected: SelectedDog | null): void {
    this.#selected = selected
    const target = selected && (this.#marks.get(selected.id) ?? (selected.center && this.#clusterAt(selected.center)))
    for (const mark of this.#marks.values()) {
      const isSelected = mark === target
      mark.element.classList.toggle('on', isSelected)
      mark.element.ariaCurrent = isSelected ? 'true' : null
      mark.marker.setZIndexOffset(isSelected ? 2000 : 0)
    }
  }

  dog(id: string): Mark | undefined {
    return this.#marks.get(id)
  }

  /** Focuses a circle or a pile where it is still on the map, else the map. */
  focus(cluster: ClusterFeature): void {
    const mark = [...this.#marks.values()].find(({ feature }) => feature.id === cluster.id)
    ;(mark?.element ?? this.#map.getContainer()).focus({ preventScroll: true })
  }

  #clusterAt([lon, lat]: NonNullable<SelectedDog['center']>): Mark | null {
    const containing = [...this.#marks.values()].filter(({ feature }) => {
      if (!isCluster(feature)) return false
      const [west, south, east, north] = feature.bbox
      return lon >= west && lon <= east && lat >= south && lat <= north
    })
    const distance = ({ feature }: Mark) => {
      const [x, y] = feature.geometry.coordinates
      return Math.hypot(x - lon, y - lat)
    }
    return containing.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
  }

  #focusNear(at: Leaflet.LatLng): void {
    const point = this.#map.latLngToContainerPoint(at)
    const onScreen = [...this.#marks.values()].filter(({ element }) => element.tabIndex === 0)
    const distance = ({ marker }: Mark) => point.distanceTo(this.#map.latLngToContainerPoint(marker.getLatLng()))
    const nearest = onScreen.toSorted((a, b) => distance(a) - distance(b))[0]
    ;(nearest?.element ?? this.#map.getContainer()).focus({ preventScroll: true })
  }

  #update(mark: Mark, { feature, at }: PlacedMark): void {
    const [lon, lat] = at
    if (mark.at[0] !== lon || mark.at[1] !== lat) mark.marker.setLatLng([lat, lon])
    if (markName(mark.feature) !== markName(feature) || photoOf(mark.feature) !== photoOf(feature))
      drawMark(mark.element, feature)
    mark.feature = feature
    mark.at = at
  }

  #create({ feature, at }: PlacedMark): Mark {
    const element = document.createElement('button')
    element.type = 'button'
    element.className = 'leaflet-marker-icon mark'
    drawMark(element, feature)
    const [lon, lat] = at
    // The icon is our own element; Leaflet only positions it.
    const icon = new this.#L.Icon({ iconUrl: '' })
    icon.createIcon = () => element
    icon.createShadow = () => null as unknown as HTMLElement
    const marker = this.#L.marker([lat, lon], { icon, keyboard: false, riseOnHover: true, autoPanOnFocus: false })
    const mark: Mark = { feature, at, marker, element }
    // Leaflet's click event comes after the one that closes popups, and not at the end of a drag.
    marker.on('click', () => {
      if (isCluster(mark.feature)) this.#onPress.cluster(mark.feature)
      else this.#onPress.dog(mark.feature)
    })
    element.addEventListener('focus', () => {
      if (element.matches(':focus-visible')) this.#map.panInside(marker.getLatLng(), FOCUS_PADDING)
    })
    marker.addTo(this.#map)
    return mark
  }
}

/** From north to south: the tab order. */
const inReadingOrder = (marks: readonly PlacedMark[]): PlacedMark[] => marks.toSorted((a, b) => b.at[1] - a.at[1])

const photoOf = ({ properties }: MapFeature) => properties.photo_url

function drawMark(element: HTMLButtonElement, feature: MapFeature): void {
  const content = document.createElement('span')
  const photo = photoOf(feature)
  element.ariaLabel = markName(feature)
  element.className = element.className.replace(/ (cluster|long|pin|pile|step-\d)\b/g, '')
  element.replaceChildren(content)
  if (photo !== undefined) {
    element.classList.add('pin')
    content.append(createPhoto(photo))
  }
  if (!isCluster(feature)) return
  const { point_count } = feature.properties
  const figure = clusterFigure(point_count)
  if (photo === undefined) {
    element.classList.add('cluster', `step-${clusterStep(point_count)}`)
    content.textContent = figure
    element.classList.toggle('long', figure.length > 4)
  } else {
    element.classList.add('pile')
    const count = document.createElement('b')
    count.textContent = figure
    element.append(count)
  }
}

function createPhoto(photo: string): HTMLImageElement {
  const image = document.createElement('img')
  Object.assign(image, { alt: '', width: 50, height: 50, decoding: 'async', draggable: false })
  image.srcset = photoSrcSet(photo, 'small') ?? ''
  image.src = photoSrc(photo, 'small')
  return image
}
