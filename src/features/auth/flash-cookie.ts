import * as z from 'zod/mini'
import { PROVIDERS } from '#lib/auth/oauth-providers.ts'

/**
 * State that a sign-in form sent without script carries over its redirect: the typed e-mail address (for the page with the
 * code field), the error to show, why a provider's sign-in failed (oauth/oauth.ts), and what a visitor was about to do when
 * they were asked to sign in; of other forms what was typed. It is a cookie because addresses and places of people in the URL would
 * end up in histories and logs.
 */
const failureSchema = z.object({
  provider: z.enum(PROVIDERS),
  kind: z.enum(['refused', 'cancelled', 'failed']),
  message: z.string(),
})
/** An opinion's reason with its breed, four times as long as a person counts it. */
export const TYPED_MAX_CODE_UNITS = 1000

export const INTENT_TEXT = 'Tu comentario es demasiado largo.'
/** What a visitor was about to do: like a dog, comment on it, or follow a member, a breed or a zone. */
export const intentSchema = z.object({
  act: z.enum(['like', 'comment', 'member', 'breed', 'zone'], 'Eso no se puede hacer.'),
  id: z.string('Di de qué se trata.').check(z.maxLength(120, 'Di de qué se trata.')),
  text: z.optional(z.string(INTENT_TEXT).check(z.maxLength(TYPED_MAX_CODE_UNITS, INTENT_TEXT))),
})
export type Intent = z.output<typeof intentSchema>
/** One that is kept: once, by its key, and until a time, ms. */
const keptIntentSchema = z.extend(intentSchema, { key: z.string(), until: z.number() })
export type KeptIntent = z.output<typeof keptIntentSchema>

const flashSchema = z.object({
  email: z.catch(z.string(), ''),
  error: z.catch(z.string(), ''),
  failure: z.catch(z.optional(failureSchema), undefined),
  /** The oldest first. */
  intents: z.catch(z.optional(z.array(keptIntentSchema)), undefined),
  /** Until when the code is good that was mailed to `email`, ms: the page asks for it. */
  sentUntil: z.catch(z.optional(z.number()), undefined),
  /** Shown instead of that a mail was sent. */
  notice: z.catch(z.optional(z.string()), undefined),
  typed: z.catch(z.optional(z.string().check(z.maxLength(TYPED_MAX_CODE_UNITS))), undefined),
})
export type FlashState = z.output<typeof flashSchema>

const NAME = 'perrario-entrada'
/** `__Host-` keeps other hosts of the domain from putting words on the sign-in page. */
export const flashCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}${NAME}`

/** Browsers drop a cookie of more than 4 kB whole, with its name and attributes; an emoji alone is 12 bytes of it. */
const MAX_COOKIE_BYTES = 3800
/** Whether a browser keeps the cookie. Its value is encoded where it is set. */
export const fitsCookie = (flash: FlashState): boolean =>
  encodeURIComponent(JSON.stringify(flash)).length <= MAX_COOKIE_BYTES

/** An unreadable or missing cookie is an empty state. @param cookie its decoded value */
export function parseFlash(cookie: string | undefined): FlashState {
  try {
    return flashSchema.parse(JSON.parse(cookie ?? ''))
  } catch {
    return { email: '', error: '' }
  }
}
