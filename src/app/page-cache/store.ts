import { createHash } from 'node:crypto'
import { encode, type Encoding } from './encoding.ts'

/** A page as it was rendered. `expires` in milliseconds; Infinity: until something it shows changes. */
export interface Rendered {
  status: number
  /** Of the answer, without those about its bytes. */
  headers: readonly (readonly [string, string])[]
  body: Buffer
  /** Null: it is nobody else's to see, or says nothing about what it shows. */
  tags: readonly string[] | null
  expires: number
}

/** What a kept page weighs beside its bytes, roughly: its maps, strings and headers. */
const OVERHEAD = 2000
/** Smaller than this nothing is packed: it fits the first packet as it is. */
const WORTH_PACKING = 1000

/** A kept page: its bytes in each encoding that somebody asked for, with the headers of each ready to be written. */
export class Entry {
  /** Weak: the same page in any encoding. */
  readonly etag: string
  /** Asked for since the store last looked for something to drop. */
  used = false
  bytes: number
  private readonly made = new Map<Encoding, { body: Buffer; head: Record<string, string> }>()
  private readonly making = new Map<Encoding, Promise<{ body: Buffer; head: Record<string, string> }>>()
  readonly unchanged: Record<string, string>
  readonly key: string
  readonly page: Rendered
  private readonly grown: (entry: Entry, bytes: number) => void

  constructor(key: string, page: Rendered, grown: (entry: Entry, bytes: number) => void) {
    this.key = key
    this.page = page
    this.grown = grown
    this.etag = `W/"${createHash('sha256').update(page.body).digest('base64url').slice(0, 22)}"`
    this.bytes = OVERHEAD + page.body.length + key.length
    this.unchanged = this.head()
    this.made.set('identity', { body: page.body, head: this.head('identity', page.body.length) })
  }

  /** The bytes and headers in `encoding`, if they are ready. */
  ready(encoding: Encoding): { body: Buffer; head: Record<string, string> } | undefined {
    return this.made.get(encoding)
  }

  /** The same, made now: once, however many ask at a time. */
  async make(encoding: Encoding): Promise<{ body: Buffer; head: Record<string, string> }> {
    const ready = this.made.get(encoding)
    if (ready || encoding === 'identity') return ready!
    if (this.page.body.length < WORTH_PACKING) return this.made.get('identity')!
    const pending = this.making.get(encoding) ?? this.compress(encoding)
    this.making.set(encoding, pending)
    return pending
  }

  private async compress(encoding: 'br' | 'gzip') {
    try {
      const body = await encode(this.page.body, encoding)
      const made = { body, head: this.head(encoding, body.length) }
      this.made.set(encoding, made)
      this.grown(this, body.length)
      return made
    } finally {
      this.making.delete(encoding)
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
export interface Flight {
  changed: Set<string>
  everything: boolean
}

/**
 * Kept pages by address, at most `limit` bytes of them. Who has been asked for since the last look is spared once when
 * room is needed (second chance), so that addresses which nobody asks for twice push out each other and not what is read.
 */
export class PageStore {
  readonly counts = { hits: 0, unchanged: 0, misses: 0, kept: 0, outdated: 0, dropped: 0, evicted: 0 }
  private readonly entries = new Map<string, Entry>()
  private readonly byTag = new Map<string, Set<Entry>>()
  private readonly flights = new Set<Flight>()
  private total = 0
  readonly limit: number

  /** @param limit bytes */
  constructor(limit: number) {
    this.limit = limit
  }

  get bytes(): number {
    return this.total
  }

  get size(): number {
    return this.entries.size
  }

  get(key: string): Entry | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    if (entry.page.expires <= Date.now()) {
      this.remove(entry)
      return undefined
    }
    entry.used = true
    return entry
  }

  /** Whether that page is kept, without asking for it. */
  has(key: string): boolean {
    return this.entries.has(key)
  }

  /** A render begins: from here on what changes counts against what it will bring. */
  begin(): Flight {
    const flight = { changed: new Set<string>(), everything: false }
    this.flights.add(flight)
    return flight
  }

  /** True where something that `page` shows changed while it was being rendered: those who asked later must not see it. */
  isOutdated(flight: Flight, page: Rendered): boolean {
    return flight.everything || (page.tags?.some((tag) => flight.changed.has(tag)) ?? false)
  }

  /** The render is over, well or not. */
  end(flight: Flight): void {
    this.flights.delete(flight)
  }

  /** Keeps what a render brought. */
  keep(key: string, page: Rendered): Entry {
    const known = this.entries.get(key)
    if (known) this.remove(known)
    const entry = new Entry(key, page, (grown, bytes) => {
      grown.bytes += bytes
      if (this.entries.get(grown.key) !== grown) return
      this.total += bytes
      this.makeRoom()
    })
    if (page.tags === null || entry.bytes > this.limit / 4) return entry
    this.entries.set(key, entry)
    this.total += entry.bytes
    this.counts.kept++
    for (const tag of page.tags) {
      const set = this.byTag.get(tag)
      if (set) set.add(entry)
      else this.byTag.set(tag, new Set([entry]))
    }
    this.makeRoom()
    return entry
  }

  /** Drops every page that shows what `tag` names. */
  invalidate(tag: string): void {
    for (const flight of this.flights) flight.changed.add(tag)
    const set = this.byTag.get(tag)
    if (!set) return
    for (const entry of set) {
      this.counts.dropped++
      this.remove(entry)
    }
  }

  /** Drops the page at that address. */
  forget(key: string): void {
    const entry = this.entries.get(key)
    if (entry) this.remove(entry)
  }

  clear(): void {
    for (const flight of this.flights) flight.everything = true
    this.counts.dropped += this.entries.size
    this.entries.clear()
    this.byTag.clear()
    this.total = 0
  }

  private remove(entry: Entry): void {
    this.entries.delete(entry.key)
    this.total -= entry.bytes
    for (const tag of entry.page.tags ?? []) {
      const set = this.byTag.get(tag)
      set?.delete(entry)
      if (set?.size === 0) this.byTag.delete(tag)
    }
  }

  private makeRoom(): void {
    for (const entry of this.entries.values()) {
      if (this.total <= this.limit) return
      if (entry.used) {
        entry.used = false
        // To the end of the line; the loop meets it again, without its chance.
        this.entries.delete(entry.key)
        this.entries.set(entry.key, entry)
      } else {
        this.counts.evicted++
        this.remove(entry)
      }
    }
  }
}
