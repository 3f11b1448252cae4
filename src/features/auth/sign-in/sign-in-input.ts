import * as z from 'zod/mini'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { EMAIL_LIMIT, emailError, normalizeEmail, SIGN_IN_TEXTS } from './sign-in.ts'

// A file of its own, so that browser code, which imports sign-in.ts, loads no schema library.

/** A normalised address. Checked before it is normalised, which could hide an error. */
const emailSchema = z
  .string({ error: (issue) => (issue.input == null ? SIGN_IN_TEXTS.blankEmail : SIGN_IN_TEXTS.badEmail) })
  .check(
    z.maxLength(4 * EMAIL_LIMIT, SIGN_IN_TEXTS.badEmail),
    (payload) => {
      const message = emailError(payload.value)
      if (message) payload.issues.push({ code: 'custom', message, input: payload.value })
    },
    z.overwrite(normalizeEmail),
  )

/** Six digits; white space is removed. */
const codeSchema = z.string(SIGN_IN_TEXTS.badCode).check(
  z.maxLength(100, SIGN_IN_TEXTS.badCode),
  z.overwrite((typed) => typed.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, SIGN_IN_TEXTS.badCode),
)

/** A filled honeypot gets the usual answer, without a mail. */
export const magicLinkInput = z.object({ email: emailSchema, [HONEYPOT_FIELD]: z.optional(z.string()) })
export const codeInput = z.object({ email: emailSchema, code: codeSchema })
export const confirmInput = z.object({ code: codeSchema })
/** A token: 32 bytes in base64url. */
export const linkInput = z.object({
  token: z.string(SIGN_IN_TEXTS.deadLink).check(z.regex(/^[\w-]{43}$/, SIGN_IN_TEXTS.deadLink)),
})
