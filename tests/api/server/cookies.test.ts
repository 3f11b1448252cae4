import { issueToken } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import {
  appleKeyPair,
  OAUTH_CLIENT,
  type OidcServer,
  readAppleSecret,
  startOidc,
} from '#tests/support/auth/oidc-provider.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, startServer, suite, type TestServer } from '#tests/support/suites.ts'

// Every cookie there is, as it is written: over http, and where SITE_URL says https. That readers get none at all is asked
// of every address in reads-by-role.test.ts.

interface World {
  http: TestServer
  https: TestServer
  google: OidcServer
  apple: OidcServer
}
const cookies = suite<World>('api/server/cookies')

cookies.before(async (t) => {
  const key = appleKeyPair()
  t.google = await startOidc()
  t.apple = await startOidc((secret) => readAppleSecret(secret, key.publicKey) !== null)
  const providers = {
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: t.google.issuer,
    APPLE_CLIENT_ID: OAUTH_CLIENT.id,
    APPLE_TEAM_ID: 'TEAM123456',
    APPLE_KEY_ID: 'KEY1234567',
    APPLE_PRIVATE_KEY: key.oneLine,
    APPLE_ISSUER: t.apple.issuer,
  }
  t.http = await startServer({ ...providers, TRUST_PROXY: '1' })
  t.https = await startServer({ ...providers, TRUST_PROXY: '1', SITE_URL: 'https://perrario.example' })
  for (const [provider, name] of [
    [t.google, 'google'],
    [t.apple, 'apple'],
  ] as const)
    provider.registerCallback(`https://perrario.example/api/auth/${name}/callback`)
})
cookies.after(async (t) => {
  await t.http.dispose()
  await t.https.dispose()
  await t.google.close()
  await t.apple.close()
})

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const PROXIED = { 'X-Forwarded-For': '10.1.1.1', 'X-Forwarded-Proto': 'https' }

/** A session's time is counted down from its start: a busy machine answers seconds later. */
const isAboutThirtyDays = (seconds: number) => Math.abs(seconds - 30 * 86_400) < 60

/** What the answer writes, without values and times: `…` where there is a value, nothing where the cookie is to go. */
async function readSetCookies(server: TestServer, path: string, init: RequestInit = {}): Promise<string[]> {
  const headers = { Accept: 'text/html', ...PROXIED, ...(init.headers as Record<string, string>) }
  const response = await fetch(server.url + path, { redirect: 'manual', ...init, headers })
  return response.headers.getSetCookie().map((cookie) =>
    cookie
      .replace(/=deleted; /, '=; ')
      .replace(/^([^=]+)=[^;]+/, '$1=…')
      .replace(/Max-Age=(\d{3,})/, (age, seconds) => (isAboutThirtyDays(Number(seconds)) ? 'Max-Age=30d' : age)),
  )
}

const ofForm = (server: TestServer, path: string, body: string, cookie = '') =>
  readSetCookies(server, path, { method: 'POST', body, headers: { ...FORM, Cookie: cookie } })

/** Each cookie's names and what else it says, by what writes it. `p` and `s` are what TLS adds. */
const expectedCookies = (p: string, s: string) => ({
  'signing in': [
    `${p}perrario=…; Max-Age=30d; Path=/; HttpOnly;${s} SameSite=Lax`,
    `${p}perrario-aparato=…; Max-Age=34560000; Path=/; HttpOnly;${s} SameSite=Lax`,
    `${p}perrario-entrada=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly;${s} SameSite=Lax`,
    // What a node must have read to show it, after any write on PostgreSQL. It is no secret and needs no prefix.
    `perrario-written=…; Max-Age=30; Path=/; HttpOnly;${s} SameSite=Lax`,
  ],
  'a session that is over': [
    `${p}perrario=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly;${s} SameSite=Lax`,
  ],
  'a form that was refused': [`${p}perrario-entrada=…; Max-Age=900; Path=/; HttpOnly;${s} SameSite=Lax`],
  'on the way to Google': [`${p}perrario-entrada-google=…; Max-Age=600; Path=/; HttpOnly;${s} SameSite=Lax`],
  // Its page posts back from its own site, which carries only None, and None must be Secure.
  'on the way to Apple': [`${p}perrario-entrada-apple=…; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=None`],
})

async function collectCookies(server: TestServer, p: string) {
  const email = 'ana@ejemplo.es'
  const { code } = await issueToken(server.db, email)
  return {
    'signing in': await ofForm(server, '/api/auth/code', `email=${email}&code=${code}`),
    'a session that is over': await readSetCookies(server, '/perros', { headers: { Cookie: `${p}perrario=nadie` } }),
    'a form that was refused': await ofForm(server, '/api/auth/code', 'email=ana@ejemplo.es&code=x'),
    'on the way to Google': await readSetCookies(server, '/api/auth/google'),
    'on the way to Apple': await readSetCookies(server, '/api/auth/apple'),
  }
}

cookies('over http cookies have no prefix, whatever a forwarded header says', async ({ http }) => {
  assert.equal(await collectCookies(http, ''), expectedCookies('', ''))
})

cookies('if SITE_URL is https, cookies have the __Host- prefix and Secure', async ({ https }) => {
  assert.equal(await collectCookies(https, '__Host-'), expectedCookies('__Host-', ' Secure;'))
})

cookies('if SITE_URL is https, cookies without the prefix are ignored', async ({ https }) => {
  const memory = JSON.stringify({ email: '', error: 'Llama al 900 000 000' })
  const { status, text } = await fetch(`${https.url}/login`, {
    headers: { Cookie: `perrario-entrada=${encodeURIComponent(memory)}` },
  }).then(async (response) => ({ status: response.status, text: await response.text() }))
  assert.is(status, 200)
  assert.not.match(text, '900 000 000')
  const planted = await fetch(`${https.url}/login`, {
    headers: { Cookie: `__Host-perrario-entrada=${encodeURIComponent(memory)}` },
  })
  assert.match(await planted.text(), '900 000 000')
})

cookies('page requests receive no cookie', async ({ http, https }) => {
  for (const server of [http, https])
    for (const path of ['/', '/perros', '/razas', '/razas/beagle', '/comunidad', '/login', '/perfil', '/api/session'])
      assert.equal([path, await readSetCookies(server, path)], [path, []])
})

cookies('eight modules write cookies, and no other code', () => {
  const files = listFiles(['src', 'scripts'], ['.ts', '.tsx', '.astro', '.js', '.mjs'])
  const writing = (pattern: RegExp) => files.filter((path) => pattern.test(readSource(path)))
  assert.equal(writing(/\bcookies\s*\.\s*(set|delete)\(|['"]set-cookie['"]\s*[,:\]]/i), [
    // Removes the cookie of a session that is over.
    'src/app/page-cache/handler.ts',
    'src/features/auth/flash.http.ts',
    'src/features/auth/oauth/oauth.http.ts',
    'src/features/auth/sessions/session.http.ts',
    'src/features/contact/finder-cookie.http.ts',
    'src/features/riddle/riddle.http.ts',
    'src/features/riddle/take-over.http.ts',
    // The position of a write among those of several nodes, which holds nothing of a person.
    'src/server/written.http.ts',
  ])
  // The sidebar's, which holds `open` or `closed` and which its script must read before the page is drawn.
  assert.equal(writing(/document\.cookie\s*=|cookieStore/), ['src/layouts/sidebar/sidebar.client.ts'])
})
