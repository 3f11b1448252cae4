import type { ListError } from '#features/dogs/list/list.client.ts'
import type { ListQuery } from '#features/dogs/list/listQuery.ts'
import { type Area, CLUSTER_ZOOM_MAX, type ClusterFeature, type DogFeature } from '../map.ts'
import { MapAnswers, type MapNews } from './answers.client.ts'
import { listenToKeys } from './keys.client.ts'
import { openMap, type OpenMap, type Tiles } from './leaflet.client.ts'
import { Marks, type Spot } from './marks.client.ts'
import type { MapPlace } from './place.ts'
import { keepPlace } from './state.client.ts'

/** From here on there are photos and no circles, as far as 200 of them go (spec.md §4, §9). */
export const PHOTO_ZOOM = 14
/** A press on a circle goes no nearer than it must, and no further than a neighbourhood to show all of its dogs. */
const FIT_MAX = 16
/** The map has settled when it has stood still for so long, ms. */
const SETTLE = 150

interface Hooks {
  query: () => ListQuery
  settled: (area: Area) => void
  answer: (news: MapNews) => void
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
  readonly answers: MapAnswers
  readonly #hooks: Hooks
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @throws where Leaflet's code does not come */
  static async start(box: HTMLElement, place: MapPlace | null, tiles: Tiles | null, hooks: Hooks): Promise<MapEngine> {
    let engine: MapEngine | undefined
    const onMove = () => engine?.settleSoon()
    const open = await openMap(box, { place, tiles, onTrouble: hooks.tilesTrouble, onMove })
    engine = new MapEngine(open, hooks)
    engine.settle()
    return engine
  }

  private constructor(open: OpenMap, hooks: Hooks) {
    this.open = open
    this.#hooks = hooks
    listenToKeys(open.map)
    this.marks = new Marks(open.L, open.map, { dog: hooks.dog, cluster: (cluster) => this.#enter(cluster) })
    this.answers = new MapAnswers({
      ...hooks,
      answer: (news) => {
        this.marks.show(news.features, news.zoom)
        hooks.answer(news)
      },
    })
  }

  settleSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.settle(), SETTLE)
  }

  /** Takes the view as it stands: into the address, and to the server for its marks. */
  settle(): void {
    const { breed, size } = this.#hooks.query()
    const view = this.open.view()
    const zoom = this.open.map.getZoom()
    this.open.map.getContainer().dataset.near = String(zoom > PHOTO_ZOOM)
    this.marks.settle()
    keepPlace(this.#hooks.query(), this.open.place())
    this.#hooks.settled(view)
    this.answers.look({ view, zoom: zoom < PHOTO_ZOOM ? zoom : Math.max(zoom, CLUSTER_ZOOM_MAX + 1), breed, size })
  }

  /** Rings a dog; one that is out of sight comes into it. */
  choose(spot: Spot | null): void {
    this.marks.choose(spot)
    if (!spot?.center) return
    const { map, go } = this.open
    const [lon, lat] = spot.center
    const { lng } = map.getCenter()
    const near = lon + 360 * Math.round((lng - lon) / 360)
    if (!map.getBounds().contains([lat, near])) go(lat, near, map.getZoom())
  }

  close(): void {
    clearTimeout(this.#timer)
    this.answers.close()
    this.open.close()
  }

  /** A circle pressed: nearer, until it falls apart; one that never does opens as a list. */
  #enter(cluster: ClusterFeature): void {
    const { expansion_zoom } = cluster.properties
    if (expansion_zoom === null) return this.#hooks.list(cluster)
    const { L, map, go } = this.open
    const [west, south, east, north] = cluster.bbox
    const bounds = L.latLngBounds([south, west], [north, east])
    const fit = Math.min(FIT_MAX, map.getBoundsZoom(bounds, false, L.point(80, 80)))
    const isWhole = fit >= expansion_zoom
    const [lon, lat] = cluster.geometry.coordinates
    const middle = isWhole ? bounds.getCenter() : L.latLng(lat, lon)
    go(middle.lat, middle.lng, Math.max(fit, expansion_zoom))
  }
}
