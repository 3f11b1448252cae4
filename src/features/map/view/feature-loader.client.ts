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

/** A settled view: the area on the screen, the map's zoom, and the filters. */
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
  answer: (news: LoadedFeatures) => void
  /** A request waits. */
  busy: (isBusy: boolean) => void
  /** What went wrong, until something goes right; it is tried again by itself. */
  trouble: (error: ListError | null) => void
}

const WORLD: Area = [-180, -90, 180, 90]
/** An answer is good for this long when the view moves inside it, ms. */
const ANSWER_MAX_AGE_MS = 60_000
/** Waits between attempts, ms: doubled each time. */
const RETRY_MIN_MS = 2000
const RETRY_MAX_MS = 30_000

/** Asks for the marks of each settled view: one request at a time, the last view wins, failures are tried again. */
export class FeatureLoader {
  readonly #tell: LoaderListener
  #last: { load: ViewRequest; asked: Area; news: LoadedFeatures; at: number } | null = null
  #wanted: ViewRequest | null = null
  #running: AbortController | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #wait = RETRY_MIN_MS

  constructor(tell: LoaderListener) {
    this.#tell = tell
    window.addEventListener('online', this.retry)
  }

  /** A view has settled. */
  look(look: ViewRequest): void {
    this.#wanted = look
    const known = this.#known(look)
    if (!known) return void this.#ask(look)
    this.#running?.abort()
    clearTimeout(this.#timer)
    this.#tell.busy(false)
    this.#tell.answer(known)
  }

  /** Asks again now, whatever is known. */
  refresh = (): void => {
    this.#last = null
    if (this.#wanted) void this.#ask(this.#wanted)
  }

  /** Asks again where the last attempt failed. */
  retry = (): void => {
    if (this.#last?.load !== this.#wanted && !this.#running) this.refresh()
  }

  close(): void {
    window.removeEventListener('online', this.retry)
    this.#running?.abort()
    clearTimeout(this.#timer)
  }

  /** What the last answer says of a view inside it, where it says enough. */
  #known(look: ViewRequest): LoadedFeatures | null {
    const last = this.#last
    if (!last || Date.now() - last.at > ANSWER_MAX_AGE_MS || !covers(last.asked, look.view)) return null
    const { zoom, breed, size } = last.load
    if (zoom !== look.zoom || breed !== look.breed || size !== look.size) return null
    const visible = countWithin(last.news.features, look.view)
    if (visible === null) return null
    last.load = look
    return { ...last.news, visible }
  }

  async #ask(look: ViewRequest): Promise<void> {
    this.#running?.abort()
    clearTimeout(this.#timer)
    const running = (this.#running = new AbortController())
    this.#tell.busy(true)
    // From so far the whole world is no more to send, and the first view goes to wherever the dogs are.
    const asked = look.zoom > ZOOM_DEFAULT ? withMargin(look.view) : WORLD
    let retryAfter: number | null = null
    try {
      const response = await fetchOrExplain(address(look, asked), running.signal)
      if (!response.ok) {
        retryAfter = Number(response.headers.get('Retry-After')) * 1000 || null
        const body: { detail?: string } = await response.json().catch(() => ({}))
        throw toListError(body.detail)
      }
      const { features, visible, total } = (await response.json()) as MapAnswer
      const news = { features, visible, total, zoom: look.zoom }
      this.#last = { load: look, asked, news, at: Date.now() }
      this.#wait = RETRY_MIN_MS
      this.#running = null
      this.#tell.busy(false)
      this.#tell.trouble(null)
      this.#tell.answer(news)
    } catch (error) {
      if (running.signal.aborted) return
      this.#running = null
      this.#tell.busy(false)
      this.#tell.trouble(error instanceof ListError ? error : toListError())
      this.#timer = setTimeout(() => void this.#ask(look), retryAfter ?? this.#wait)
      this.#wait = Math.min(this.#wait * 2, RETRY_MAX_MS)
    }
  }
}

async function fetchOrExplain(address: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal, headers: { Accept: 'application/json' } })
  } catch (error) {
    if (signal.aborted) throw error
    throw new ListError('Error de red al cargar los perros.', 'Error de red', 'No se pudo conectar con el servidor.')
  }
}

function address({ view, zoom, breed, size }: ViewRequest, asked: Area): string {
  // Clusters go up to 14, photos begin there (docs/product.md §16.1): from there on dogs are asked for one by one.
  const wanted = zoom < PHOTO_ZOOM ? zoom : Math.max(zoom, CLUSTER_ZOOM_MAX + 1)
  const params = new URLSearchParams({ bbox: areaParam(asked), view: areaParam(view), zoom: String(wanted) })
  if (breed) params.set('breed', breed)
  if (size) params.set('size', size)
  return `${paths.api.map}?${params}`
}
