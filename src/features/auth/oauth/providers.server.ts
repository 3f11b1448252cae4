import { trimEndWhile } from '#lib/text/text.ts'
import { createHmac } from 'node:crypto'
import * as oidc from 'openid-client'
import * as z from 'zod/mini'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { emailError, normalizeEmail } from '#features/auth/sign-in/sign-in.ts'
import { createAppleSecret } from './apple-secret.server.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'

/** The person as the provider identifies them. */
export interface ProviderIdentity {
  /** The person's id at the provider. */
  id: string
  /** Normalised; null unless the provider states that it verified the address. */
  verifiedEmail: string | null
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

/** What differs between providers; client.server.ts holds what they share. */
export interface ProviderDefinition {
  openid: boolean
  /** Parameters of the authorization request. */
  params: Record<string, string>
  /** The provider's endpoints; undefined: discovered at `issuer`. */
  endpoints?: (settings: ProviderSettings) => oidc.ServerMetadata | undefined
  issuer: string
  clientAuth?: (settings: ProviderSettings) => oidc.ClientAuth | undefined
  identify: (config: oidc.Configuration, tokens: Tokens, settings: ProviderSettings) => Promise<ProviderIdentity>
}

const trimTrailingSlashes = (issuer: string) => trimEndWhile(issuer, /\//)

/** A normalised e-mail address; null for an invalid one, which cannot belong to an account. */
function tidyEmail(email: unknown): string | null {
  return typeof email === 'string' && emailError(email) === null ? normalizeEmail(email) : null
}

type Claims = NonNullable<ReturnType<Tokens['claims']>>

/**
 * Identifies by the ID token, for both OpenID providers. Apple sometimes writes `email_verified` as text.
 * @param isAuthoritative whether the provider may vouch for the address today
 */
const identifyByIdToken =
  (isAuthoritative: (email: string, claims: Claims) => boolean): ProviderDefinition['identify'] =>
  async (_, tokens) => {
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    const isVerified = claims.email_verified === true || claims.email_verified === 'true'
    const email = isVerified ? tidyEmail(claims.email) : null
    return { id: claims.sub, verifiedEmail: email !== null && isAuthoritative(email, claims) ? email : null }
  }

/**
 * Google is authoritative for its own mailboxes and for those of a domain that it hosts for an organisation (`hd`). It verified
 * any other address once, perhaps years ago, by a mail: only a mail of ours can prove who holds it today.
 */
function isGoogleHosted(email: string, { hd }: Claims): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return /^(gmail|googlemail)\.com$/.test(domain) || (typeof hd === 'string' && hd.toLowerCase() === domain)
}

/** Requests `address` (GET) with the person's access token. */
const fetchAsUser = (config: oidc.Configuration, tokens: Tokens, address: string): Promise<Response> => {
  const headers = new Headers({ Accept: 'application/json' })
  return oidc.fetchProtectedResource(config, tokens.access_token, new URL(address), 'GET', null, headers)
}

/** @throws Error for a status other than 200, or for JSON that does not match the schema */
async function parseResponse<T extends z.ZodMiniType>(response: Response, schema: T): Promise<z.output<T>> {
  if (response.status !== 200) throw new Error(`${new URL(response.url).pathname} answered ${response.status}`)
  return schema.parse(await response.json())
}

const google: ProviderDefinition = {
  openid: true,
  issuer: 'https://accounts.google.com',
  // docs/product.md §10.3: offline access, consent prompt.
  params: { scope: 'openid email', access_type: 'offline', prompt: 'consent' },
  identify: identifyByIdToken(isGoogleHosted),
}

const APPLE_ISSUER = 'https://appleid.apple.com'

const apple: ProviderDefinition = {
  openid: true,
  issuer: APPLE_ISSUER,
  params: { scope: 'openid name email', response_mode: 'form_post' },
  // Apple's discovery document once named an issuer that its tokens did not (account.apple.com, June 2025), which locked out
  // the members of every site that used it. The endpoints are therefore fixed here; only an overridden issuer is discovered.
  endpoints: ({ issuer }) =>
    issuer === undefined
      ? {
          issuer: APPLE_ISSUER,
          authorization_endpoint: `${APPLE_ISSUER}/auth/authorize`,
          token_endpoint: `${APPLE_ISSUER}/auth/token`,
          jwks_uri: `${APPLE_ISSUER}/auth/keys`,
        }
      : undefined,
  clientAuth: ({ key }) =>
    key &&
    ((server, client, body) => {
      body.set('client_id', client.client_id)
      body.set('client_secret', createAppleSecret(key, client.client_id, server.issuer))
    }),
  identify: identifyByIdToken(() => true),
}

/** Facebook's pages and its API. Without a version Facebook uses the oldest one that the operator's app may call. */
const facebookUrls = ({ issuer }: ProviderSettings) => ({
  pages: trimTrailingSlashes(issuer ?? 'https://www.facebook.com'),
  api: trimTrailingSlashes(issuer ?? 'https://graph.facebook.com'),
})

const facebookUserSchema = z.object({ id: z.string().check(z.minLength(1)) })

const facebook: ProviderDefinition = {
  openid: false,
  issuer: 'https://www.facebook.com',
  // Does not request the address: Facebook does not state whether it verified it, so it could not be used.
  params: { scope: 'public_profile' },
  endpoints: (settings) => {
    const { pages, api } = facebookUrls(settings)
    return {
      issuer: pages,
      authorization_endpoint: `${pages}/dialog/oauth`,
      token_endpoint: `${api}/oauth/access_token`,
    }
  },
  identify: async (config, tokens, settings) => {
    // appsecret_proof: an app may be configured to require it, so that a stolen token is useless without the secret.
    const proof = createHmac('sha256', settings.clientSecret ?? '')
      .update(tokens.access_token)
      .digest('hex')
    const address = `${facebookUrls(settings).api}/me?fields=id&appsecret_proof=${proof}`
    const { id } = await parseResponse(await fetchAsUser(config, tokens, address), facebookUserSchema)
    return { id, verifiedEmail: null }
  },
}

/** github.com has its API on a separate host, GitHub Enterprise under a path. */
const githubUrls = ({ issuer }: ProviderSettings) => ({
  pages: trimTrailingSlashes(issuer ?? 'https://github.com'),
  api: issuer === undefined ? 'https://api.github.com' : `${trimTrailingSlashes(issuer)}/api/v3`,
})

const githubUserSchema = z.object({ id: z.number() })
const githubEmailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

const github: ProviderDefinition = {
  openid: false,
  issuer: 'https://github.com',
  params: { scope: 'user:email' },
  endpoints: (settings) => {
    const { pages } = githubUrls(settings)
    return {
      issuer: `${pages}/login/oauth`,
      authorization_endpoint: `${pages}/login/oauth/authorize`,
      token_endpoint: `${pages}/login/oauth/access_token`,
    }
  },
  identify: async (config, tokens, settings) => {
    const { api } = githubUrls(settings)
    const { id } = await parseResponse(await fetchAsUser(config, tokens, `${api}/user`), githubUserSchema)
    const response = await fetchAsUser(config, tokens, `${api}/user/emails`)
    // GitHub answers 403 or 404 to an app without access to addresses: the account is then created without one.
    const emails = [403, 404].includes(response.status) ? [] : await parseResponse(response, githubEmailsSchema)
    const primary = emails.find((entry) => entry.primary && entry.verified)
    return { id: String(id), verifiedEmail: tidyEmail(primary?.email) }
  },
}

export const PROVIDER_DEFINITIONS: Record<Provider, ProviderDefinition> = { google, facebook, apple, github }
