import { hash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { loadFrameMember } from '#features/account/frame-member.server.ts'
import { findSessionHolder } from '#features/auth/sessions/sessions.server.ts'
import { followKey } from '#features/follows/follows.ts'
import { findFollowedBreeds } from '#features/follows/follows.server.ts'
import { fingerprintLikes, UNKNOWN_LIKES } from '#features/likes/likes.ts'
import { findBlockedIds } from '#features/moderation/visibility.server.ts'
import { hasOwnPartsOnDogs } from '#features/reports/hidden/own-parts.server.ts'
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
  /** All dogs that the member likes; null where they are too many to read for each page, or on PostgreSQL. */
  liked: ReadonlySet<string> | null
}

/** What pages that name members depend on besides. */
export interface ReaderRelations {
  /** Everyone with a block between them and the member. */
  blockedIds: ReadonlySet<string>
  /** Whether dogs' pages may show them what nobody else sees. */
  hasOwnParts: boolean
}

/** Of the hash of a member's texts: 16 characters. */
const FINGERPRINT_BYTES = 12

/**
 * Who the member is whose session `token` opens, and what pages show of them, read anew for each page.
 * @returns `ended` for no session; null for one that is to be renewed, and for a member without profile: Astro's middleware does both
 */
export async function readMemberState(
  db: Db,
  token: string,
  adminEmail: string | undefined,
): Promise<MemberState | 'ended' | null> {
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
  return {
    userId,
    texts,
    fingerprint: hash('sha256', JSON.stringify(texts), 'buffer').toString('base64url', 0, FINGERPRINT_BYTES),
    isAdmin: isAdmin(member, adminEmail),
    liked,
  }
}

/** A member's relations to others and to dogs. */
export const readRelations = async (db: Db, userId: string): Promise<ReaderRelations> => ({
  blockedIds: await findBlockedIds(db, userId),
  hasOwnParts: await hasOwnPartsOnDogs(db, userId),
})

/** Which of these follow buttons' targets the member follows. Shared pages have buttons of breeds alone. */
export async function findFollowed(
  db: Db,
  { userId }: MemberState,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  return new Set([...(await findFollowedBreeds(db, userId))].map((id) => followKey({ kind: 'breed', id })))
}
