import * as z from 'zod/mini'
import { authenticationSchema } from '#features/auth/passkeys/passkey-input.ts'
import { confirmInput } from '#features/auth/sign-in/sign-in-input.ts'

/** A proof of identity, or none: then a code is mailed. */
export const confirmIdentityInput = z.object({
  passkey: z.optional(authenticationSchema),
  code: z.optional(confirmInput.shape.code),
})
