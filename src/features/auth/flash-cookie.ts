import * as z from 'zod/mini'
import { PROVIDERS } from '#lib/auth/oauth-providers.ts'

/**
 * What a sign-in form sent without script must remember over its redirect: the address typed (so that the page with
 * the code field knows it) and the sentence to show; and why a provider's sign-in failed (oauth/failure.ts). It lives in a cookie, because an address in the URL would end up
 * in histories and logs.
 */
const failure = z.object({
  provider: z.enum(PROVIDERS),
  kind: z.enum(['refused', 'cancelled', 'failed']),
  message: z.string(),
})
const schema = z.object({
  email: z.catch(z.string(), ''),
  error: z.catch(z.string(), ''),
  failure: z.catch(z.optional(failure), undefined),
})
export type FlashState = z.output<typeof schema>

/** `__Host-`: no other host of the domain may put words on the sign-in page. */
export const flashCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}perrario-entrada`

export const serializeFlash = (memory: FlashState): string => encodeURIComponent(JSON.stringify(memory))

/** Anything unreadable counts as nothing remembered. */
export function parseFlash(cookie: string | undefined): FlashState {
  try {
    return schema.parse(JSON.parse(decodeURIComponent(cookie ?? '')))
  } catch {
    return { email: '', error: '' }
  }
}
