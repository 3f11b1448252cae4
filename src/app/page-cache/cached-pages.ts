import { createHash } from 'node:crypto'
import { encodeCached, type Encoded, negotiateEncoding } from '#server/encoding.ts'
import type { RenderedPage } from './page-store.ts'
import { PageTemplate } from './template.ts'

/** Estimated memory of a page beside its bytes: its maps, strings and headers. */
const ENTRY_OVERHEAD_BYTES = 2000
/** The memory of a page's bytes as a multiple of them: both compressed bodies have at most half of the plain one, a template's parts a quarter. */
const BODIES_SHARE = 1.5
const PARTS_SHARE = 1.25

/** A page as it is cached. */
abstract class CachedPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Of the bytes before they are encoded, without quotes: it is sent as a weak tag. */
  readonly etag: string
  /** Estimated memory. */
  readonly bytes: number

  constructor(key: string, { status, headers, body }: RenderedPage, share: number) {
    this.status = status
    this.headers = { ...Object.fromEntries(headers), Vary: 'Accept-Encoding, Cookie' }
    this.etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    this.bytes = ENTRY_OVERHEAD_BYTES + key.length + Math.ceil(body.length * share)
  }
}

/** A page that all visitors share: its body in each encoding requested so far. */
export class VisitorPage extends CachedPage {
  readonly #plain: Buffer
  readonly #encoded = new Map<string, Promise<Encoded>>()

  constructor(key: string, rendered: RenderedPage) {
    super(key, rendered, BODIES_SHARE)
    this.#plain = rendered.body
  }

  /** The bytes for an `Accept-Encoding` header, compressed once for all requests. */
  encode(accept: string | undefined): Promise<Encoded> {
    const encoding = negotiateEncoding(accept)
    const encoded = this.#encoded.get(encoding) ?? encodeCached(this.#plain, encoding)
    this.#encoded.set(encoding, encoded)
    encoded.catch(() => this.#encoded.delete(encoding))
    return encoded
  }
}

const ID = '([0-9a-f]{8}-[0-9a-f-]{27})'
/** Where a page says whose dog it shows: to them it is another page. */
const OWNER = new RegExp(`data-(?:owner|discoverer)="${ID}`, 'g')
/** Where it names anybody: to whom has a block with them it is another page. */
const PERSON = new RegExp(`(?:/usuario/|data-(?:owner|discoverer|liker)=")${ID}`, 'g')
/** The ids that a pattern finds; copies, since V8 holds a part of a longer text together with all of that. */
const findIds = (html: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...html.matchAll(pattern)].map(([, id]) => Buffer.from(id ?? '').toString()))

/** A page for all members, filled in for each of them. */
export class MemberPage extends CachedPage {
  readonly template: PageTemplate
  readonly owners: ReadonlySet<string>
  readonly people: ReadonlySet<string>

  constructor(key: string, rendered: RenderedPage) {
    super(key, rendered, PARTS_SHARE)
    const html = rendered.body.toString()
    this.template = new PageTemplate(html)
    this.owners = findIds(html, OWNER)
    this.people = findIds(html, PERSON)
  }
}
