import * as oidc from 'openid-client'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { FLOW_TTL_SECONDS, type Flow } from './flow.ts'
import { type ProviderIdentity, PROVIDER_DEFINITIONS } from './providers.server.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'

// What the four flows have in common, done by openid-client: PKCE, state, nonce, the code's exchange, ID tokens.

/** A provider that takes longer than this to answer is down, seconds. */
const PROVIDER_TIMEOUT_SECONDS = 10
/** How far a provider's clock may be off ours, seconds. */
const CLOCK_TOLERANCE_SECONDS = 30
/** What a provider says of itself is asked for anew after this, ms. */
const CONFIG_TTL_MS = 3_600_000

const configs = new Map<string, { config: Promise<oidc.Configuration>; until: number }>()

/** The provider's endpoints and keys; discovered once, and again after a failure. */
function getConfig(provider: Provider, settings: ProviderSettings): Promise<oidc.Configuration> {
  const name = `${provider} ${settings.clientId} ${settings.issuer}`
  const known = configs.get(name)
  if (known && known.until > Date.now()) return known.config
  const config = createConfig(provider, settings)
  configs.set(name, { config, until: Date.now() + CONFIG_TTL_MS })
  config.catch(() => configs.delete(name))
  return config
}

async function createConfig(provider: Provider, settings: ProviderSettings): Promise<oidc.Configuration> {
  const recipe = PROVIDER_DEFINITIONS[provider]
  const { clientId, clientSecret, issuer = recipe.issuer } = settings
  const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const auth = recipe.clientAuth?.(settings)
  // Only an address that the operator wrote may be plain http: a provider on the same machine.
  const plain = issuer.startsWith('http:')
  const endpoints = recipe.endpoints?.(settings)
  const config = endpoints
    ? new oidc.Configuration(endpoints, clientId, metadata, auth)
    : await oidc.discovery(new URL(issuer), clientId, metadata, auth, {
        timeout: PROVIDER_TIMEOUT_SECONDS,
        execute: plain ? [oidc.allowInsecureRequests] : [],
      })
  config.timeout = PROVIDER_TIMEOUT_SECONDS
  if (endpoints && plain) oidc.allowInsecureRequests(config)
  // The signature too, though the token comes straight from the provider: where that is plain http, it is all we have.
  if (recipe.openid) oidc.enableNonRepudiationChecks(config)
  return config
}

/**
 * Where to send the browser, and what it must show when it comes back.
 * @throws when the provider cannot be reached
 */
export async function startFlow(
  provider: Provider,
  settings: ProviderSettings,
  redirectUri: string,
): Promise<{ url: URL; flow: Flow }> {
  const { openid, params } = PROVIDER_DEFINITIONS[provider]
  const config = await getConfig(provider, settings)
  const flow: Flow = {
    state: oidc.randomState(),
    verifier: oidc.randomPKCECodeVerifier(),
    ...(openid && { nonce: oidc.randomNonce() }),
    until: Date.now() + FLOW_TTL_SECONDS * 1000,
  }
  const url = oidc.buildAuthorizationUrl(config, {
    ...params,
    redirect_uri: redirectUri,
    state: flow.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(flow.nonce && { nonce: flow.nonce }),
  })
  return { url, flow }
}

/** Thrown by `finishFlow` where the provider itself answers with an error. */
export class ProviderRefusal extends Error {
  readonly code: string
  readonly description: string | undefined

  constructor(code: string, description: string | undefined) {
    super(`${code}: ${description}`)
    this.code = code
    this.description = description
  }
}

/**
 * Turns what the provider sent the browser back with into who it is.
 * @param answer the parameters of the callback
 * @throws ProviderRefusal, and whatever else proves wrong: state, nonce, issuer, signature, code, network
 */
export async function finishFlow(
  provider: Provider,
  settings: ProviderSettings,
  redirectUri: string,
  answer: URLSearchParams,
  flow: Flow,
): Promise<ProviderIdentity> {
  const config = await getConfig(provider, settings)
  const url = new URL(redirectUri)
  url.search = answer.toString()
  const checks: oidc.AuthorizationCodeGrantChecks = {
    expectedState: flow.state,
    pkceCodeVerifier: flow.verifier,
    ...(flow.nonce && { expectedNonce: flow.nonce }),
    idTokenExpected: PROVIDER_DEFINITIONS[provider].openid,
  }
  try {
    const tokens = await oidc.authorizationCodeGrant(config, url, checks)
    return await PROVIDER_DEFINITIONS[provider].identify(config, tokens, settings)
  } catch (error) {
    if (error instanceof oidc.AuthorizationResponseError)
      throw new ProviderRefusal(error.error, error.error_description)
    throw error
  }
}
