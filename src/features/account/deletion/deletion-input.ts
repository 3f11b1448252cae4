import * as z from 'zod/mini'
import { DELETION_TEXTS } from './deletion.ts'

/** Input of undoing a deletion: by the secret of the mailed link, or by the session of who signed in. */
export const restoreInput = z.object({
  token: z.optional(z.string(DELETION_TEXTS.dead).check(z.regex(/^[\w-]{1,100}$/, DELETION_TEXTS.dead))),
})
