import type { ListError } from '#features/dogs/list/list.client.ts'
import type { ListQuery } from '#features/dogs/list/list-query.ts'
import { type Area, type ClusterFeature, type DogFeature, PHOTO_ZOOM, type PopupDog } from '#features/map/map.ts'
import { LostLayer } from '#features/map/lost/lost-layer.client.ts'
import { FeatureLoader, type LoadedFeatures } from './feature-loader.client.ts'
import { listenToKeys } from './keyboard.client.ts'
import { isInside } from '#features/map/strip/area-dogs.ts'
import { openMap, type OpenMap, type Tiles } from './leaflet.client.ts'
import { markBoxes } from './mark-layout.ts'
import { Marks, type SelectedDog } from './marks.client.ts'
import type { MapViewport } from './viewport.ts'
import { areaOfDogs } from './first-view.ts'
import { saveViewport } from './viewport-storage.client.ts'

/** A pressed circle zooms in as little as needed, and to a neighbourhood at most to show all of its dogs. */
const FIT_ZOOM_MAX = 16
/** The map counts as at rest this long after its last move. */
const SETTLE_MS = 150

export interface EngineHooks {
  query: () => ListQuery
  /** The map is at rest. @param isMoved false where only its size changed */
  onSettle: (area: Area, isMoved: boolean) => void
  onLoad: (loaded: LoadedFeatures) => void
  /** Whether the marks of the current view are still to come. */
  onBusy: (isBusy: boolean) => void
  onError: (error: ListError | null) => void
  onTileError: () => void
  onSelectDog: (dog: DogFeature) => void
  onSelectLost: (dog: PopupDog) => void
  /** @param marks the number of lost dogs that are marked, once they are loaded */
  onLostCount: (marks: number) => void
  onOpenList: (cluster: ClusterFeature) => void
}

/** The map without React: Leaflet, the marks, and the loader that feeds them. */
export class MapEngine {
  readonly open: OpenMap
  readonly marks: Marks
  readonly loader: FeatureLoader
  readonly #lost: LostLayer
  readonly #hooks: EngineHooks
  #timer: ReturnType<typeof setTimeout> | undefined
  #isMoved = true
  /** The map shows its first view, and flies to the dogs once they are loaded. */
  #isFirst: boolean
  /** The dog whose mark was just pressed: its popup moves the map by itself. */
  #pressedId: string | null = null

  /** @param viewport where the map opens; null for the first view, which flies to the dogs */
  constructor(box: HTMLElement, viewport: MapViewport | null, tiles: Tiles | null, hooks: EngineHooks) {
    const onMove = (isMoved: boolean) => this.settleSoon(isMoved)
    this.open = openMap(box, { viewport, tiles, onTileError: hooks.onTileError, onMove })
    this.#isFirst = viewport === null
    this.#hooks = hooks
    listenToKeys(this.open)
    this.marks = new Marks(this.open.L, this.open.map, {
      dog: (dog) => {
        this.#pressedId = dog.properties.id
        hooks.onSelectDog(dog)
      },
      cluster: (cluster) => this.#enter(cluster),
    })
    this.#lost = new LostLayer(this.open, hooks.onSelectLost, hooks.onLostCount)
    this.loader = new FeatureLoader({
      // The map stays busy until the first view has flown to the dogs.
      onBusy: (isBusy) => hooks.onBusy(isBusy || this.#isFirst),
      onError: (error) => {
        if (error) hooks.onBusy(false)
        hooks.onError(error)
      },
      onLoad: (loaded) => {
        const marks = this.marks.show(loaded.features, loaded.zoom)
        const boxes = markBoxes(marks, loaded.zoom)
        this.open.setMarks(loaded.zoom, boxes)
        this.#lost.makeWay(loaded.zoom, boxes)
        hooks.onLoad(loaded)
        if (this.#isFirst) this.#approach(loaded)
      },
    })
    this.settle()
  }

  settleSoon(isMoved: boolean): void {
    this.#isMoved ||= isMoved
    // The marks of the new view are loaded once it is at rest.
    this.#hooks.onBusy(true)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.settle(), SETTLE_MS)
  }

  /** Writes the current view into the address and loads its marks. */
  settle(): void {
    const { breed, size } = this.#hooks.query()
    const view = this.open.visibleArea()
    const zoom = this.open.map.getZoom()
    this.open.map.getContainer().dataset.near = String(zoom > PHOTO_ZOOM)
    this.marks.settle()
    saveViewport(this.#hooks.query(), this.open.viewport())
    this.#hooks.onSettle(view, this.#isMoved)
    this.#isMoved = false
    this.loader.load({ view, zoom, breed, size })
  }

  /** Highlights a dog, and pans to it where it is outside the visible area. Next to a popup's own pan the map would move twice. */
  select(selected: SelectedDog | null): void {
    this.marks.select(selected)
    const hasPopup = selected?.id === this.#pressedId
    this.#pressedId = null
    if (!selected?.center || hasPopup) return
    const { map, flyTo, visibleArea } = this.open
    const [lon, lat] = selected.center
    const { lng } = map.getCenter()
    const nearestLon = lon + 360 * Math.round((lng - lon) / 360)
    if (!isInside([lon, lat], visibleArea())) flyTo(lat, nearestLon, map.getZoom())
  }

  /** The mark of a dog or of a lost one, by its feature's id, while it is on the map. */
  markOf(id: string) {
    return this.marks.dog(id) ?? this.#lost.mark(id)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#lost.close()
    this.loader.close()
    this.open.close()
  }

  /** Flies once from the first view to the dogs, unless the person moves the map first (docs/product.md §16.1). */
  #approach({ features }: LoadedFeatures): void {
    this.#isFirst = false
    const area = areaOfDogs(features)
    if (!area || !this.open.approach(area)) this.#hooks.onBusy(false)
  }

  /** Zooms into a pressed circle until it splits; one that never splits opens as a list. */
  #enter(cluster: ClusterFeature): void {
    const { expansion_zoom } = cluster.properties
    if (expansion_zoom === null) return this.#hooks.onOpenList(cluster)
    const { L, map, flyTo } = this.open
    const [west, south, east, north] = cluster.bbox
    const bounds = L.latLngBounds([south, west], [north, east])
    const fit = Math.min(FIT_ZOOM_MAX, map.getBoundsZoom(bounds, false, L.point(80, 80)))
    const fitsWhole = fit >= expansion_zoom
    const [lon, lat] = cluster.geometry.coordinates
    const middle = fitsWhole ? bounds.getCenter() : L.latLng(lat, lon)
    flyTo(middle.lat, middle.lng, Math.max(fit, expansion_zoom))
  }
}
