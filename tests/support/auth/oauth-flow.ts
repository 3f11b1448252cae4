import type { CallbackAnswer } from './oidc-provider.ts'
import { CookieJar, submitForm } from './cookie-jar.ts'
import type { TestServer } from '#tests/support/server.ts'

/** Where the site sends a browser that presses «Continuar con …». */
export async function startSignIn(
  server: TestServer,
  provider: string,
  jar = new CookieJar(),
): Promise<{ jar: CookieJar; url: string }> {
  const response = await jar.load(`${server.url}/api/auth/${provider}`)
  if (response.status !== 302) throw new Error(`${response.status} to ${response.headers.get('location')}`)
  return { jar, url: response.headers.get('location')! }
}

/** Brings the provider's answer back to the site. */
export const followCallback = (jar: CookieJar, { callback, params }: CallbackAnswer): Promise<Response> =>
  jar.load(`${callback}?${new URLSearchParams(params)}`)

/** The same as Apple does it: a form that its own page posts. */
export const postCallback = (
  jar: CookieJar,
  { callback, params }: CallbackAnswer,
  origin = 'https://appleid.apple.com',
) => submitForm(jar, callback, params, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' })

/** Who the browser is signed in as, or null. */
export async function readSessionUser(
  server: TestServer,
  jar: CookieJar,
): Promise<{ id: string; email: string | null } | null> {
  const response = await fetch(`${server.url}/api/session`, { headers: { Cookie: jar.header(server.url) } })
  return ((await response.json()) as { user: { id: string; email: string | null } | null }).user
}

/** The sign-in screen as this browser sees it next: the box, and what the toast will say. */
export async function readFailureMessage(server: TestServer, jar: CookieJar) {
  const html = await (await jar.load(`${server.url}/login`)).text()
  const tag = /<div data-provider-failure(?: [\w-]+="[^"]*")*/.exec(html)?.[0] ?? ''
  const attribute = (name: string) => new RegExp(` data-${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"')
  const box = /id="provider-error"[\s\S]*?data-error-text>([\s\S]*?)<\/span>/.exec(html)?.[1]
  return { box, title: attribute('title'), text: attribute('text'), kind: attribute('kind') }
}

/** How many accounts there are, and how many links to providers. */
export const countAccounts = async (server: TestServer) => {
  const count = async (table: 'users' | 'oauth_accounts') =>
    (
      await server.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n
  return { users: await count('users'), links: await count('oauth_accounts') }
}
