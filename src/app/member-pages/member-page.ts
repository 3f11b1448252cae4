import { createHash } from 'node:crypto'
import { TaggedStore, type StoredPage } from '#app/page-cache/tagged-store.ts'
import type { UnsharedWith } from '#lib/member-slots.ts'
import type { RenderedPage } from '#app/page-cache/store.ts'
import type { MemberState } from './member-state.ts'
import { PageTemplate } from './template.ts'

/** How long a page may show counts from before a like or a comment, ms; its writer never sees them. */
export const STALE_MAX_MS = 500

/** Estimated memory of a page beside its parts. */
const ENTRY_OVERHEAD_BYTES = 2000

/** A page as it is rendered for all members. */
export interface RenderedTemplate extends RenderedPage {
  /** The members who get another page; null: each gets their own. */
  unsharedWith: UnsharedWith | null
}

export interface MemberPageOptions {
  key: string
  page: RenderedTemplate
  /** When its render began (performance.now()). */
  renderedAt: number
  /** Position of the live streams (features/live/hub.server.ts). */
  position: () => number
}

const NONE: readonly string[] = []
const toIds = (people: readonly (string | null)[]): ReadonlySet<string> => new Set(people.filter((id) => id !== null))

/** A page for all members: composed for each of them, or known to be another one for each. */
export class MemberPage implements StoredPage {
  readonly key: string
  readonly tags: readonly string[] | null
  readonly expires: number
  readonly status: number
  readonly headers: Record<string, string>
  readonly etag: string
  /** Undefined where the page is another one for each member, or is none. */
  readonly template: PageTemplate | undefined
  readonly renderedAt: number
  bytes: number
  isRecentlyUsed = false
  /** When its counts changed (performance.now()), and how far the live streams were then. */
  private stale: { since: number; position: number } | undefined
  private readonly people: ReadonlySet<string>
  /** Those who are left out of the page of members with a block between them. */
  private readonly blockable: ReadonlySet<string>
  private readonly hasOwnParts: boolean
  private readonly position: () => number

  constructor({ key, page, renderedAt, position }: MemberPageOptions) {
    const { unsharedWith, status, headers, body, tags, expires } = page
    this.key = key
    this.tags = tags
    this.expires = expires
    this.status = status
    this.headers = Object.fromEntries(headers)
    this.template = unsharedWith ? new PageTemplate(body.toString()) : undefined
    this.etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    this.renderedAt = renderedAt
    this.bytes = ENTRY_OVERHEAD_BYTES + key.length + (this.template?.bytes ?? 0)
    const { people = [], named = [] } = unsharedWith ?? {}
    this.people = toIds(people)
    this.blockable = toIds([...people, ...named])
    this.hasOwnParts = unsharedWith?.hasOwnParts ?? false
    this.position = position
  }

  /** @param position the event up to which the page is complete */
  markStale(position = this.position()): void {
    this.stale ??= { since: performance.now(), position }
  }

  /** Whether it may be sent to a member who last wrote at `lastWriteAt` (performance.now()). */
  isUsableAfter(lastWriteAt: number): boolean {
    if (!this.stale) return true
    return lastWriteAt < this.renderedAt && performance.now() - this.stale.since < STALE_MAX_MS
  }

  /** The dogs whose hearts the page has. */
  get dogIds(): readonly string[] {
    return this.template?.dogIds ?? NONE
  }

  /** What the page has follow buttons for. */
  get followKeys(): readonly string[] {
    return this.template?.followKeys ?? NONE
  }

  /** Whether the page is the same for this member as for others. */
  isSharedWith({ userId, isAdmin, blockedIds, hasOwnParts }: MemberState): boolean {
    if (!this.template || isAdmin || this.people.has(userId) || (hasOwnParts && this.hasOwnParts)) return false
    if (blockedIds.size === 0) return true
    for (const id of this.blockable) if (blockedIds.has(id)) return false
    return true
  }

  /** The event up to which the page is complete: its reader's stream continues from there. */
  get livePosition(): number {
    return this.stale ? this.stale.position : this.position()
  }
}

/** Pages by address, or by session and address. */
export class MemberPageStore extends TaggedStore<MemberPage> {
  /** Stores a page and returns it; one that is not cached is only returned. */
  put(entry: MemberPage): MemberPage {
    this.add(entry)
    return entry
  }
}
