import * as z from 'zod/mini'
import { REVIEW_DECISIONS } from '#features/moderation/review.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `PUT /api/admin/members/{id}/verified`: whether the member is verified now. */
export const verifiedAnswer = z.object({ verified: z.boolean() })

/** `POST /api/admin/members/{id}/word` */
export const messageSentAnswer = z.object({ sent: z.literal(true) })

/** `POST /api/admin/reviews/{id}`: what was done. */
export const reviewedAnswer = z.object({ done: z.enum(REVIEW_DECISIONS) })
