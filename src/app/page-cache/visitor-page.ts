import { createHash } from 'node:crypto'
import { encodeCached, type Encoding } from './encoding.ts'
import type { CachedPage, RenderedPage } from './page-store.ts'

/** A page's bytes in one encoding, with the headers about them. */
interface EncodedPage {
  body: Buffer
  head: Record<string, string>
}

/** Estimated memory of a page beside its bodies: its maps, strings and headers. */
const ENTRY_OVERHEAD_BYTES = 2000
/** Both compressed bodies together have at most half the bytes of the plain one. */
const ENCODED_SHARE = 0.5
/** A smaller body is not compressed: it fits the first packet uncompressed. */
const MIN_COMPRESS_BYTES = 1000

/** A page that all visitors share: its body in each encoding requested so far, with the headers of each. */
export class VisitorPage implements CachedPage {
  readonly key: string
  readonly rendered: RenderedPage
  /** Weak: the same page in any encoding. */
  readonly etag: string
  readonly bytes: number
  readonly notModifiedHeaders: Record<string, string>
  readonly #ready = new Map<Encoding, EncodedPage>()
  readonly #pending = new Map<Encoding, Promise<EncodedPage>>()

  constructor(key: string, rendered: RenderedPage) {
    this.key = key
    this.rendered = rendered
    this.etag = `W/"${createHash('sha256').update(rendered.body).digest('base64url').slice(0, 22)}"`
    this.bytes = ENTRY_OVERHEAD_BYTES + key.length + Math.ceil(rendered.body.length * (1 + ENCODED_SHARE))
    this.notModifiedHeaders = this.#head()
    this.#add('identity', rendered.body)
  }

  /** The bytes and headers in `encoding`, if they are ready. */
  getEncoded(encoding: Encoding): EncodedPage | undefined {
    return this.#ready.get(this.rendered.body.length < MIN_COMPRESS_BYTES ? 'identity' : encoding)
  }

  /** The same, compressed now if needed: once for all concurrent requests. */
  async getOrEncode(encoding: Encoding): Promise<EncodedPage> {
    const ready = this.getEncoded(encoding)
    if (ready || encoding === 'identity') return ready ?? this.#add('identity', this.rendered.body)
    const pending = this.#pending.get(encoding) ?? this.#encode(encoding)
    this.#pending.set(encoding, pending)
    return pending
  }

  async #encode(encoding: 'br' | 'gzip'): Promise<EncodedPage> {
    try {
      return this.#add(encoding, await encodeCached(this.rendered.body, encoding))
    } finally {
      this.#pending.delete(encoding)
    }
  }

  #add(encoding: Encoding, body: Buffer): EncodedPage {
    const head = { ...this.#head(), 'Content-Length': String(body.length) }
    if (encoding !== 'identity') Object.assign(head, { 'Content-Encoding': encoding })
    const encoded = { body, head }
    this.#ready.set(encoding, encoded)
    return encoded
  }

  #head(): Record<string, string> {
    return { ...Object.fromEntries(this.rendered.headers), ETag: this.etag, Vary: 'Accept-Encoding, Cookie' }
  }
}
