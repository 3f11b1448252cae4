import * as z from 'zod/mini'
import { TRAP } from '#lib/trap.ts'
import { EMAIL_LIMIT, emailError, keptEmail, TEXTS } from './sign-in.ts'

// Apart from sign-in.ts, so that the sign-in screens need no schema library in the browser.

/** An address as it is kept. What is wrong with it is asked first: folding may hide it. */
const email = z.string({ error: (issue) => (issue.input == null ? TEXTS.blankEmail : TEXTS.badEmail) }).check(
  z.maxLength(4 * EMAIL_LIMIT, TEXTS.badEmail),
  (given) => {
    const message = emailError(given.value)
    if (message) given.issues.push({ code: 'custom', message, input: given.value })
  },
  z.overwrite(keptEmail),
)

/** Six digits; spaces that a person or an autofill puts between them do no harm. */
const code = z.string(TEXTS.badCode).check(
  z.maxLength(100, TEXTS.badCode),
  z.overwrite((typed) => typed.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, TEXTS.badCode),
)

/** Who fills in the trap is told what everyone is told, without a mail. */
export const magicLinkInput = z.object({ email, [TRAP]: z.optional(z.string()) })
export const codeInput = z.object({ email, code })
export const confirmInput = z.object({ code })
/** 32 bytes in base64url; anything else was never ours. */
export const linkInput = z.object({ token: z.string(TEXTS.deadLink).check(z.regex(/^[\w-]{43}$/, TEXTS.deadLink)) })
