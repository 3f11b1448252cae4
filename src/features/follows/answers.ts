import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** Whether the member follows the target from now on. */
export const followingAnswer = z.object({ following: z.boolean() })
