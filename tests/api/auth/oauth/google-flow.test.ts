import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startGoogleSite } from '#tests/support/auth/google-site.ts'
import { OAUTH_CLIENT } from '#tests/support/auth/oidc-provider.ts'
import { startServer } from '#tests/support/server.ts'

// Where a browser is sent, with what, and how often.

const google = suite('api/auth/oauth/google-flow')
const { server, oidc, close } = await startGoogleSite()
google.after(close)

google('requests PKCE, state, nonce, offline access and the consent prompt', async () => {
  const response = await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' })
  assert.is(response.status, 302)
  assert.is(response.headers.get('cache-control'), 'no-store')
  const { origin, searchParams } = new URL(response.headers.get('location')!)
  assert.is(origin, oidc.issuer)
  const asked = Object.fromEntries(searchParams)
  assert.is(asked.client_id, OAUTH_CLIENT.id)
  assert.is(asked.redirect_uri, `${server.url}/api/auth/google/callback`)
  assert.is(asked.response_type, 'code')
  assert.is(asked.scope, 'openid email')
  assert.is(asked.access_type, 'offline')
  assert.is(asked.prompt, 'consent')
  assert.is(asked.code_challenge_method, 'S256')
  for (const name of ['code_challenge', 'state', 'nonce']) assert.match(asked[name]!, /^[\w-]{43}$/)
  const [cookie] = response.headers.getSetCookie()
  assert.match(cookie!, /^perrario-entrada-google=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.not.match(
    response.headers.get('location')!,
    JSON.parse(decodeURIComponent(/=([^;]*)/.exec(cookie!)![1]!)).verifier,
  )
})

google('a page of another site begins no flow: its visitors choose on our own', async () => {
  const begin = (site: string) =>
    fetch(`${server.url}/api/auth/google`, { redirect: 'manual', headers: { 'Sec-Fetch-Site': site } })
  for (const site of ['cross-site', 'same-site']) {
    const response = await begin(site)
    assert.equal([response.status, response.headers.get('location')], [303, '/login'], site)
    assert.equal(response.headers.getSetCookie(), [])
  }
  for (const site of ['same-origin', 'none']) assert.is((await begin(site)).status, 302, site)
})

google('the sign-in screens offer exactly the configured providers', async () => {
  const login = await (await fetch(`${server.url}/login`)).text()
  assert.match(login, /href="\/api\/auth\/google"[^>]*>[\s\S]*?Continuar con Google/)
  assert.not.match(login, /Continuar con (Facebook|Apple|GitHub)/)
  assert.match(await (await fetch(`${server.url}/perfil`)).text(), 'Continuar con Google')
})

google('under https the cookie has the __Host- prefix, and the callback is at SITE_URL', async () => {
  const site = await startServer({
    SITE_URL: 'https://perrario.example',
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
  try {
    const response = await fetch(`${site.url}/api/auth/google`, { redirect: 'manual' })
    const { searchParams } = new URL(response.headers.get('location')!)
    assert.is(searchParams.get('redirect_uri'), 'https://perrario.example/api/auth/google/callback')
    assert.match(
      response.headers.getSetCookie()[0]!,
      /^__Host-perrario-entrada-google=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  } finally {
    await site.dispose()
  }
})

google('many flows are accepted, endless ones are limited', async () => {
  const site = await startServer({
    TRUST_PROXY: '1',
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
  try {
    const go = (accept: string) =>
      fetch(`${site.url}/api/auth/google`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-For': '192.0.2.9', Accept: accept },
      })
    for (let i = 0; i < 120; i++) assert.is((await go('*/*')).status, 302)
    const refused = await go('*/*')
    assert.is(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.is((await go('text/html')).headers.get('location'), '/login')
  } finally {
    await site.dispose()
  }
})

google.run()
