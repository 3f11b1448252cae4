import * as oidc from 'openid-client'
import * as z from 'zod/mini'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { PROVIDER_DEFINITIONS, type ProviderIdentity } from './providers.server.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'
import { HOUR_MS } from '#lib/time.ts'

// The part common to all four providers, done by openid-client: PKCE, state, nonce, code exchange, ID tokens.

/** Seconds after which an unanswered request to a provider fails. */
const PROVIDER_TIMEOUT_SECONDS = 10
/** Seconds that a provider's clock may differ from ours. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Milliseconds a discovered configuration is reused. */
const CONFIG_TTL_MS = HOUR_MS

const configs = new Map<string, { config: Promise<oidc.Configuration>; until: number }>()

/** The provider's endpoints and keys; discovered once per `CONFIG_TTL_MS`, and again after a failure. */
function getConfig(provider: Provider, settings: ProviderSettings): Promise<oidc.Configuration> {
  const key = `${provider} ${settings.clientId} ${settings.issuer}`
  const cached = configs.get(key)
  if (cached && cached.until > Date.now()) return cached.config
  const config = createConfig(provider, settings)
  configs.set(key, { config, until: Date.now() + CONFIG_TTL_MS })
  config.catch(() => configs.delete(key))
  return config
}

async function createConfig(provider: Provider, settings: ProviderSettings): Promise<oidc.Configuration> {
  const definition = PROVIDER_DEFINITIONS[provider]
  const { clientId, clientSecret, issuer = definition.issuer } = settings
  const metadata = {
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  }
  const auth = definition.clientAuth?.(settings)
  // Only an address that the operator configured can be plain http: a provider on the same machine.
  const isPlainHttp = issuer.startsWith('http:')
  const endpoints = definition.endpoints?.(settings)
  const config = endpoints
    ? new oidc.Configuration(endpoints, clientId, metadata, auth)
    : await oidc.discovery(new URL(issuer), clientId, metadata, auth, {
        timeout: PROVIDER_TIMEOUT_SECONDS,
        execute: isPlainHttp ? [oidc.allowInsecureRequests] : [],
      })
  config.timeout = PROVIDER_TIMEOUT_SECONDS
  if (endpoints && isPlainHttp) oidc.allowInsecureRequests(config)
  // Verifies the ID token's signature, though it comes directly from the provider: over plain http it is the only proof.
  if (definition.openid) oidc.enableNonRepudiationChecks(config)
  return config
}

/**
 * The authorization address, and the flow's secrets that the callback verifies.
 * @param isConfirmation asks the provider to have the person sign in there again
 * @throws when the provider cannot be reached
 */
export async function startFlow(
  provider: Provider,
  settings: ProviderSettings,
  redirectUri: string,
  isConfirmation = false,
): Promise<{ url: URL; flow: Flow }> {
  const { openid, params, confirmParams } = PROVIDER_DEFINITIONS[provider]
  const config = await getConfig(provider, settings)
  const flow: Flow = {
    state: oidc.randomState(),
    verifier: oidc.randomPKCECodeVerifier(),
    ...(openid && { nonce: oidc.randomNonce() }),
    until: Date.now() + FLOW_TTL_SECONDS * 1000,
  }
  const url = oidc.buildAuthorizationUrl(config, {
    ...params,
    ...(isConfirmation && confirmParams),
    redirect_uri: redirectUri,
    state: flow.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(flow.nonce && { nonce: flow.nonce }),
  })
  return { url, flow }
}

/** What `finishFlow` throws where the provider itself answers with an error: `error` and `error_description` (RFC 6749 §4.1.2.1). */
export const ProviderRefusal = oidc.AuthorizationResponseError

/**
 * Exchanges the callback's code and identifies the person.
 * @param params the callback's parameters
 * @throws ProviderRefusal; other errors for a wrong state, nonce, issuer, signature or code, and for network failures
 */
export async function finishFlow(
  provider: Provider,
  settings: ProviderSettings,
  redirectUri: string,
  params: URLSearchParams,
  flow: Flow,
): Promise<ProviderIdentity> {
  const config = await getConfig(provider, settings)
  const url = new URL(redirectUri)
  url.search = params.toString()
  const checks: oidc.AuthorizationCodeGrantChecks = {
    expectedState: flow.state,
    pkceCodeVerifier: flow.verifier,
    ...(flow.nonce && { expectedNonce: flow.nonce }),
    idTokenExpected: PROVIDER_DEFINITIONS[provider].openid,
  }
  const tokens = await oidc.authorizationCodeGrant(config, url, checks)
  return PROVIDER_DEFINITIONS[provider].identify(config, tokens, settings)
}

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
