import { createHash } from 'node:crypto'
import type { CachedPage, PageStore, RenderedPage } from '#app/page-cache/page-store.ts'
import type { UnsharedWith } from '#lib/member-slots.ts'
import type { MemberState, ReaderRelations } from './member-state.ts'
import { PageTemplate } from './template.ts'

/** Estimated memory of a page beside its parts. */
const ENTRY_OVERHEAD_BYTES = 2000

/** A page as it is rendered for all members. */
export interface RenderedTemplate extends RenderedPage {
  /** The members who get another page; null: each gets their own. */
  unsharedWith: UnsharedWith | null
}

export type MemberPages = PageStore<RenderedTemplate, MemberPage>

const NONE: readonly string[] = []
const toIds = (people: readonly (string | null)[]): ReadonlySet<string> => new Set(people.filter((id) => id !== null))

/** A page for all members: composed for each of them, or known to be another one for each. */
export class MemberPage implements CachedPage {
  readonly rendered: RenderedPage
  readonly headers: Record<string, string>
  readonly etag: string
  /** Undefined where the page is another one for each member, or is none. */
  readonly template: PageTemplate | undefined
  readonly bytes: number
  private readonly people: ReadonlySet<string>
  /** Those who are left out of the page of members with a block between them. */
  private readonly blockable: ReadonlySet<string>
  private readonly hasOwnParts: boolean

  constructor(key: string, { unsharedWith, body, ...rendered }: RenderedTemplate) {
    // The template has the text.
    this.rendered = { ...rendered, body: Buffer.alloc(0) }
    this.headers = Object.fromEntries(rendered.headers)
    this.template = unsharedWith ? new PageTemplate(body.toString()) : undefined
    this.etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    this.bytes = ENTRY_OVERHEAD_BYTES + key.length + (this.template?.bytes ?? 0)
    const { people = [], named = [] } = unsharedWith ?? {}
    this.people = toIds(people)
    this.blockable = toIds([...people, ...named])
    this.hasOwnParts = unsharedWith?.hasOwnParts ?? false
  }

  /** The dogs whose hearts the page has. */
  get dogIds(): readonly string[] {
    return this.template?.dogIds ?? NONE
  }

  /** What the page has follow buttons for. */
  get followKeys(): readonly string[] {
    return this.template?.followKeys ?? NONE
  }

  /** Whether it depends on a reader's relations to others whether they get it. */
  get dependsOnRelations(): boolean {
    return this.hasOwnParts || this.blockable.size > 0
  }

  /** Whether the page is the same for this member as for others. @param relations undefined where it depends on none */
  isSharedWith({ userId }: Pick<MemberState, 'userId'>, relations: ReaderRelations | undefined): boolean {
    if (!this.template || this.people.has(userId)) return false
    if (!relations) return true
    if (this.hasOwnParts && relations.hasOwnParts) return false
    return this.blockable.isDisjointFrom(relations.blockedIds)
  }
}
