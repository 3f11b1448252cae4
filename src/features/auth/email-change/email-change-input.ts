import * as z from 'zod/mini'
import { emailSchema } from '#features/auth/sign-in/sign-in-input.ts'
import { EMAIL_CHANGE_TEXTS } from './email-change.ts'

export const newEmailInput = z.object({ email: emailSchema })
/** A token: 32 bytes in base64url. */
export const undoInput = z.object({
  token: z.string(EMAIL_CHANGE_TEXTS.dead).check(z.regex(/^[\w-]{43}$/, EMAIL_CHANGE_TEXTS.dead)),
})
