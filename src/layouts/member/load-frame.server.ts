import { loadFrameMember } from '#features/account/frame-member.server.ts'
import { formatFrameTexts, type FrameTexts } from '#features/account/member-frame.ts'
import { fingerprintLikes, UNKNOWN_LIKES } from '#features/likes/likes.ts'

/**
 * The frame's texts for the requester, the position of their live stream, and which dogs they like; those of the page cache where
 * it renders the page; null for a visitor.
 */
export async function loadFrame({
  db,
  user,
  frame,
  frameTexts,
}: App.Locals): Promise<(FrameTexts & { live: string; liked: string }) | null> {
  if (frameTexts) return frameTexts
  // A form of this page may just have signed them in.
  const member = user && (frame ?? (await loadFrameMember(db, user.id)))
  if (!member) return null
  const { counts, unread, live, liked } = member
  return {
    ...formatFrameTexts({ ...user, counts }, unread),
    live: String(live),
    liked: liked ? fingerprintLikes(liked) : UNKNOWN_LIKES,
  }
}
