import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** The link to a member's year: its path with the token, which is answered only once. */
export const yearLinkAnswer = z.object({ path: z.string() })
