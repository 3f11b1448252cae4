import { createHash } from 'node:crypto'
import { encodeCached, type Encoding } from './encoding.ts'

/** A rendered page. `expires` in milliseconds; Infinity: until something it shows changes. */
export interface RenderedPage {
  status: number
  /** Headers of the answer, without those about its bytes. */
  headers: readonly (readonly [string, string])[]
  body: Buffer
  /** Cache tags of what the page shows; null: it is not cached. */
  tags: readonly string[] | null
  expires: number
}

/** A page's bytes in one encoding, with the headers about them. */
interface EncodedPage {
  body: Buffer
  head: Record<string, string>
}

/** Estimated memory of a cached page beside its body: its maps, strings and headers. */
const ENTRY_OVERHEAD_BYTES = 2000
/** A smaller body is not compressed: it fits the first packet uncompressed. */
const MIN_COMPRESS_BYTES = 1000

/** A cached page: its body in each encoding requested so far, with the headers of each. */
export class CachedPage {
  /** Weak: the same page in any encoding. */
  readonly etag: string
  /** Requested since the last eviction pass (second-chance bit). */
  isRecentlyUsed = false
  bytes: number
  private readonly identity: EncodedPage
  private readonly encoded = new Map<Encoding, EncodedPage>()
  private readonly pendingEncodings = new Map<Encoding, Promise<EncodedPage>>()
  readonly notModifiedHeaders: Record<string, string>
  readonly key: string
  readonly page: RenderedPage
  private readonly onGrow: (entry: CachedPage, bytes: number) => void

  constructor(key: string, page: RenderedPage, onGrow: (entry: CachedPage, bytes: number) => void) {
    this.key = key
    this.page = page
    this.onGrow = onGrow
    this.etag = `W/"${createHash('sha256').update(page.body).digest('base64url').slice(0, 22)}"`
    this.bytes = ENTRY_OVERHEAD_BYTES + page.body.length + key.length
    this.notModifiedHeaders = this.head()
    this.identity = { body: page.body, head: this.head('identity', page.body.length) }
    this.encoded.set('identity', this.identity)
  }

  /** The bytes and headers in `encoding`, if they are ready. */
  getEncoded(encoding: Encoding): EncodedPage | undefined {
    return this.encoded.get(encoding)
  }

  /** The same, compressed now if needed: once for all concurrent requests. */
  async getOrEncode(encoding: Encoding): Promise<EncodedPage> {
    const ready = this.encoded.get(encoding)
    if (ready) return ready
    if (encoding === 'identity' || this.page.body.length < MIN_COMPRESS_BYTES) return this.identity
    const pending = this.pendingEncodings.get(encoding) ?? this.compress(encoding)
    this.pendingEncodings.set(encoding, pending)
    return pending
  }

  private async compress(encoding: 'br' | 'gzip') {
    try {
      const body = await encodeCached(this.page.body, encoding)
      const encoded = { body, head: this.head(encoding, body.length) }
      this.encoded.set(encoding, encoded)
      this.onGrow(this, body.length)
      return encoded
    } finally {
      this.pendingEncodings.delete(encoding)
    }
  }

  private head(encoding?: Encoding, length?: number): Record<string, string> {
    const head: Record<string, string> = Object.fromEntries(this.page.headers)
    head.ETag = this.etag
    head.Vary = 'Accept-Encoding, Cookie'
    if (length !== undefined) head['Content-Length'] = String(length)
    if (encoding && encoding !== 'identity') head['Content-Encoding'] = encoding
    return head
  }
}

/** A render under way, with what has changed since it began. */
export interface InFlightRender {
  changedTags: Set<string>
  isAllChanged: boolean
}

/**
 * Cached pages by address, at most `maxBytes` of them. Eviction is second chance: a page requested since the last pass is
 * spared once. Addresses that are requested a single time therefore evict each other, and no popular page.
 */
export class PageStore {
  readonly counts = { hits: 0, unchanged: 0, misses: 0, kept: 0, outdated: 0, dropped: 0, evicted: 0 }
  private readonly entries = new Map<string, CachedPage>()
  private readonly byTag = new Map<string, Set<CachedPage>>()
  private readonly inFlight = new Set<InFlightRender>()
  private totalBytes = 0
  readonly maxBytes: number

  /** @param limit bytes */
  constructor(limit: number) {
    this.maxBytes = limit
  }

  get bytes(): number {
    return this.totalBytes
  }

  get size(): number {
    return this.entries.size
  }

  get(key: string): CachedPage | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    if (entry.page.expires <= Date.now()) {
      this.remove(entry)
      return undefined
    }
    entry.isRecentlyUsed = true
    return entry
  }

  /** Whether that page is cached; does not count as a use. */
  has(key: string): boolean {
    return this.entries.has(key)
  }

  /** Registers a render: changes from now on may make its page outdated. */
  beginRender(): InFlightRender {
    const render: InFlightRender = { changedTags: new Set<string>(), isAllChanged: false }
    this.inFlight.add(render)
    return render
  }

  /** True where something that `page` shows changed while it was rendered: later requests must not get it. */
  isOutdated(render: InFlightRender, page: RenderedPage): boolean {
    return render.isAllChanged || (page.tags?.some((tag) => render.changedTags.has(tag)) ?? false)
  }

  /** Forgets a render, successful or not. */
  endRender(render: InFlightRender): void {
    this.inFlight.delete(render)
  }

  /** Caches a rendered page; one without tags, or too large, is only returned. */
  put(key: string, page: RenderedPage): CachedPage {
    const known = this.entries.get(key)
    if (known) this.remove(known)
    const entry = new CachedPage(key, page, (grown, bytes) => {
      grown.bytes += bytes
      if (this.entries.get(grown.key) !== grown) return
      this.totalBytes += bytes
      this.evictToFit()
    })
    if (page.tags === null || entry.bytes > this.maxBytes / 4) return entry
    this.entries.set(key, entry)
    this.totalBytes += entry.bytes
    this.counts.kept++
    for (const tag of page.tags) {
      const set = this.byTag.get(tag)
      if (set) set.add(entry)
      else this.byTag.set(tag, new Set([entry]))
    }
    this.evictToFit()
    return entry
  }

  /** Evicts every page with that cache tag. */
  invalidate(tag: string): void {
    for (const render of this.inFlight) render.changedTags.add(tag)
    const set = this.byTag.get(tag)
    if (!set) return
    for (const entry of set) {
      this.counts.dropped++
      this.remove(entry)
    }
  }

  /** Evicts the page at that address. */
  evict(key: string): void {
    const entry = this.entries.get(key)
    if (entry) this.remove(entry)
  }

  clear(): void {
    for (const render of this.inFlight) render.isAllChanged = true
    this.counts.dropped += this.entries.size
    this.entries.clear()
    this.byTag.clear()
    this.totalBytes = 0
  }

  private remove(entry: CachedPage): void {
    this.entries.delete(entry.key)
    this.totalBytes -= entry.bytes
    for (const tag of entry.page.tags ?? []) {
      const set = this.byTag.get(tag)
      set?.delete(entry)
      if (set?.size === 0) this.byTag.delete(tag)
    }
  }

  private evictToFit(): void {
    for (const entry of this.entries.values()) {
      if (this.totalBytes <= this.maxBytes) return
      if (entry.isRecentlyUsed) {
        entry.isRecentlyUsed = false
        // To the end of the queue; the loop meets it again, without its second chance.
        this.entries.delete(entry.key)
        this.entries.set(entry.key, entry)
      } else {
        this.counts.evicted++
        this.remove(entry)
      }
    }
  }
}
