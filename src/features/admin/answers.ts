import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `PUT /api/admin/members/{id}/verified`: whether the member is verified now. */
export const verifiedAnswer = z.object({ verified: z.boolean() })

/** `POST /api/admin/members/{id}/word` */
export const messageSentAnswer = z.object({ sent: z.literal(true) })
