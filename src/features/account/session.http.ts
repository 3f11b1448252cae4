import { lastEventId } from '#features/live/live.server.ts'
import { countUnread } from '#features/notifications/notifications.server.ts'
import { getDb } from '#server/db.ts'
import { endpoint } from '#server/http.ts'
import { memberCounts } from './counts.server.ts'

/**
 * GET /api/session: who is asking, with what the frame shows of them: the sidebar's counts, the bell's unread lines and the
 * number of the newest event, from which the page listens on. Of nobody there is nothing more to say.
 */
export const session = endpoint(async ({ locals: { user, expiresAt } }) => {
  if (!user) return { user, expiresAt }
  const live = await lastEventId(getDb())
  const unread = await countUnread(getDb(), user.id)
  return { user, expiresAt, counts: await memberCounts(getDb(), user.id), unread, live }
})
