import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { type Configuration, Provider } from 'oidc-provider'
import { startStubServer } from '#tests/support/stubs/stub-server.ts'
import { type CookieJar, submitForm } from './cookie-jar.ts'

/** Somebody with an account at the provider; the name they log in with is the `sub`. */
export interface OidcPerson {
  email?: string
  email_verified?: boolean | string
  /** The domain that Google hosts for the person's organisation. */
  hd?: string
}

export interface OidcServer {
  issuer: string
  /** Who may log in; anybody else may too, without an address. */
  people: Record<string, OidcPerson>
  /** The requests it was sent, newest last: `GET /auth?…`. */
  requests: string[]
  /** The client's callback: known only once the site runs, whose environment names this provider. */
  registerCallback: (redirectUri: string) => void
  close: () => Promise<void>
}

export const OAUTH_CLIENT = { id: 'perrario-test', secret: 'un secreto de prueba' }

const PROVIDER_CONFIG: Configuration = {
  // Claims stand in the ID token, as Google and Apple put them.
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'], name: [] },
  scopes: ['openid', 'email', 'name'],
  pkce: { required: () => true },
  cookies: { keys: ['a key for tests'] },
  ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
}

/**
 * A real OpenID provider on this machine, with the log-in and consent pages that oidc-provider brings for development.
 * @param checkSecret instead of comparing the client's secret with CLIENT's
 */
export async function startOidc(checkSecret?: (secret: string, issuer: string) => boolean): Promise<OidcServer> {
  let handle: RequestListener = (_, res) => void res.writeHead(503).end()
  const requests: string[] = []
  const { host, stop } = await startStubServer((req, res) => {
    requests.push(`${req.method} ${req.url}`)
    handle(req, res)
  })
  const issuer = `http://${host.replace('127.0.0.1', 'localhost')}`
  const people: Record<string, OidcPerson> = {}
  return {
    issuer,
    people,
    requests,
    registerCallback: (redirectUri) => {
      const provider = withoutWarnings(
        () =>
          new Provider(issuer, {
            ...PROVIDER_CONFIG,
            clients: [{ client_id: OAUTH_CLIENT.id, client_secret: OAUTH_CLIENT.secret, redirect_uris: [redirectUri] }],
            clientDefaults: { token_endpoint_auth_method: 'client_secret_post', grant_types: ['authorization_code'] },
            findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
          }),
      )
      if (checkSecret) {
        const client = provider.Client.prototype as { compareClientSecret: (secret: string) => boolean }
        client.compareClientSecret = (secret) => checkSecret(secret, issuer)
      }
      handle = provider.callback()
    },
    close: async () => stop(),
  }
}

/** oidc-provider warns that its development pages, keys and memory are for development, which this is. */
function withoutWarnings<T>(make: () => T): T {
  const { info, warn } = console
  console.info = console.warn = () => {}
  try {
    return make()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** Logs in and consents at the provider as a person would; answers where the provider sends the browser back to. */
export async function logIn(jar: CookieJar, authorization: string, login: string): Promise<CallbackAnswer> {
  let at = await followToForm(jar, authorization)
  at = await followToForm(jar, await submitInteraction(jar, at, { prompt: 'login', login, password: 'x' }))
  return readCallback(jar, await submitInteraction(jar, at, { prompt: 'consent' }))
}

/** Gives up on the provider's log-in page. */
export async function cancelLogIn(jar: CookieJar, authorization: string): Promise<CallbackAnswer> {
  const form = await followToForm(jar, authorization)
  const response = await jar.load(`${form}/abort`)
  return readCallback(jar, new URL(response.headers.get('location')!, form).href)
}

/** The callback and its parameters; for form_post what the provider's page would post. */
export interface CallbackAnswer {
  callback: string
  params: Record<string, string>
}

const isCallback = (url: string) => new URL(url).pathname.endsWith('/callback')

async function followToForm(jar: CookieJar, url: string): Promise<string> {
  const { url: at, response } = await jar.follow(url, isCallback)
  if (!response?.ok || !at.includes('/interaction/')) throw new Error(`${at}: ${await response?.text()}`)
  return at
}

async function submitInteraction(jar: CookieJar, form: string, fields: Record<string, string>): Promise<string> {
  const response = await submitForm(jar, form, fields)
  return new URL(response.headers.get('location')!, form).href
}

async function readCallback(jar: CookieJar, url: string): Promise<CallbackAnswer> {
  const { url: at, response } = await jar.follow(url, isCallback)
  const { origin, pathname, searchParams } = new URL(at)
  if (!response) return { callback: origin + pathname, params: Object.fromEntries(searchParams) }
  const page = await response.text()
  const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const action = /<form[^>]* action="([^"]+)"/.exec(page)![1]!
  return { callback: action, params: Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!])) }
}

/** A key as Apple hands it out, on one line as an environment file holds it. */
export function appleKeyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return { pem, oneLine: pem.replaceAll('\n', '\\n'), publicKey: publicKey.export({ type: 'spki', format: 'pem' }) }
}

/** What Apple checks of a client secret; the claims and header, or null when the signature is not the key's. */
export function readAppleSecret(jwt: string, publicKey: string | Buffer) {
  const [head = '', body = '', signature = ''] = jwt.split('.')
  const key = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) return null
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { header: parse(head), claims: parse(body) }
}
