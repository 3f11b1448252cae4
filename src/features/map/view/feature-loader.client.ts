import { toListError, ListError } from '#features/dogs/list/list.client.ts'
import { paths } from '#lib/paths.ts'
import {
  type Area,
  CLUSTER_ZOOM_MAX,
  type MapAnswer,
  type MapFeature,
  PHOTO_ZOOM,
  ZOOM_DEFAULT,
} from '#features/map/map.ts'
import { areaParam, countWithin, covers, withMargin } from './view-area.ts'

/** A view at rest: the area on screen, the map's zoom, and the filters. */
export interface ViewRequest {
  view: Area
  zoom: number
  breed: string | null
  size: string | null
}
export interface LoadedFeatures {
  features: MapFeature[]
  zoom: number
  visible: number
  total: number
}
interface LoaderListener {
  onLoad: (loaded: LoadedFeatures) => void
  /** Whether a request is in flight. */
  onBusy: (isBusy: boolean) => void
  /** The last failure, null after the next success; requests are retried automatically. */
  onError: (error: ListError | null) => void
}

const WORLD: Area = [-180, -90, 180, 90]
/** A response stays valid this long for views inside its area. */
const RESPONSE_MAX_AGE_MS = 60_000
/** Delay between attempts, doubled after each. */
const RETRY_MIN_MS = 2000
const RETRY_MAX_MS = 30_000

/** Loads the marks of each view: one request at a time, the last view wins, failures are retried. */
export class FeatureLoader {
  readonly #listener: LoaderListener
  #last: { request: ViewRequest; area: Area; loaded: LoadedFeatures; at: number } | null = null
  #current: ViewRequest | null = null
  #running: AbortController | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #retryDelay = RETRY_MIN_MS

  constructor(listener: LoaderListener) {
    this.#listener = listener
    window.addEventListener('online', this.retry)
  }

  /** Loads the marks of a view, from the last response where it covers the view. */
  load(request: ViewRequest): void {
    this.#current = request
    const loaded = this.#findLoaded(request)
    if (!loaded) return void this.#fetch(request)
    this.#running?.abort()
    clearTimeout(this.#timer)
    this.#listener.onBusy(false)
    this.#listener.onLoad(loaded)
  }

  /** Requests the current view again, without the last response. */
  refresh = (): void => {
    this.#last = null
    if (this.#current) void this.#fetch(this.#current)
  }

  /** Requests the current view again where the last attempt failed. */
  retry = (): void => {
    if (this.#last?.request !== this.#current && !this.#running) this.refresh()
  }

  close(): void {
    window.removeEventListener('online', this.retry)
    this.#running?.abort()
    clearTimeout(this.#timer)
  }

  /** The marks of a view by the last response; null where it does not cover the view or cannot count its dogs. */
  #findLoaded(request: ViewRequest): LoadedFeatures | null {
    const last = this.#last
    if (!last || Date.now() - last.at > RESPONSE_MAX_AGE_MS || !covers(last.area, request.view)) return null
    const { zoom, breed, size } = last.request
    if (zoom !== request.zoom || breed !== request.breed || size !== request.size) return null
    const visible = countWithin(last.loaded.features, request.view)
    if (visible === null) return null
    last.request = request
    return { ...last.loaded, visible }
  }

  async #fetch(request: ViewRequest): Promise<void> {
    this.#running?.abort()
    clearTimeout(this.#timer)
    const running = (this.#running = new AbortController())
    this.#listener.onBusy(true)
    // At a low zoom the whole world is no larger a response, and the first view flies to the dogs anywhere.
    const area = request.zoom > ZOOM_DEFAULT ? withMargin(request.view) : WORLD
    let retryAfter: number | null = null
    try {
      const response = await fetchFeatures(requestUrl(request, area), running.signal)
      if (!response.ok) {
        retryAfter = Number(response.headers.get('Retry-After')) * 1000 || null
        const body: { detail?: string } = await response.json().catch(() => ({}))
        throw toListError(body.detail)
      }
      const { features, visible, total } = (await response.json()) as MapAnswer
      const loaded = { features, visible, total, zoom: request.zoom }
      this.#last = { request, area, loaded, at: Date.now() }
      this.#retryDelay = RETRY_MIN_MS
      this.#running = null
      this.#listener.onBusy(false)
      this.#listener.onError(null)
      this.#listener.onLoad(loaded)
    } catch (error) {
      if (running.signal.aborted) return
      this.#running = null
      this.#listener.onBusy(false)
      this.#listener.onError(error instanceof ListError ? error : toListError())
      this.#timer = setTimeout(() => void this.#fetch(request), retryAfter ?? this.#retryDelay)
      this.#retryDelay = Math.min(this.#retryDelay * 2, RETRY_MAX_MS)
    }
  }
}

async function fetchFeatures(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal, headers: { Accept: 'application/json' } })
  } catch (error) {
    if (signal.aborted) throw error
    throw new ListError('Error de red al cargar los perros.', 'Error de red', 'No se pudo conectar con el servidor.')
  }
}

function requestUrl({ view, zoom, breed, size }: ViewRequest, area: Area): string {
  // The server clusters up to 14, where photos begin (docs/product.md §16.1): from there on single dogs are requested.
  const requestedZoom = zoom < PHOTO_ZOOM ? zoom : Math.max(zoom, CLUSTER_ZOOM_MAX + 1)
  const params = new URLSearchParams({ bbox: areaParam(area), view: areaParam(view), zoom: String(requestedZoom) })
  if (breed) params.set('breed', breed)
  if (size) params.set('size', size)
  return `${paths.api.map}?${params}`
}
