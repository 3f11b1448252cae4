import * as assert from 'uvu/assert'
import { startServer } from '#tests/support/server.ts'

export const cookiesOf = (response: Response) => response.headers.getSetCookie()
export const sessionCookieOf = (response: Response) => cookiesOf(response).find((c) => c.startsWith('perrario='))
export const cookiePair = (cookie: string | undefined) => cookie!.split(';')[0]!
export const tokenOf = (link: string) => new URL(link).searchParams.get('token')!

export async function assertProblemResponse(response: Response, status: number, detail: string) {
  assert.is(response.status, status)
  assert.match(response.headers.get('content-type')!, 'application/problem+json')
  const body = (await response.json()) as Record<string, unknown>
  assert.is(body.detail, detail)
  assert.is(body.status, status)
  return body
}

/** A server with what signs in to it. */
export async function startSignInServer() {
  const server = await startServer({ TRUST_PROXY: '1' })
  let sender = 0
  /** Each call comes from an address of its own, so that limits meet only the tests that look for them. */
  const headersOf = (extra: Record<string, string> = {}) => ({
    'X-Forwarded-For': `10.0.${++sender >> 8}.${sender & 255}`,
    ...extra,
  })
  const post = (path: string, body: object, extra: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: headersOf({ 'Content-Type': 'application/json', ...extra }),
      body: JSON.stringify(body),
    })
  const postForm = (path: string, fields: Record<string, string>, extra: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: headersOf(extra),
      body: new URLSearchParams(fields),
    })
  const askLink = (email: string) => post('/api/auth/magic-link', { email })
  const whoIs = async (cookie?: string) => {
    const response = await fetch(`${server.url}/api/session`, { headers: cookie ? { Cookie: cookie } : {} })
    return (await response.json()) as { user: Record<string, unknown> | null; expiresAt: number | null }
  }
  return { server, headersOf, post, postForm, askLink, whoIs }
}
