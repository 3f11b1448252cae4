import type { APIContext } from 'astro'
import { availableProviders } from '#lib/auth/oauth-providers.ts'
import { AppError } from '#lib/errors.ts'
import type { UsableWays } from '#features/auth/ways/ways.server.ts'
import { getEnv } from '#server/env.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'
import { findRelyingParty, type RelyingParty } from './relying-party.ts'

type Context = Pick<APIContext, 'request'>

/**
 * The relying party of a request; null where the site offers no passkeys. A page that is rendered to be kept is asked for by no host
 * (app/astro.ts): without SITE_URL it is as at localhost, and its script hides what a browser has not.
 */
export const relyingPartyOf = ({ request }: Context): RelyingParty | null =>
  findRelyingParty(getEnv().siteUrl, request.headers.get('host') ?? 'localhost')

/** @throws AppError 503 where the site offers no passkeys */
export function requireRelyingParty(context: Context): RelyingParty {
  const rp = relyingPartyOf(context)
  if (!rp) throw new AppError(503, PASSKEY_TEXTS.unavailable)
  return rp
}

/** Which ways in the site offers. */
export const usableWays = (context: Context): UsableWays => ({
  providers: availableProviders(getEnv().oauth),
  rpId: relyingPartyOf(context)?.id ?? null,
})
