import * as z from 'zod/mini'
import { normalizeRecoveryCode, RECOVERY_TEXTS } from './recovery-codes.ts'

export const recoveryCodeInput = z.object({
  code: z
    .string(RECOVERY_TEXTS.bad)
    .check(
      z.maxLength(100, RECOVERY_TEXTS.bad),
      z.overwrite(normalizeRecoveryCode),
      z.regex(/^[0-9a-hjkmnp-tv-z]{16}$/, RECOVERY_TEXTS.bad),
    ),
})
