import * as z from 'zod/mini'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { EMAIL_LIMIT, emailError, normalizeEmail, SIGN_IN_TEXTS } from './sign-in.ts'

// Apart from sign-in.ts, so that the sign-in screens need no schema library in the browser.

/** An address as it is kept. What is wrong with it is asked first: folding may hide it. */
const email = z
  .string({ error: (issue) => (issue.input == null ? SIGN_IN_TEXTS.blankEmail : SIGN_IN_TEXTS.badEmail) })
  .check(
    z.maxLength(4 * EMAIL_LIMIT, SIGN_IN_TEXTS.badEmail),
    (given) => {
      const message = emailError(given.value)
      if (message) given.issues.push({ code: 'custom', message, input: given.value })
    },
    z.overwrite(normalizeEmail),
  )

/** Six digits; spaces that a person or an autofill puts between them do no harm. */
const code = z.string(SIGN_IN_TEXTS.badCode).check(
  z.maxLength(100, SIGN_IN_TEXTS.badCode),
  z.overwrite((typed) => typed.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, SIGN_IN_TEXTS.badCode),
)

/** Who fills in the trap is told what everyone is told, without a mail. */
export const magicLinkInput = z.object({ email, [HONEYPOT_FIELD]: z.optional(z.string()) })
export const codeInput = z.object({ email, code })
export const confirmInput = z.object({ code })
/** 32 bytes in base64url; anything else was never ours. */
export const linkInput = z.object({
  token: z.string(SIGN_IN_TEXTS.deadLink).check(z.regex(/^[\w-]{43}$/, SIGN_IN_TEXTS.deadLink)),
})
