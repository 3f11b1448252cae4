import { LRUCache } from 'lru-cache'
import { COUNTS_LAG_FACTOR } from '#lib/http/written.ts'
import { compareReads, findLastChange, type Reads } from '#db/table-changes.ts'
import { findPosition } from '#db/positions.ts'

/** A rendered page. */
export interface RenderedPage {
  status: number
  /** Headers of the answer, without those about its bytes. */
  headers: readonly (readonly [string, string])[]
  body: Buffer
  /** What it has read; null: it is not cached. */
  reads: Reads | null
  /** Milliseconds. */
  expires: number
}

/** When a page was known to be fresh. */
interface Moment {
  /** The position of the last change that it has (db/positions.ts). Where nodes share a log it is another number than `Reads.since`. */
  position: number
  /** performance.now() */
  at: number
  /** How far the live streams were: its reader's stream continues from there. */
  live: number
}

/** A page in the store, with its estimated memory. */
type StoredPage = Readonly<{ bytes: number }>

interface Entry<Page> {
  page: Page
  reads: Reads
  /** The last time that it was known to be fresh. */
  verified: Moment
}

/** A page that may be sent, or a render of it. */
export interface Found<Page> {
  page: Page
  /** The event of the live streams up to which it is complete. */
  live: number
}

interface PageStoreOptions<Page extends StoredPage> {
  maxBytes: number
  /** How long a page may lag behind what others have written, ms; 0: it is always what a render would be. */
  maxLagMs: number
  /** How far the live streams are. */
  live: () => number
  Page: new (key: string, rendered: RenderedPage) => Page
}

/**
 * Pages by address, the least recently used evicted beyond `maxBytes`. A page is sent while nothing that it has read is
 * written, and `maxLagMs` longer to readers who have not written it. Concurrent requests share a render (request coalescing).
 */
export class PageStore<Page extends StoredPage> {
  readonly counts = { hits: 0, unchanged: 0, misses: 0, kept: 0, outdated: 0, dropped: 0, evicted: 0 }
  readonly #options: PageStoreOptions<Page>
  readonly #entries: LRUCache<string, Entry<Page>>
  readonly #renders = new Map<string, { found: Promise<Found<Page>>; startedAfter: number; start: Moment }>()

  constructor(options: PageStoreOptions<Page>) {
    const { maxBytes } = options
    this.#options = options
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      // What was erased is in no memory after a page's time, also where nobody asks for the page again.
      ttlAutopurge: true,
      // One page must not evict most others.
      maxEntrySize: Math.floor(maxBytes / 4),
      sizeCalculation: ({ page }) => page.bytes,
      dispose: (_, __, reason) => void (reason === 'evict' && this.counts.evicted++),
    })
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  get size(): number {
    return this.#entries.size
  }

  /** Whether that page is cached, fresh or stale, or being rendered. */
  has(key: string): boolean {
    return this.#entries.has(key) || this.#renders.has(key)
  }

  /** The page that may be sent to a reader whose last write is `written`. One that may not is dropped. */
  get(key: string, written: number): Found<Page> | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const state = compareReads(entry.reads)
    if (state === 'current') entry.verified = this.#now()
    const lagMs = this.#options.maxLagMs * (state === 'counted' ? COUNTS_LAG_FACTOR : 1)
    if (state === 'current' || isUsable(entry.verified, written, lagMs))
      return { page: entry.page, live: entry.verified.live }
    this.counts.dropped++
    this.#entries.delete(key)
    return undefined
  }

  /** The same, or the render under way that will give it. */
  find(key: string, written: number): Found<Page> | Promise<Found<Page>> | undefined {
    const cached = this.get(key, written)
    const render = this.#renders.get(key)
    if (cached || !render) return cached
    const isFresh = render.startedAfter === findLastChange() || isUsable(render.start, written, this.#options.maxLagMs)
    return isFresh ? render.found : undefined
  }

  /** Renders a page and keeps it. */
  async render(key: string, render: () => Promise<RenderedPage>): Promise<Found<Page>> {
    const start = this.#now()
    this.counts.misses++
    const found = this.#keep(key, render, start).finally(() => {
      if (this.#renders.get(key)?.found === found) this.#renders.delete(key)
    })
    this.#renders.set(key, { found, startedAfter: findLastChange(), start })
    return found
  }

  async #keep(key: string, render: () => Promise<RenderedPage>, start: Moment): Promise<Found<Page>> {
    const rendered = await render()
    const page = new this.#options.Page(key, rendered)
    const { reads, expires } = rendered
    if (reads) {
      if (compareReads(reads) !== 'current') this.counts.outdated++
      this.counts.kept++
      this.#entries.set(key, { page, reads, verified: start }, { ttl: Math.max(1, expires - Date.now()) })
    }
    return { page, live: start.live }
  }

  #now(): Moment {
    return { position: findPosition(), at: performance.now(), live: this.#options.live() }
  }
}

const isUsable = ({ position, at }: Moment, written: number, lagMs: number): boolean =>
  written <= position && performance.now() - at < lagMs
