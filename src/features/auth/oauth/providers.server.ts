import * as z from 'zod/mini'
import { trimEndWhile } from '#lib/text/text.ts'
import { createHmac, sign } from 'node:crypto'
import * as oidc from 'openid-client'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { emailSchema } from '#features/auth/sign-in/sign-in-input.ts'
import type { AppleKey, ProviderSettings } from '#lib/auth/oauth-settings.ts'

/** The person as the provider identifies them. */
export interface ProviderIdentity {
  /** The person's id at the provider. */
  id: string
  /** Normalised address of a mailbox that the provider itself hosts, and states that it verified; else null. */
  hostedEmail: string | null
  /** Normalised address of another mailbox that the provider once verified: it does not prove who holds it today. */
  claimedEmail: string | null
  /** When the person last signed in there, ms, where the provider says so. */
  signedInAt?: number
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

/** What differs between providers; client.server.ts holds what they share. */
export interface ProviderDefinition {
  openid: boolean
  /** Parameters of the authorization request. */
  params: Record<string, string>
  /** Further parameters that ask the provider to have the person sign in there again. */
  confirmParams?: Record<string, string>
  /** The provider's endpoints; undefined: discovered at `issuer`. */
  endpoints?: (settings: ProviderSettings) => oidc.ServerMetadata | undefined
  issuer: string
  clientAuth?: (settings: ProviderSettings) => oidc.ClientAuth | undefined
  identify: (config: oidc.Configuration, tokens: Tokens, settings: ProviderSettings) => Promise<ProviderIdentity>
}

const trimTrailingSlashes = (issuer: string) => trimEndWhile(issuer, /\//)

/** A normalised e-mail address; null for an invalid one, which cannot belong to an account. */
const tidyEmail = (email: unknown): string | null => emailSchema.safeParse(email).data ?? null

const sortEmail = (email: string | null, isHosted: boolean): Pick<ProviderIdentity, 'hostedEmail' | 'claimedEmail'> =>
  isHosted ? { hostedEmail: email, claimedEmail: null } : { hostedEmail: null, claimedEmail: email }

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

type Claims = NonNullable<ReturnType<Tokens['claims']>>

/**
 * Identifies by the ID token, for both OpenID providers. Apple sometimes writes `email_verified` as text.
 * @param isHosted whether the provider hosts the address's mailbox
 */
const identifyByIdToken =
  (isHosted: (email: string, claims: Claims) => boolean): ProviderDefinition['identify'] =>
  async (_, tokens) => {
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    const isVerified = claims.email_verified === true || claims.email_verified === 'true'
    const email = isVerified ? tidyEmail(claims.email) : null
    const { auth_time: signedIn } = claims
    return {
      id: claims.sub,
      ...sortEmail(email, email !== null && isHosted(email, claims)),
      ...(typeof signedIn === 'number' && { signedInAt: signedIn * 1000 }),
    }
  }

/**
 * Google is authoritative for its own mailboxes and for those of a domain that it hosts for an organisation (`hd`). It verified
 * any other address once, perhaps years ago, by a mail: only a mail of ours can prove who holds it today.
 */
function isGoogleHosted(email: string, { hd }: Claims): boolean {
  const domain = domainOf(email)
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
  confirmParams: { max_age: '0' },
  identify: identifyByIdToken(isGoogleHosted),
}

/** Mailboxes of iCloud, and the relay addresses of «Hide My Email». An Apple account may have any other address. */
const APPLE_DOMAINS = ['icloud.com', 'me.com', 'mac.com', 'privaterelay.appleid.com']

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
  identify: identifyByIdToken((email) => APPLE_DOMAINS.includes(domainOf(email))),
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
  confirmParams: { auth_type: 'reauthenticate' },
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
    return { id, ...sortEmail(null, false) }
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
  confirmParams: { prompt: 'select_account' },
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
    // GitHub hosts no mailboxes.
    return { id: String(id), ...sortEmail(tidyEmail(primary?.email), false) }
  },
}

export const PROVIDER_DEFINITIONS: Record<Provider, ProviderDefinition> = { google, facebook, apple, github }

/** Seconds. Every call creates a new secret, so a short life is enough. */
const SECRET_TTL_SECONDS = 300

const encodeJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Apple's client secret: a JWT that the operator's key signs (developer.apple.com, «Creating a client secret»). */
export function createAppleSecret(key: AppleKey, clientId: string, audience: string, now = Date.now()): string {
  const issuedAt = Math.floor(now / 1000)
  const claims = { iss: key.teamId, iat: issuedAt, exp: issuedAt + SECRET_TTL_SECONDS, aud: audience, sub: clientId }
  const body = `${encodeJwtPart({ alg: 'ES256', kid: key.keyId })}.${encodeJwtPart(claims)}`
  // JWTs hold the signature as r and s side by side (RFC 7518, section 3.4), not in DER.
  const signature = sign('sha256', Buffer.from(body), { key: key.pem, dsaEncoding: 'ieee-p1363' })
  return `${body}.${signature.toString('base64url')}`
}
