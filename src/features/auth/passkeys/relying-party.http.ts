import type { APIContext } from 'astro'
import { availableProviders } from '#lib/auth/oauth-providers.ts'
import { AppError } from '#lib/errors.ts'
import type { UsableWays } from '#features/auth/ways/ways.server.ts'
import { getEnv } from '#server/env.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'
import { findRelyingParty, type RelyingParty } from './relying-party.ts'

/**
 * The relying party as pages know it. They are kept for whoever asks, at whatever host: without SITE_URL they are as at localhost, and their
 * script hides what the browser at another host does not have.
 */
export const pageRelyingParty = (): RelyingParty | null => findRelyingParty(getEnv().siteUrl, 'localhost')

/** The relying party of a call. @throws AppError 503 where the site offers no passkeys */
export function requireRelyingParty({ request }: Pick<APIContext, 'request'>): RelyingParty {
  const rp = findRelyingParty(getEnv().siteUrl, request.headers.get('host'))
  if (!rp) throw new AppError(503, PASSKEY_TEXTS.unavailable)
  return rp
}

/** Which ways in the site offers. */
export const usableWays = (): UsableWays => ({
  providers: availableProviders(getEnv().oauth),
  rpId: pageRelyingParty()?.id ?? null,
})
