import { endpoint } from '#server/http.ts'

/** GET /api/session: who is asking. */
export const session = endpoint(({ locals: { user, expiresAt } }) => ({ user, expiresAt }))
