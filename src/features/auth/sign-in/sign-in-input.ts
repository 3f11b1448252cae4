import * as z from 'zod/mini'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { CODE_FORM, readCode } from '#lib/text/typed-code.ts'
import { EMAIL_LIMIT, emailError, normalizeEmail, SIGN_IN_TEXTS } from './sign-in.ts'

// A file of its own, so that browser code, which imports sign-in.ts, loads no schema library.

/** Maximum length of a domain, characters in ASCII (RFC 1035 §2.3.4, without the root). */
const DOMAIN_LIMIT = 253

/**
 * A domain in ASCII: two labels or more of letters, digits and inner hyphens, each of 63 characters at most (RFC 1035 §2.3.1,
 * RFC 1123 §2.1). The last begins with a letter: an IP address is no mail domain.
 */
const DOMAIN_PATTERN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/

/** Whether DNS may hold the domain of an address that `emailError` lets pass. Its labels may be internationalised. */
function hasDomain(email: string): boolean {
  // The host of a URL is in ASCII, as DNS and mail servers read it; null for labels that have no such form.
  const domain = URL.parse(`http://${email.slice(email.lastIndexOf('@') + 1)}`)?.hostname ?? ''
  return domain.length <= DOMAIN_LIMIT && DOMAIN_PATTERN.test(domain)
}

/** A normalised address. Checked before it is normalised, which could hide an error. */
export const emailSchema = z
  .string({ error: (issue) => (issue.input == null ? SIGN_IN_TEXTS.blankEmail : SIGN_IN_TEXTS.badEmail) })
  .check(
    z.maxLength(4 * EMAIL_LIMIT, SIGN_IN_TEXTS.badEmail),
    (payload) => {
      const message = emailError(payload.value) ?? (hasDomain(payload.value.trim()) ? null : SIGN_IN_TEXTS.badEmail)
      if (message) payload.issues.push({ code: 'custom', message, input: payload.value })
    },
    z.overwrite(normalizeEmail),
  )

const codeSchema = z.string(SIGN_IN_TEXTS.badCode).check(
  z.overwrite((typed) => readCode(typed) ?? ''),
  z.regex(CODE_FORM, SIGN_IN_TEXTS.badCode),
)

/** A filled honeypot gets the usual answer, without a mail. */
export const magicLinkInput = z.object({ email: emailSchema, [HONEYPOT_FIELD]: z.optional(z.string()) })
export const codeInput = z.object({ email: emailSchema, code: codeSchema })
export const confirmInput = z.object({ code: codeSchema })
/** A token: 32 bytes in base64url. */
export const LINK_TOKEN_FORM = /^[\w-]{43}$/
export const linkInput = z.object({
  token: z.string(SIGN_IN_TEXTS.deadLink).check(z.regex(LINK_TOKEN_FORM, SIGN_IN_TEXTS.deadLink)),
})
