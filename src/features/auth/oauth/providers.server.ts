import { trimEndWhile } from '#lib/text/text.ts'
import { createHmac } from 'node:crypto'
import * as oidc from 'openid-client'
import * as z from 'zod/mini'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { emailError, normalizeEmail } from '#features/auth/sign-in/sign-in.ts'
import { createAppleSecret } from './apple-secret.server.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'

/** Who the provider says it is. */
export interface ProviderIdentity {
  /** The provider's own id of the person. */
  id: string
  /** Lower case; null unless the provider says that it checked whose address it is. */
  verifiedEmail: string | null
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

/** What is particular to one provider; client.server.ts does what they have in common. */
export interface ProviderDefinition {
  openid: boolean
  /** Parameters of the authorization request. */
  params: Record<string, string>
  /** Its endpoints. Without them they are discovered at `issuer`. */
  endpoints?: (settings: ProviderSettings) => oidc.ServerMetadata | undefined
  issuer: string
  clientAuth?: (settings: ProviderSettings) => oidc.ClientAuth | undefined
  identify: (config: oidc.Configuration, tokens: Tokens, settings: ProviderSettings) => Promise<ProviderIdentity>
}

const trimTrailingSlashes = (issuer: string) => trimEndWhile(issuer, /\//)

/** An address as it is kept, or null: what we could not send a mail to names nobody's account. */
function tidyEmail(email: unknown): string | null {
  return typeof email === 'string' && emailError(email) === null ? normalizeEmail(email) : null
}

type Claims = NonNullable<ReturnType<Tokens['claims']>>

/** Both OpenID providers say it in the ID token; Apple writes the flag as text at times. */
const identifyByIdToken =
  (answersFor: (email: string, claims: Claims) => boolean): ProviderDefinition['identify'] =>
  async (_, tokens) => {
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    const verified = claims.email_verified === true || claims.email_verified === 'true'
    const email = verified ? tidyEmail(claims.email) : null
    return { id: claims.sub, verifiedEmail: email !== null && answersFor(email, claims) ? email : null }
  }

/**
 * Google answers for its own mailboxes, and for those of the domain that it hosts for an organisation (`hd`). Of any other
 * address it checked once, perhaps years ago, that a mail arrived: whose it is today only a mail of ours can tell.
 */
function isGoogleHosted(email: string, { hd }: Claims): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return /^(gmail|googlemail)\.com$/.test(domain) || (typeof hd === 'string' && hd.toLowerCase() === domain)
}

/** GETs `address` as the person who signed in. */
const fetchAsUser = (config: oidc.Configuration, tokens: Tokens, address: string): Promise<Response> => {
  const headers = new Headers({ Accept: 'application/json' })
  return oidc.fetchProtectedResource(config, tokens.access_token, new URL(address), 'GET', null, headers)
}

/** @throws what is not the JSON expected, or no 200 */
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

const APPLE = 'https://appleid.apple.com'

const apple: ProviderDefinition = {
  openid: true,
  issuer: APPLE,
  params: { scope: 'openid name email', response_mode: 'form_post' },
  // Apple's discovery document has named an issuer that its tokens did not (account.apple.com, June 2025), and every
  // site that read it locked its people out. So the real one is written down; only an overridden one is discovered.
  endpoints: ({ issuer }) =>
    issuer === undefined
      ? {
          issuer: APPLE,
          authorization_endpoint: `${APPLE}/auth/authorize`,
          token_endpoint: `${APPLE}/auth/token`,
          jwks_uri: `${APPLE}/auth/keys`,
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

/** Facebook's pages and its API, without a version: the oldest one that the operator's app may use. */
const facebookUrls = ({ issuer }: ProviderSettings) => ({
  pages: trimTrailingSlashes(issuer ?? 'https://www.facebook.com'),
  api: trimTrailingSlashes(issuer ?? 'https://graph.facebook.com'),
})

const facebookUser = z.object({ id: z.string().check(z.minLength(1)) })

const facebook: ProviderDefinition = {
  openid: false,
  issuer: 'https://www.facebook.com',
  // No address is asked for: Facebook does not say whether it checked it, so none of its addresses would be used.
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
    // The proof that an app may be set to demand: whoever steals a token cannot use it without the secret.
    const proof = createHmac('sha256', settings.clientSecret ?? '')
      .update(tokens.access_token)
      .digest('hex')
    const address = `${facebookUrls(settings).api}/me?fields=id&appsecret_proof=${proof}`
    const { id } = await parseResponse(await fetchAsUser(config, tokens, address), facebookUser)
    return { id, verifiedEmail: null }
  },
}

/** github.com has its API on a host of its own, GitHub Enterprise under a path. */
const githubUrls = ({ issuer }: ProviderSettings) => ({
  pages: trimTrailingSlashes(issuer ?? 'https://github.com'),
  api: issuer === undefined ? 'https://api.github.com' : `${trimTrailingSlashes(issuer)}/api/v3`,
})

const githubUser = z.object({ id: z.number() })
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

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
    const { id } = await parseResponse(await fetchAsUser(config, tokens, `${api}/user`), githubUser)
    const response = await fetchAsUser(config, tokens, `${api}/user/emails`)
    // An app that may not read addresses hears 403 or 404: an account without one is better than none.
    const emails = [403, 404].includes(response.status) ? [] : await parseResponse(response, githubEmails)
    const main = emails.find((each) => each.primary && each.verified)
    return { id: String(id), verifiedEmail: tidyEmail(main?.email) }
  },
}

export const PROVIDER_DEFINITIONS: Record<Provider, ProviderDefinition> = { google, facebook, apple, github }
