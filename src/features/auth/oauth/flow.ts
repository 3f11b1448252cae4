import * as z from 'zod/mini'
import type { Provider } from '#lib/auth/oauth-providers.ts'

/** Seconds a person may take at the provider. */
export const FLOW_TTL_SECONDS = 600

const flowSchema = z.object({
  /** Returned in the callback; proves that this browser began the flow. */
  state: z.string(),
  /** The PKCE verifier (RFC 7636): a stolen code is worthless without it. */
  verifier: z.string(),
  /** Included in the ID token; absent for providers without OpenID. */
  nonce: z.optional(z.string()),
  /** Id of the signed-in member who only confirms their identity; absent for a sign-in. */
  proves: z.optional(z.string()),
  /** Id of the signed-in member who links the provider to their account. */
  links: z.optional(z.string()),
  /** End of the flow, milliseconds since 1970. */
  until: z.number(),
})

/** Secrets of a flow, stored in a cookie until the callback. */
export type Flow = z.output<typeof flowSchema>

/** Name of the flow's cookie. `__Host-` keeps other hosts of the domain from planting one; it needs https. */
export const flowCookieName = (provider: Provider, secure: boolean): string =>
  `${secure ? '__Host-' : ''}perrario-entrada-${provider}`

/** Null for a missing, unreadable or expired cookie. */
export function parseFlow(cookie: string | undefined, now = Date.now()): Flow | null {
  try {
    const flow = flowSchema.parse(JSON.parse(cookie ?? ''))
    return flow.until > now ? flow : null
  } catch {
    return null
  }
}
