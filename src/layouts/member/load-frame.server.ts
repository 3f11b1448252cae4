import { loadMemberCounts } from '#features/account/member-counts.server.ts'
import { findLikesFingerprint } from '#features/likes/likes-fingerprint.server.ts'
import { countUnread } from '#features/notifications/notifications.server.ts'
import { type FrameTexts, formatFrameTexts } from '#features/account/member-frame.ts'

/**
 * The frame's texts for the requester, the position of their live stream, and which dogs they like; those of the page cache where
 * it renders the page; null for a visitor.
 */
export async function loadFrame({
  db,
  user,
  live,
  frameTexts,
}: App.Locals): Promise<(FrameTexts & { live: string; liked: string }) | null> {
  if (frameTexts) return frameTexts
  if (!user) return null
  const counts = await loadMemberCounts(db, user.id)
  const texts = formatFrameTexts({ ...user, counts }, await countUnread(db, user.id))
  return { ...texts, live: String(live ?? ''), liked: await findLikesFingerprint(db, user.id) }
}
