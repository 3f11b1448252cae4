import * as z from 'zod/mini'
import type { Provider } from '#lib/auth/oauth-providers.ts'

/** How long somebody may take at the provider, seconds. */
export const FLOW_TTL_SECONDS = 600

const flowSchema = z.object({
  /** Comes back with the answer: it must be this browser's. */
  state: z.string(),
  /** The PKCE verifier: a stolen code is worth nothing without it. */
  verifier: z.string(),
  /** Stands in the ID token; providers that are not OpenID have none. */
  nonce: z.optional(z.string()),
  /** The member who only proves that it is still them who sits there. */
  proves: z.optional(z.string()),
  /** Milliseconds. */
  until: z.number(),
})

/** What this browser must show when it comes back from the provider. */
export type Flow = z.output<typeof flowSchema>

/** The cookie of a flow; `__Host-` keeps other hosts of the domain from planting one, which needs https. */
export const flowCookieName = (provider: Provider, secure: boolean): string =>
  `${secure ? '__Host-' : ''}perrario-entrada-${provider}`

/** Null for what is missing, unreadable or too old. */
export function parseFlow(cookie: string | undefined, now = Date.now()): Flow | null {
  try {
    const found = flowSchema.parse(JSON.parse(cookie ?? ''))
    return found.until > now ? found : null
  } catch {
    return null
  }
}
