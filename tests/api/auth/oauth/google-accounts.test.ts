import { startGoogleSite } from '#tests/support/auth/google-site.ts'
import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import { followCallback, countAccounts, readSessionUser, startSignIn } from '#tests/support/auth/oauth-flow.ts'
import { logIn, OAUTH_CLIENT } from '#tests/support/auth/oidc-provider.ts'
import { answered, assert, redirectOf, signInMember, startServer, suite } from '#tests/support/suites.ts'

// Which account a sign-in with Google opens.

const google = suite('api/auth/oauth/google-accounts')
const { server, oidc, signIn, flowCookie, close } = await startGoogleSite()
google.after(close)

google('Google verifies addresses of its own mailboxes and of hosted domains only', async () => {
  const cases: [email: string, hd: string | undefined, kept: string | null][] = [
    ['uno@gmail.com', undefined, 'uno@gmail.com'],
    ['dos@googlemail.com', undefined, 'dos@googlemail.com'],
    ['tres@empresa.es', 'empresa.es', 'tres@empresa.es'],
    ['cuatro@Empresa.es', 'EMPRESA.es', 'cuatro@empresa.es'],
    ['cinco@hotmail.com', undefined, null],
    ['seis@hotmail.com', 'empresa.es', null],
    ['siete@gmail.com.es', undefined, null],
    ['ocho@notgmail.com', undefined, null],
    ['nueve@sub.empresa.es', 'empresa.es', null],
    ['mar\u212A@gmail.com', undefined, null],
  ]
  const found: typeof cases = []
  for (const [at, [email, hd]] of cases.entries()) {
    oidc.people[`caso${at}`] = { email, email_verified: true, ...(hd && { hd }) }
    const { jar } = await signIn(`caso${at}`)
    found.push([email, hd, (await readSessionUser(server, jar))!.email])
  }
  assert.equal(found, cases)
})

google('a member without an address confirms by Google, and only as the same person', async () => {
  oidc.people.pru = { email: 'pru@hotmail.com', email_verified: true }
  oidc.people.otra = { email: 'otra@gmail.com', email_verified: true }
  const { jar } = await signIn('pru')
  const user = (await readSessionUser(server, jar))!
  const sessions = () =>
    server.db.selectFrom('sessions').select(['id', 'proved_at']).where('user_id', '=', user.id).execute()
  const [before] = await sessions()
  const known = await countAccounts(server)
  const proveAs = async (login: string) => {
    await server.db.updateTable('sessions').set({ proved_at: 1 }).where('user_id', '=', user.id).execute()
    const { headers } = await jar.load(`${server.url}/api/auth/google?para=confirmar`)
    assert.is(new URL(headers.get('location')!).searchParams.get('max_age'), '0', 'Google is to ask them again')
    const response = await followCallback(jar, await logIn(new CookieJar(), headers.get('location')!, login))
    return [response.status, response.headers.get('location')]
  }
  assert.equal(await proveAs('otra'), [303, '/perfil/cuenta?confirma=otra#confirma'])
  assert.equal(
    [(await sessions())[0]!.proved_at, await countAccounts(server)],
    [1, known],
    'nobody proved, nobody made',
  )
  assert.equal(await proveAs('pru'), [303, '/perfil/cuenta?hecho=confirmado#confirma'])
  const after = await sessions()
  assert.equal([after.length, after[0]!.id], [1, before!.id], 'the session goes on')
  assert.ok(Date.now() - after[0]!.proved_at < 60_000)
  assert.is((await readSessionUser(server, jar))!.id, user.id)
})

google('an account with an address is not confirmed by Google, neither by signing in nor by confirming', async () => {
  oidc.people.rosa = { email: 'rosa@gmail.com', email_verified: true }
  const { jar } = await signIn('rosa')
  const asked = '/perfil/cuenta?confirma=pide#confirma'
  const download = async () => (await jar.load(`${server.url}/api/account/export`)).headers.get('location')
  assert.is(await download(), asked, 'Google may have let in whoever sits at this device')
  assert.equal(redirectOf(await jar.load(`${server.url}/api/auth/google?para=confirmar`)), [303, asked])
  const page = await (await jar.load(`${server.url}/perfil/cuenta`)).text()
  assert.match(page, 'Enviarme un código')
  assert.not.match(page, 'Confirmar con Google')
  // A flow that she began before her account had an address ends the same way.
  const flow = await startSignIn(server, 'google', jar)
  const name = 'perrario-entrada-google'
  const user = (await readSessionUser(server, jar))!
  const cookie = JSON.parse(decodeURIComponent(jar.get(server.url, name)!)) as object
  jar.set(server.url, name, encodeURIComponent(JSON.stringify({ ...cookie, proves: user.id })))
  const answer = await followCallback(jar, await logIn(new CookieJar(), flow.url, 'rosa'))
  assert.is(answer.headers.get('location'), '/perfil/cuenta?confirma=otra#confirma')
  assert.is(await download(), asked)
})

google('a first sign-in creates an account and redirects to /perfil; a second one finds the same account', async () => {
  oidc.people.ana = { email: 'Ana@Ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const { jar, response } = await signIn('ana')
  assert.equal(redirectOf(response), [303, '/perfil'])
  const first = await readSessionUser(server, jar)
  assert.is(first!.email, 'ana@ejemplo.es')
  assert.is(flowCookie(jar), undefined, 'the flow is over')
  assert.match(await (await jar.load(`${server.url}/perfil`)).text(), /Perrit\d+/)

  const before = await countAccounts(server)
  oidc.people.ana = { email: 'otra@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const again = await signIn('ana')
  assert.equal(await readSessionUser(server, again.jar), first, 'known by the id, whatever the address now is')
  assert.equal(await countAccounts(server), before)
})

google('an address that Google verified is linked to its existing account', async () => {
  const bea = await signInMember(server, 'bea@ejemplo.es')
  oidc.people.bea = { email: 'BEA@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const { users } = await countAccounts(server)
  assert.is((await readSessionUser(server, (await signIn('bea')).jar))!.id, bea.id)
  assert.is((await countAccounts(server)).users, users)
})

google('an unverified address is neither linked nor stored', async () => {
  const clara = await signInMember(server, 'clara@ejemplo.es')
  for (const [login, email_verified] of [
    ['clara', false],
    ['clara2', undefined],
    ['clara3', 'no'],
  ] as const) {
    oidc.people[login] = {
      email: 'clara@ejemplo.es',
      hd: 'ejemplo.es',
      ...(email_verified !== undefined && { email_verified }),
    }
    const user = await readSessionUser(server, (await signIn(login)).jar)
    assert.is.not(user!.id, clara.id)
    assert.is(user!.email, null)
  }
  // Nor is it linked when the address's owner signs in by mail.
  oidc.people.mallory = { email: 'dora@ejemplo.es', email_verified: false }
  const mallory = await readSessionUser(server, (await signIn('mallory')).jar)
  assert.is.not((await signInMember(server, 'dora@ejemplo.es')).id, mallory!.id)
})

google('an account without an address works and can be signed in to again', async () => {
  const { jar } = await signIn('sin-email')
  const user = await readSessionUser(server, jar)
  assert.is(user!.email, null)
  assert.not.match(await (await answered(200, jar.load(`${server.url}/perfil`))).text(), /\bnull\b<\/span>/)
  assert.is((await readSessionUser(server, (await signIn('sin-email')).jar))!.id, user!.id)
})

google('a signed-in member switches to the provider’s account, and nothing is linked silently', async () => {
  const eva = await signInMember(server, 'eva@ejemplo.es')
  oidc.people.fran = { email: 'fran@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const jar = new CookieJar()
  jar.set(server.url, 'perrario', eva.token)
  await signIn('fran', jar)
  assert.is((await readSessionUser(server, jar))!.email, 'fran@ejemplo.es')
  const old = new CookieJar()
  old.set(server.url, 'perrario', eva.token)
  assert.is(await readSessionUser(server, old), null, 'the session before it has ended')
})

// Where a browser is sent, with what, and how often.

google('requests PKCE, state, nonce, offline access and the consent prompt', async () => {
  const response = await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' })
  assert.equal([response.status, response.headers.get('cache-control')], [302, 'no-store'])
  const { origin, searchParams } = new URL(response.headers.get('location')!)
  assert.is(origin, oidc.issuer)
  const asked = Object.fromEntries(searchParams)
  assert.is(asked.client_id, OAUTH_CLIENT.id)
  assert.equal([asked.redirect_uri, asked.response_type], [`${server.url}/api/auth/google/callback`, 'code'])
  assert.is(asked.scope, 'openid email')
  assert.equal([asked.access_type, asked.prompt, asked.code_challenge_method], ['offline', 'consent', 'S256'])
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
    assert.equal(redirectOf(response), [303, '/login'], site)
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
  await using site = await startServer({
    SITE_URL: 'https://perrario.example',
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
  const response = await fetch(`${site.url}/api/auth/google`, { redirect: 'manual' })
  const { searchParams } = new URL(response.headers.get('location')!)
  assert.is(searchParams.get('redirect_uri'), 'https://perrario.example/api/auth/google/callback')
  assert.match(
    response.headers.getSetCookie()[0]!,
    /^__Host-perrario-entrada-google=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

google('many flows are accepted, endless ones are limited', async () => {
  await using site = await startServer({
    TRUST_PROXY: '1',
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
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
})
