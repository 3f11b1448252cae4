import { lastEventId } from '#features/live/live.server.ts'
import { countUnread } from '#features/notifications/notifications.server.ts'
import { endpoint } from '#server/endpoint.ts'
import { loadMemberCounts } from './member-counts.server.ts'

/**
 * GET /api/session: who is asking, with what the frame shows of them: the sidebar's counts, the bell's unread lines and the
 * number of the newest event, from which the page listens on. Of nobody there is nothing more to say.
 */
export const session = endpoint(async ({ locals: { db, user, expiresAt } }) => {
  if (!user) return { user, expiresAt }
  const live = await lastEventId(db)
  const unread = await countUnread(db, user.id)
  return { user, expiresAt, counts: await loadMemberCounts(db, user.id), unread, live }
})
