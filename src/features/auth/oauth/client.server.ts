import * as oidc from 'openid-client'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { FLOW_TTL_SECONDS, type Flow } from './flow.ts'
import { type ProviderIdentity, PROVIDER_DEFINITIONS } from './providers.server.ts'
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
  try {
    const tokens = await oidc.authorizationCodeGrant(config, url, checks)
    return await PROVIDER_DEFINITIONS[provider].identify(config, tokens, settings)
  } catch (error) {
    if (error instanceof oidc.AuthorizationResponseError)
      throw new ProviderRefusal(error.error, error.error_description)
    throw error
  }
}
