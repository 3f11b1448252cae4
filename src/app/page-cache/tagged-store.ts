import { COUNT_CHANGE_PREFIX } from '#server/cache-tags.ts'

/** What a store knows of a page. */
export interface StoredPage {
  readonly key: string
  /** Cache tags of what the page shows; null: it is not stored. */
  readonly tags: readonly string[] | null
  /** Milliseconds; Infinity: until something it shows changes. */
  readonly expires: number
  bytes: number
  /** Requested since the last eviction pass (second-chance bit). */
  isRecentlyUsed: boolean
  /** Called where nothing but counts has changed on the page. A page without it is evicted. */
  markStale?: () => void
}

/** Estimated memory of a tag: 700 bytes where no other page has it, 100 where one has. */
const TAG_BYTES = 300

/** A render under way, with what has changed since it began. */
export interface InFlightRender {
  changedTags: Set<string>
  /** Tags of what has changed by no more than counts. */
  countedTags: Set<string>
  isAllChanged: boolean
}

/**
 * Pages by address, at most `maxBytes` of them. Eviction is second chance: a page requested since the last pass is
 * spared once. Addresses that are requested a single time therefore evict each other, and no popular page.
 */
export class TaggedStore<Page extends StoredPage> {
  readonly counts = { hits: 0, unchanged: 0, misses: 0, kept: 0, outdated: 0, dropped: 0, evicted: 0 }
  private readonly entries = new Map<string, Page>()
  private readonly byTag = new Map<string, Set<Page>>()
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

  get(key: string): Page | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expires <= Date.now()) {
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
    const render: InFlightRender = {
      changedTags: new Set(),
      countedTags: new Set(),
      isAllChanged: false,
    }
    this.inFlight.add(render)
    return render
  }

  /** True where something that `page` shows changed while it was rendered: later requests must not get it. */
  isOutdated(render: InFlightRender, page: Pick<StoredPage, 'tags'>): boolean {
    return this.isReplaced(render, page) || this.isMiscounted(render, page)
  }

  /** True where more than counts changed. */
  isReplaced(render: InFlightRender, { tags }: Pick<StoredPage, 'tags'>): boolean {
    return render.isAllChanged || (tags?.some((tag) => render.changedTags.has(tag)) ?? false)
  }

  /** True where counts changed. */
  isMiscounted(render: InFlightRender, { tags }: Pick<StoredPage, 'tags'>): boolean {
    return tags?.some((tag) => render.countedTags.has(tag)) ?? false
  }

  /** Forgets a render, successful or not. */
  endRender(render: InFlightRender): void {
    this.inFlight.delete(render)
  }

  /** Stores a page, unless it has no tags or is too large. */
  protected add(entry: Page): void {
    const known = this.entries.get(entry.key)
    if (known) this.remove(known)
    const { tags } = entry
    entry.bytes += (tags?.length ?? 0) * TAG_BYTES
    if (tags === null || entry.bytes > this.maxBytes / 4) return
    this.entries.set(entry.key, entry)
    this.totalBytes += entry.bytes
    this.counts.kept++
    for (const tag of tags) {
      const set = this.byTag.get(tag)
      if (set) set.add(entry)
      else this.byTag.set(tag, new Set([entry]))
    }
    this.evictToFit()
  }

  /** Counts memory that a page has taken since it was stored. */
  protected grow(entry: Page, bytes: number): void {
    entry.bytes += bytes
    if (this.entries.get(entry.key) !== entry) return
    this.totalBytes += bytes
    this.evictToFit()
  }

  /**
   * Evicts every page with that cache tag.
   * @param change the tag; behind COUNT_CHANGE_PREFIX where only counts have changed, which some pages survive for a moment
   */
  invalidate(change: string): void {
    const isCount = change.startsWith(COUNT_CHANGE_PREFIX)
    const tag = isCount ? change.slice(COUNT_CHANGE_PREFIX.length) : change
    for (const render of this.inFlight) (isCount ? render.countedTags : render.changedTags).add(tag)
    const set = this.byTag.get(tag)
    if (!set) return
    for (const entry of set) {
      if (isCount && entry.markStale) {
        entry.markStale()
        continue
      }
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

  private remove(entry: Page): void {
    this.entries.delete(entry.key)
    this.totalBytes -= entry.bytes
    for (const tag of entry.tags ?? []) {
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
