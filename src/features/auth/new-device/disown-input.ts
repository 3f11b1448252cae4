import * as z from 'zod/mini'
import { DISOWN_TEXTS } from './new-device.ts'

/** A token: 32 bytes in base64url. */
export const disownInput = z.object({
  token: z.string(DISOWN_TEXTS.dead).check(z.regex(/^[\w-]{43}$/, DISOWN_TEXTS.dead)),
})
