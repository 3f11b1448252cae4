import * as z from 'zod/mini'
import { findCode } from '#lib/text/typed-code.ts'
import { normalizeRecoveryCode, RECOVERY_TEXTS } from './recovery-codes.ts'

const CODE_FORM = /^[0-9a-hjkmnp-tv-z]{16}$/

export const recoveryCodeInput = z.object({
  code: z.string(RECOVERY_TEXTS.bad).check(
    z.overwrite((typed) => findCode(typed, CODE_FORM, normalizeRecoveryCode) ?? ''),
    z.regex(CODE_FORM, RECOVERY_TEXTS.bad),
  ),
})
