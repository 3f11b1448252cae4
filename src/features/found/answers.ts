import * as z from 'zod/mini'

// JSON answers of this feature's endpoints.

/** `POST /api/found`: the page of the notice, which the sender's account, or the cookie of this answer, opens. */
export const sentNoticeAnswer = z.object({ id: z.string(), path: z.string() })
