import type { ListError } from '#features/dogs/list/list.client.ts'
import type { ListQuery } from '#features/dogs/list/list-query.ts'
import { type Area, type ClusterFeature, type DogFeature, PHOTO_ZOOM } from '#features/map/map.ts'
import { FeatureLoader, type LoadedFeatures } from './feature-loader.client.ts'
import { listenToKeys } from './keyboard.client.ts'
import { isInside } from '#features/map/strip/area-dogs.ts'
import { openMap, type OpenMap, type Tiles } from './leaflet.client.ts'
import { Marks, type SelectedDog } from './marks.client.ts'
import type { MapViewport } from './viewport.ts'
import { areaOfDogs } from './first-view.ts'
import { saveViewport } from './viewport-storage.client.ts'

/** A press on a circle goes no nearer than it must, and no further than a neighbourhood to show all of its dogs. */
const FIT_ZOOM_MAX = 16
/** The map has settled when it has stood still for so long, ms. */
const SETTLE_MS = 150

interface EngineHooks {
  query: () => ListQuery
  /** @param isMoved false where only the room of the map changed */
  settled: (area: Area, isMoved: boolean) => void
  answer: (news: LoadedFeatures) => void
  busy: (isBusy: boolean) => void
  trouble: (error: ListError | null) => void
  tilesTrouble: () => void
  dog: (dog: DogFeature) => void
  list: (cluster: ClusterFeature) => void
}

/** Everything of the map that is not React: Leaflet, its marks, and the answers they come from. */
export class MapEngine {
  readonly open: OpenMap
  readonly marks: Marks
  readonly loader: FeatureLoader
  readonly #hooks: EngineHooks
  #timer: ReturnType<typeof setTimeout> | undefined
  #isMoved = true
  /** The map still shows its first view, and may go to where the dogs are once it knows. */
  #isFirst: boolean

  /** @throws where Leaflet's code does not come */
  static async start(
    box: HTMLElement,
    place: MapViewport | null,
    tiles: Tiles | null,
    hooks: EngineHooks,
  ): Promise<MapEngine> {
    let engine: MapEngine | undefined
    const onMove = (isMoved: boolean) => engine?.settleSoon(isMoved)
    const open = await openMap(box, { place, tiles, onTrouble: hooks.tilesTrouble, onMove })
    engine = new MapEngine(open, hooks, place === null)
    engine.settle()
    return engine
  }

  private constructor(open: OpenMap, hooks: EngineHooks, isFirst: boolean) {
    this.open = open
    this.#isFirst = isFirst
    this.#hooks = hooks
    listenToKeys(open)
    this.marks = new Marks(open.L, open.map, { dog: hooks.dog, cluster: (cluster) => this.#enter(cluster) })
    this.loader = new FeatureLoader({
      // Until the first view has gone to the dogs, the map is busy with itself.
      busy: (isBusy) => hooks.busy(isBusy || this.#isFirst),
      trouble: (error) => {
        if (error) hooks.busy(false)
        hooks.trouble(error)
      },
      answer: (news) => {
        this.marks.show(news.features, news.zoom)
        hooks.answer(news)
        if (this.#isFirst) this.#approach(news)
      },
    })
  }

  settleSoon(isMoved: boolean): void {
    this.#isMoved ||= isMoved
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.settle(), SETTLE_MS)
  }

  /** Takes the view as it stands: into the address, and to the server for its marks. */
  settle(): void {
    const { breed, size } = this.#hooks.query()
    const view = this.open.view()
    const zoom = this.open.map.getZoom()
    this.open.map.getContainer().dataset.near = String(zoom > PHOTO_ZOOM)
    this.marks.settle()
    saveViewport(this.#hooks.query(), this.open.place())
    this.#hooks.settled(view, this.#isMoved)
    this.#isMoved = false
    this.loader.look({ view, zoom, breed, size })
  }

  /** Rings a dog; one that is out of sight comes into it. */
  select(spot: SelectedDog | null): void {
    this.marks.select(spot)
    if (!spot?.center) return
    const { map, go, view } = this.open
    const [lon, lat] = spot.center
    const { lng } = map.getCenter()
    const near = lon + 360 * Math.round((lng - lon) / 360)
    if (!isInside([lon, lat], view())) go(lat, near, map.getZoom())
  }

  close(): void {
    clearTimeout(this.#timer)
    this.loader.close()
    this.open.close()
  }

  /** The first view goes to where the dogs are, once, unless somebody moves the map before (docs/product.md §16.1). */
  #approach({ features }: LoadedFeatures): void {
    this.#isFirst = false
    const area = areaOfDogs(features)
    if (!area || !this.open.approach(area)) this.#hooks.busy(false)
  }

  /** A circle pressed: nearer, until it falls apart; one that never does opens as a list. */
  #enter(cluster: ClusterFeature): void {
    const { expansion_zoom } = cluster.properties
    if (expansion_zoom === null) return this.#hooks.list(cluster)
    const { L, map, go } = this.open
    const [west, south, east, north] = cluster.bbox
    const bounds = L.latLngBounds([south, west], [north, east])
    const fit = Math.min(FIT_ZOOM_MAX, map.getBoundsZoom(bounds, false, L.point(80, 80)))
    const isWhole = fit >= expansion_zoom
    const [lon, lat] = cluster.geometry.coordinates
    const middle = isWhole ? bounds.getCenter() : L.latLng(lat, lon)
    go(middle.lat, middle.lng, Math.max(fit, expansion_zoom))
  }
}
