import { createHash } from 'node:crypto'
import { encodeCached, type Encoding } from './encoding.ts'
import { type StoredPage, TaggedStore } from './tagged-store.ts'

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
export class CachedPage implements StoredPage {
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
  readonly tags: readonly string[] | null
  readonly expires: number
  private readonly onGrow: (entry: CachedPage, bytes: number) => void

  constructor(key: string, page: RenderedPage, onGrow: (entry: CachedPage, bytes: number) => void) {
    this.key = key
    this.page = page
    this.tags = page.tags
    this.expires = page.expires
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

/** Visitors' pages by address. */
export class PageStore extends TaggedStore<CachedPage> {
  /** Caches a rendered page; one without tags, or too large, is only returned. */
  put(key: string, page: RenderedPage): CachedPage {
    const entry = new CachedPage(key, page, (grown, bytes) => this.grow(grown, bytes))
    this.add(entry)
    return entry
  }
}

export type { InFlightRender } from './tagged-store.ts'
