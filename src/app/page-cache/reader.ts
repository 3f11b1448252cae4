import { hash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { loadFrameMember } from '#features/account/frame-member.server.ts'
import { findSessionHolder } from '#features/auth/sessions/sessions.server.ts'
import { followKey } from '#features/follows/follows.ts'
import { findFollowedBreeds } from '#features/follows/follows.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { fingerprintLikes, UNKNOWN_LIKES } from '#features/likes/likes.ts'
import { findBlockedIds } from '#features/moderation/visibility.server.ts'
import { hasOwnPartsOnDogs } from '#features/reports/hidden/own-parts.server.ts'
import { formatFrameTexts } from '#features/account/member-frame.ts'
import { isAdmin } from '#lib/auth/current-user.ts'
import type { MemberSlot } from '#lib/member-slots.ts'
import type { MemberPage } from './cached-pages.ts'
import type { PageTemplate } from './template.ts'

/** A member, as pages that are the same for all members show them. */
export interface PageReader {
  userId: string
  isAdmin: boolean
  texts: Readonly<Record<Exclude<MemberSlot, 'live'>, string>>
  /** Identifies the content of `texts`. */
  fingerprint: string
  /** All dogs that they like; null where they are too many to read for each page, or on PostgreSQL. */
  liked: ReadonlySet<string> | null
}

/** Of the hash of a member's texts: 16 characters. */
const FINGERPRINT_BYTES = 12

/**
 * Who the member is whose session `token` opens, and what pages show of them, read anew for each page.
 * @returns `ended` for no session; null for one that is to be renewed, and for a member whose profile is missing or hidden: Astro's middleware does both
 */
export async function findReader(
  db: Db,
  token: string,
  adminEmail: string | undefined,
): Promise<PageReader | 'ended' | null> {
  const session = await findSessionHolder(db, token)
  if (!session || session === 'ended') return session
  const { userId } = session
  const member = await loadFrameMember(db, userId)
  if (!member) return null
  const { alias, emoji, liked } = member
  if (alias === null || emoji === null) return null
  const texts = {
    ...formatFrameTexts({ ...member, alias, emoji }, member.unread),
    liked: liked ? fingerprintLikes(liked) : UNKNOWN_LIKES,
  }
  const fingerprint = hash('sha256', JSON.stringify(texts), 'buffer').toString('base64url', 0, FINGERPRINT_BYTES)
  return { userId, isAdmin: isAdmin(member, adminEmail), texts, fingerprint, liked }
}

/**
 * Whether a page is the same for this member as for all others: the dog is not theirs, and nobody is named with a block between them. A
 * dog's page may also have what nobody else sees there: a hidden comment of theirs, their request for ownership.
 */
export async function isSharedWith(db: Db, { userId }: PageReader, { owners, people }: MemberPage, isOfDog: boolean) {
  if (owners.has(userId)) return false
  if (people.size > 0 && !people.isDisjointFrom(await findBlockedIds(db, userId))) return false
  return !isOfDog || !(await hasOwnPartsOnDogs(db, userId))
}

/** The states of a page's switches for this member. Shared pages have follow buttons of breeds alone. */
export async function readSwitches(db: Db, { userId, liked }: PageReader, { keys }: PageTemplate) {
  const follow = keys.follow.length > 0 ? [...(await findFollowedBreeds(db, userId))] : []
  return {
    like: liked ?? (await filterLikedIds(db, userId, keys.like)),
    follow: new Set(follow.map((id) => followKey({ kind: 'breed', id }))),
    comment: new Set([userId]),
  }
}
