import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { startStubServer } from '#tests/support/stubs/stub-server.ts'
import { type CallbackAnswer, OAUTH_CLIENT } from './oidc-provider.ts'

/** Somebody with an account there. `email` is what Facebook would tell, `emails` what GitHub would. */
export interface Oauth2Person {
  id: number
  email?: string
  emails?: { email: string; primary: boolean; verified: boolean }[]
}

export interface Oauth2Server {
  issuer: string
  people: Record<string, Oauth2Person>
  /** Addresses that answer with this status instead of what they should. */
  statusOverrides: Record<string, number>
  /** The requests that were refused, and why: empty where the site does everything right. */
  faults: string[]
  registerCallback: (redirectUri: string) => void
  /** Agrees at the provider as `login`; answers where the browser is sent back to. */
  logIn: (authorization: string, login: string) => Promise<CallbackAnswer>
  deny: (authorization: string) => Promise<CallbackAnswer>
  /** What a browser that comes without a login is sent back with, instead of a refusal by the person. */
  setRefusal: (answer: Record<string, string>) => void
  close: () => Promise<void>
}

/** A code or token that was handed out, and what it is bound to. */
interface Grant {
  login: string
  challenge: string
  redirectUri: string
}

type Reply = [status: number, body: object | string, headers?: Record<string, string>]

/** What Facebook and GitHub do each in their own way, as their documentation has it. */
const PROVIDERS = {
  facebook: {
    authorize: '/dialog/oauth',
    token: '/oauth/access_token',
    denied: { error: 'access_denied', error_code: '200', error_description: 'Permissions error' },
    badGrant: (why: string): Reply => [400, { error: { message: why, type: 'OAuthException', code: 100 } }],
    badToken: (why: string): Reply => [400, { error: { message: why, type: 'OAuthException', code: 190 } }],
  },
  github: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    denied: { error: 'access_denied', error_description: 'The user has denied your application access.' },
    // GitHub says no with status 200.
    badGrant: (why: string): Reply => [200, { error: 'bad_verification_code', error_description: why }],
    badToken: (why: string): Reply => [401, { message: why }],
  },
}

const random = () => randomBytes(16).toString('hex')
const sha256 = (value: string) => createHash('sha256').update(value).digest('base64url')

/** A small OAuth2 server with the endpoints, the answers and the strictness of Facebook or GitHub. */
export async function startOauth2(kind: keyof typeof PROVIDERS): Promise<Oauth2Server> {
  const at = PROVIDERS[kind]
  const people: Record<string, Oauth2Person> = {}
  const broken: Record<string, number> = {}
  const faults: string[] = []
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Oauth2Person>()
  let registered = ''
  let refusal: Record<string, string> = at.denied

  const no = (reply: (why: string) => Reply, why: string): Reply => {
    faults.push(why)
    return reply(why)
  }

  function authorize({ searchParams }: URL): Reply {
    const asked = Object.fromEntries(searchParams)
    const page = (why: string): Reply => [400, why]
    if (asked.client_id !== OAUTH_CLIENT.id) return no(page, 'client_id')
    if (asked.redirect_uri !== registered) return no(page, `redirect_uri ${asked.redirect_uri}`)
    if (asked.response_type !== 'code') return no(page, 'response_type')
    if (asked.code_challenge_method !== 'S256' || !asked.code_challenge) return no(page, 'PKCE')
    if (!asked.state) return no(page, 'state')
    const back = new URL(asked.redirect_uri)
    back.searchParams.set('state', asked.state)
    if (!asked.login) for (const [name, value] of Object.entries(refusal)) back.searchParams.set(name, value)
    else {
      const code = random()
      codes.set(code, { login: asked.login, challenge: asked.code_challenge, redirectUri: asked.redirect_uri })
      back.searchParams.set('code', code)
    }
    return [302, '', { Location: back.href }]
  }

  function exchange(form: URLSearchParams, accept = ''): Reply {
    const sent = Object.fromEntries(form)
    const grant = codes.get(sent.code ?? '')
    codes.delete(sent.code ?? '')
    if (sent.client_id !== OAUTH_CLIENT.id || sent.client_secret !== OAUTH_CLIENT.secret)
      return no(at.badGrant, 'client')
    if (sent.grant_type !== 'authorization_code' || !grant) return no(at.badGrant, 'code')
    if (sent.redirect_uri !== grant.redirectUri) return no(at.badGrant, 'redirect_uri')
    if (sha256(sent.code_verifier ?? '') !== grant.challenge) return no(at.badGrant, 'code_verifier')
    const token = random()
    tokens.set(token, people[grant.login]!)
    // GitHub answers a form unless JSON is asked for.
    if (kind === 'github' && !accept.includes('application/json'))
      return [200, `access_token=${token}&token_type=bearer`]
    return [200, { access_token: token, token_type: 'bearer' }]
  }

  function resource(url: URL, req: IncomingMessage): Reply {
    const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    const person = tokens.get(token)
    if (!person) return no(at.badToken, 'token')
    if (kind === 'facebook') {
      const proof = createHmac('sha256', OAUTH_CLIENT.secret).update(token).digest('hex')
      if (url.searchParams.get('appsecret_proof') !== proof) return no(at.badToken, 'appsecret_proof')
      const fields = (url.searchParams.get('fields') ?? '').split(',')
      return [200, { id: String(person.id), ...(fields.includes('email') && { email: person.email }) }]
    }
    // GitHub refuses requests without a User-Agent.
    if (!req.headers['user-agent']) return no(at.badToken, 'user-agent')
    return [200, url.pathname.endsWith('/emails') ? (person.emails ?? []) : { id: person.id, login: 'x' }]
  }

  async function answer(req: IncomingMessage): Promise<Reply> {
    const url = new URL(req.url!, 'http://localhost')
    const status = broken[url.pathname]
    if (status) return [status, '']
    if (url.pathname === at.authorize) return authorize(url)
    if (req.method === 'POST' && url.pathname === at.token)
      return exchange(new URLSearchParams(await text(req)), req.headers.accept)
    const resources = kind === 'facebook' ? ['/me'] : ['/api/v3/user', '/api/v3/user/emails']
    return resources.includes(url.pathname) ? resource(url, req) : no(() => [404, ''], `${req.method} ${url.pathname}`)
  }

  const { host, stop } = await startStubServer(async (req, res) => {
    const [status, body, headers] = await answer(req)
    const json = typeof body === 'object'
    res.writeHead(status, { 'Content-Type': json ? 'application/json' : 'text/plain', ...headers })
    res.end(json ? JSON.stringify(body) : body)
  })

  const visit = async (address: string): Promise<CallbackAnswer> => {
    const response = await fetch(address, { redirect: 'manual' })
    if (response.status !== 302) throw new Error(`${response.status}: ${await response.text()}`)
    const { origin, pathname, searchParams } = new URL(response.headers.get('location')!)
    return { callback: origin + pathname, params: Object.fromEntries(searchParams) }
  }
  return {
    issuer: `http://${host.replace('127.0.0.1', 'localhost')}`,
    people,
    statusOverrides: broken,
    faults,
    registerCallback: (redirectUri) => void (registered = redirectUri),
    logIn: (authorization, login) => visit(`${authorization}&login=${login}`),
    deny: (authorization) => visit(authorization),
    setRefusal: (answer) => void (refusal = answer),
    close: async () => stop(),
  }
}
