import { getDb } from '#server/db.ts'
import { endpoint } from '#server/http.ts'
import { memberCounts } from './counts.server.ts'

/** GET /api/session: who is asking, with the counts that the sidebar shows. */
export const session = endpoint(async ({ locals: { user, expiresAt } }) => ({
  user,
  expiresAt,
  counts: user ? await memberCounts(getDb(), user.id) : null,
}))
