import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { loadFrameMember } from '#features/account/member-counts.server.ts'
import { findSessionHolder, type SessionHolder, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { followKey } from '#features/follows/follows.ts'
import { findFollowedBreeds } from '#features/follows/follows.server.ts'
import { fingerprintLikes, UNKNOWN_LIKES } from '#features/likes/likes.ts'
import { findAllLikedIds } from '#features/likes/likes-fingerprint.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { findBlockedIds } from '#features/moderation/blocks.server.ts'
import { countUnread } from '#features/notifications/notifications.server.ts'
import { hasOwnPartsOnDogs } from '#features/reports/quarantine/own-parts.server.ts'
import { formatFrameTexts } from '#features/account/member-frame.ts'
import { isAdmin } from '#lib/auth/current-user.ts'
import type { MemberSlot } from '#lib/member-slots.ts'

/** What slots show of a member. */
export type ReaderTexts = Readonly<Record<Exclude<MemberSlot, 'live'>, string>>

/** What pages that are the same for all members depend on besides. */
export interface MemberState {
  userId: string
  texts: ReaderTexts
  /** Identifies the content of `texts`. */
  fingerprint: string
  isAdmin: boolean
  /** All dogs that the member likes; null where there are too many to remember, or nothing is remembered. */
  liked: ReadonlySet<string> | null
  /** The breeds that the member follows, as `followKey` writes them; null where nothing is remembered. */
  followed: ReadonlySet<string> | null
  /** Everyone with a block between them and the member. */
  blockedIds: ReadonlySet<string>
  hasOwnParts: boolean
}

/** What a state is made of, each read by a statement of its own: a change of one leaves the others as they are. */
interface StateParts {
  member: NonNullable<Awaited<ReturnType<typeof loadFrameMember>>>
  /** Unread notifications. */
  unread: number
  liked: MemberState['liked']
  followed: MemberState['followed']
  blockedIds: MemberState['blockedIds']
  hasOwnParts: boolean
}
export type StatePart = keyof StateParts

/** A state with its parts; without those that have changed since, and then without the state. */
interface RememberedState {
  state?: MemberState
  parts: Partial<StateParts>
}

/** Likes of one member that are remembered, and of all together: a remembered like takes about 100 bytes. */
const LIKES_PER_MEMBER_MAX = 2000
const LIKES_MAX = 250_000
/** A member without likes takes about as much memory as so many likes. */
const MEMBER_WEIGHT = 20
/** Of the hash of a member's texts: 16 characters. */
const FINGERPRINT_BYTES = 12
/** Sessions that are remembered, of about 300 bytes. */
const SESSIONS_MAX = 50_000
/** Members whose last write is remembered. It matters while a stale page may be sent (STALE_MAX_MS, member-page.ts). */
const WRITES_MAX = 50_000

/** A read under way, and whether what it reads has changed since it began. */
interface PendingRead {
  key: string
  isOutdated: boolean
}

/**
 * Who a session's member is and what pages show of them. On SQLite, where one process writes, it is remembered until a row of theirs
 * changes (member-triggers.ts); on PostgreSQL it is read at each request, since another node may have ended the session.
 */
export class MemberStates {
  readonly #db: Db
  readonly #adminEmail: string | undefined
  /** Whether what is read is remembered, and told when it changes: on SQLite. */
  readonly isRemembering: boolean
  readonly #sessions = new LRUCache<string, SessionHolder>({ max: SESSIONS_MAX })
  readonly #states = new LRUCache<string, RememberedState>({
    maxSize: LIKES_MAX,
    sizeCalculation: ({ parts: { liked, followed, blockedIds } }) =>
      MEMBER_WEIGHT + (liked?.size ?? 0) + (followed?.size ?? 0) + (blockedIds?.size ?? 0),
  })
  readonly #writes = new LRUCache<string, number>({ max: WRITES_MAX })
  readonly #pending = new Set<PendingRead>()

  constructor(db: Db, adminEmail: string | undefined) {
    this.#db = db
    this.#adminEmail = adminEmail
    this.isRemembering = !isSharedByNodes(db)
  }

  /** The state of the member whose session `token` opens, if it is remembered. */
  recall(token: string): MemberState | undefined {
    const session = this.isRemembering ? this.#sessions.get(toSessionId(token)) : undefined
    return session && session.validUntil > Date.now() ? this.#states.get(session.userId)?.state : undefined
  }

  /**
   * The same, read where it is not remembered. `ended` for no session; null for one that is to be renewed, and for a member without
   * profile: Astro's middleware does both.
   */
  async find(token: string): Promise<MemberState | 'ended' | null> {
    const id = toSessionId(token)
    const remembered = this.#sessions.get(id)
    const session =
      remembered && remembered.validUntil > Date.now()
        ? remembered
        : await this.#read(
            `session ${id}`,
            () => findSessionHolder(this.#db, token),
            (found) => void (isHolder(found) && this.#sessions.set(id, found)),
          )
    if (!session || session === 'ended') return session
    const { userId } = session
    const known = this.#states.get(userId)?.state
    if (known) return known
    const loaded = await this.#read(
      userId,
      () => this.#load(userId),
      (found) => this.#states.set(userId, found),
    )
    return loaded?.state ?? null
  }

  /** Which of these dogs the member likes. */
  findLiked(
    { userId, liked }: MemberState,
    dogIds: readonly string[],
  ): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    return liked ?? filterLikedIds(this.#db, userId, dogIds)
  }

  /** Which of these follow buttons' targets the member follows. Shared pages have buttons of breeds alone. */
  findFollowed(
    { userId, followed }: MemberState,
    keys: readonly string[],
  ): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    if (keys.length === 0) return NOBODY
    return followed ?? findFollowedKeys(this.#db, userId)
  }

  /** When the member last wrote something that others see a moment later (performance.now()); -Infinity for long ago. */
  lastWriteAt = (userId: string): number => this.#writes.get(userId) ?? -Infinity

  /** Notes that the member likes or comments, now. */
  noteWrite(userId: string): void {
    this.#writes.set(userId, performance.now())
  }

  /** Forgets a part of what is remembered of the member. */
  forgetPart(userId: string, part: StatePart): void {
    const known = this.#states.get(userId)
    delete known?.state
    delete known?.parts[part]
    this.#outdate(userId)
  }

  forgetSession(id: string): void {
    this.#sessions.delete(id)
    this.#outdate(`session ${id}`)
  }

  forgetAll(): void {
    this.#sessions.clear()
    this.#states.clear()
    for (const read of this.#pending) read.isOutdated = true
  }

  #outdate(key: string): void {
    for (const read of this.#pending) if (read.key === key) read.isOutdated = true
  }

  /** Reads something and remembers it, unless it has changed meanwhile. */
  async #read<T>(key: string, read: () => Promise<T | null>, remember: (found: T) => void): Promise<T | null> {
    const pending: PendingRead = { key, isOutdated: false }
    this.#pending.add(pending)
    try {
      const found = await read()
      if (found && this.isRemembering && !pending.isOutdated) remember(found)
      return found
    } finally {
      this.#pending.delete(pending)
    }
  }

  /** Reads what is not remembered of a member. */
  async #load(userId: string): Promise<Required<RememberedState> | null> {
    const known = { ...this.#states.get(userId)?.parts }
    const member = known.member ?? (await loadFrameMember(this.#db, userId))
    if (!member) return null
    const parts: StateParts = {
      member,
      unread: known.unread ?? (await countUnread(this.#db, userId)),
      liked: known.liked === undefined ? await this.#loadLiked(userId) : known.liked,
      followed: known.followed === undefined ? await this.#loadFollowed(userId) : known.followed,
      blockedIds: known.blockedIds ?? shareEmpty(await findBlockedIds(this.#db, userId)),
      hasOwnParts: known.hasOwnParts ?? (await hasOwnPartsOnDogs(this.#db, userId)),
    }
    const { liked, followed, blockedIds, hasOwnParts } = parts
    const texts = {
      ...formatFrameTexts(member, parts.unread),
      liked: liked ? fingerprintLikes(liked) : UNKNOWN_LIKES,
    }
    const fingerprint = hash('sha256', JSON.stringify(texts), 'buffer').toString('base64url', 0, FINGERPRINT_BYTES)
    const isOfAdmin = isAdmin(member, this.#adminEmail)
    const state = { userId, texts, fingerprint, isAdmin: isOfAdmin, liked, followed, blockedIds, hasOwnParts }
    return { parts, state }
  }

  async #loadLiked(userId: string): Promise<MemberState['liked']> {
    return this.isRemembering ? shareEmpty(await findAllLikedIds(this.#db, userId, LIKES_PER_MEMBER_MAX)) : null
  }

  async #loadFollowed(userId: string): Promise<MemberState['followed']> {
    return this.isRemembering ? shareEmpty(await findFollowedKeys(this.#db, userId)) : null
  }
}

const findFollowedKeys = async (db: Db, userId: string): Promise<ReadonlySet<string>> =>
  new Set([...(await findFollowedBreeds(db, userId))].map((id) => followKey({ kind: 'breed', id })))

const NOBODY: ReadonlySet<string> = new Set()
/** One set for all who have none: thousands of members are remembered. */
const shareEmpty = <Found extends ReadonlySet<string> | null>(found: Found): Found | ReadonlySet<string> =>
  found?.size === 0 ? NOBODY : found

const isHolder = (found: SessionHolder | 'ended'): found is SessionHolder => found !== 'ended'
