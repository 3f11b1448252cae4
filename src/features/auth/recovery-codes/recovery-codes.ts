import * as z from 'zod/mini'
import { findCode } from '#lib/text/typed-code.ts'

/** Codes that a member gets at a time. */
export const RECOVERY_CODE_COUNT = 10
/** Characters of a code: 80 random bits, too many to guess. */
export const RECOVERY_CODE_CHARS = 16
/** Crockford's Base32, in lower case: no letter is taken for a digit. */
export const RECOVERY_CODE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Codes that one network may try: [count, seconds]. */
export const RECOVERY_RATE_LIMIT = [20, 300] as const

export const RECOVERY_TEXTS = {
  bad: 'Escribe el código entero, con sus 16 letras y cifras.',
  wrong: 'El código no es correcto. Revísalo o usa otro.',
  used: 'Este código ya se ha usado. Usa otro de tu lista.',
} as const

/** A code as people copy it, in groups of four. */
export const formatRecoveryCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? ''

/** A typed code without separators, with the letters that Crockford's Base32 reads as digits. */
export const normalizeRecoveryCode = (typed: string): string =>
  typed
    .toLowerCase()
    .replace(/[\s\-–—.]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')

const CODE_FORM = /^[0-9a-hjkmnp-tv-z]{16}$/

export const recoveryCodeInput = z.object({
  code: z.string(RECOVERY_TEXTS.bad).check(
    z.overwrite((typed) => findCode(typed, CODE_FORM, normalizeRecoveryCode) ?? ''),
    z.regex(CODE_FORM, RECOVERY_TEXTS.bad),
  ),
})
