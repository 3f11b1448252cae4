import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Jar } from '#tests/support/jar.ts'
import { signedIn } from '#tests/support/members.ts'
import { begin, comeBack, countAccounts, failureShown, whoIs } from '#tests/support/oauth.ts'
import { CLIENT, giveUp, logIn, type OidcServer, startOidc } from '#tests/support/oidc.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const google = suite('Google')
let oidc: OidcServer
let server: TestServer

google.before(async () => {
  oidc = await startOidc()
  server = await startServer({
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
  oidc.allow(`${server.url}/api/auth/google/callback`)
})
google.after(async () => {
  await server.dispose()
  await oidc.close()
})

/** The whole way, from the button to what the callback answers. */
async function enter(login: string, jar = new Jar()) {
  const { url } = await begin(server, 'google', jar)
  const response = await comeBack(jar, await logIn(jar, url, login))
  return { jar, response }
}
const flowCookie = (jar: Jar) => jar.get(server.url, 'perrario-entrada-google')

google('asks with PKCE, state, nonce, offline access and the consent prompt', async () => {
  const response = await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' })
  assert.is(response.status, 302)
  assert.is(response.headers.get('cache-control'), 'no-store')
  const { origin, searchParams } = new URL(response.headers.get('location')!)
  assert.is(origin, oidc.issuer)
  const asked = Object.fromEntries(searchParams)
  assert.is(asked.client_id, CLIENT.id)
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

google('only for its own mailboxes and those of a domain it hosts does Google’s word count', async () => {
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
    const { jar } = await enter(`caso${at}`)
    found.push([email, hd, (await whoIs(server, jar))!.email])
  }
  assert.equal(found, cases)
})

google('who is signed in proves with it that it is still them, and only as the same person', async () => {
  oidc.people.pru = { email: 'pru@gmail.com', email_verified: true }
  oidc.people.otra = { email: 'otra@gmail.com', email_verified: true }
  const { jar } = await enter('pru')
  const user = (await whoIs(server, jar))!
  const sessions = () =>
    withDatabase(server, (db) =>
      db.selectFrom('sessions').select(['id', 'proved_at']).where('user_id', '=', user.id).execute(),
    )
  const [before] = await sessions()
  const known = await countAccounts(server)
  const proveAs = async (login: string) => {
    await withDatabase(server, (db) =>
      db.updateTable('sessions').set({ proved_at: 1 }).where('user_id', '=', user.id).execute(),
    )
    const { headers } = await jar.load(`${server.url}/api/auth/google?para=confirmar`)
    const response = await comeBack(jar, await logIn(new Jar(), headers.get('location')!, login))
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
  assert.is((await whoIs(server, jar))!.id, user.id)
})

google('a first sign-in makes an account and ends at /perfil; a second one is the same account', async () => {
  oidc.people.ana = { email: 'Ana@Ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const { jar, response } = await enter('ana')
  assert.is(response.status, 303)
  assert.is(response.headers.get('location'), '/perfil')
  const first = await whoIs(server, jar)
  assert.is(first!.email, 'ana@ejemplo.es')
  assert.is(flowCookie(jar), undefined, 'the flow is over')
  const page = await (await jar.load(`${server.url}/perfil`)).text()
  assert.match(page, /Perrit\d+/)

  const before = await countAccounts(server)
  oidc.people.ana = { email: 'otra@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const again = await enter('ana')
  assert.equal(await whoIs(server, again.jar), first, 'known by the id, whatever the address now is')
  assert.equal(await countAccounts(server), before)
})

google('an address that Google verified is linked to the account that has it', async () => {
  const bea = await signedIn(server, 'bea@ejemplo.es')
  oidc.people.bea = { email: 'BEA@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const { users } = await countAccounts(server)
  const { jar } = await enter('bea')
  assert.is((await whoIs(server, jar))!.id, bea.id)
  assert.is((await countAccounts(server)).users, users)
})

google('an address that nobody verified is neither linked nor kept', async () => {
  const clara = await signedIn(server, 'clara@ejemplo.es')
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
    const user = await whoIs(server, (await enter(login)).jar)
    assert.is.not(user!.id, clara.id)
    assert.is(user!.email, null)
  }
  // Nor does it wait for whoever owns the address to come by mail.
  oidc.people.mallory = { email: 'dora@ejemplo.es', email_verified: false }
  const mallory = await whoIs(server, (await enter('mallory')).jar)
  const dora = await signedIn(server, 'dora@ejemplo.es')
  assert.is.not(dora.id, mallory!.id)
})

google('an account without an address works, and comes back', async () => {
  const { jar } = await enter('sin-email')
  const user = await whoIs(server, jar)
  assert.is(user!.email, null)
  const page = await jar.load(`${server.url}/perfil`)
  assert.is(page.status, 200)
  assert.not.match(await page.text(), /\bnull\b<\/span>/)
  assert.is((await whoIs(server, (await enter('sin-email')).jar))!.id, user!.id)
})

google('whoever is signed in changes to the account of the provider; nothing is linked in silence', async () => {
  const eva = await signedIn(server, 'eva@ejemplo.es')
  oidc.people.fran = { email: 'fran@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  const jar = new Jar()
  jar.set(server.url, 'perrario', eva.token)
  await enter('fran', jar)
  assert.is((await whoIs(server, jar))!.email, 'fran@ejemplo.es')
  const old = new Jar()
  old.set(server.url, 'perrario', eva.token)
  assert.is(await whoIs(server, old), null, 'the session before it has ended')
})

google('cancelling is told gently, with what Google says', async () => {
  const { jar, url } = await begin(server, 'google')
  const response = await comeBack(jar, await giveUp(jar, url))
  assert.is(response.status, 303)
  assert.is(response.headers.get('location'), '/login')
  const text = 'Has cancelado la entrada con Google. Google dice: «End-User aborted interaction».'
  assert.equal(await failureShown(server, jar), { box: text, title: 'Error de autenticación', text, kind: 'info' })
  assert.is((await failureShown(server, jar)).box, undefined, 'said once')
  assert.is(await whoIs(server, jar), null)
})

google('an error of the provider is shown in its words, escaped and bounded', async () => {
  const shown = async (params: Record<string, string>) => {
    const { jar, url } = await begin(server, 'google')
    const state = new URL(url).searchParams.get('state')!
    const callback = `${server.url}/api/auth/google/callback`
    const response = await comeBack(jar, { callback, params: { state, iss: oidc.issuer, ...params } })
    assert.is(response.headers.get('location'), '/login')
    return failureShown(server, jar)
  }
  assert.equal(await shown({ error: 'invalid_scope', error_description: '<img src=x>\u202e\n "Cuenta" suspendida' }), {
    box: '&lt;img src=x&gt; &quot;Cuenta&quot; suspendida',
    title: 'Error de autenticación',
    text: '<img src=x> "Cuenta" suspendida',
    kind: 'error',
  })
  assert.is((await shown({ error: 'x', error_description: 'a'.repeat(5000) })).box, `${'a'.repeat(199)}…`)
  assert.is((await shown({ error: 'invalid_request' })).box, 'Google no ha permitido la entrada.')
  assert.is(
    (await shown({ error: 'temporarily_unavailable' })).box,
    'Google no está disponible ahora mismo. Inténtalo de nuevo dentro de un rato.',
  )
})

const STALE = 'La entrada con Google caducó o empezó en otra ventana. Inténtalo de nuevo.'

/** The failure of an answer that does not belong to this browser. */
async function isStale(jar: Jar, response: Response) {
  assert.is(response.headers.get('location'), '/login')
  assert.is(await whoIs(server, jar), null)
  assert.equal(await failureShown(server, jar), {
    box: STALE,
    title: 'Error al iniciar sesión con Google',
    text: 'Inténtalo de nuevo.',
    kind: 'error',
  })
}

google("another browser's answer signs nobody in: foreign state, no state, no cookie, a broken one", async () => {
  const mallory = await begin(server, 'google')
  const theirs = await logIn(mallory.jar, mallory.url, 'mallory')
  const { jar: victim } = await begin(server, 'google')
  await isStale(victim, await comeBack(victim, theirs))
  const fresh = new Jar()
  await isStale(fresh, await comeBack(fresh, theirs))
  const broken = new Jar()
  broken.set(server.url, 'perrario-entrada-google', '%7B')
  await isStale(broken, await comeBack(broken, theirs))

  const { state: _, ...stateless } = theirs.params
  await isStale(mallory.jar, await comeBack(mallory.jar, { ...theirs, params: stateless }))
  const used = oidc.requests.filter((line) => line.startsWith('POST /token')).length
  assert.is((await comeBack(mallory.jar, theirs)).headers.get('location'), '/perfil', 'it was good all along')
  assert.is(oidc.requests.filter((line) => line.startsWith('POST /token')).length, used + 1)
})

google('a foreign error is not shown: nobody puts words into our page by a link', async () => {
  const { jar } = await begin(server, 'google')
  const params = { state: 'x', error: 'x', error_description: 'Llama al 806' }
  await isStale(jar, await comeBack(jar, { callback: `${server.url}/api/auth/google/callback`, params }))
})

google('an answer serves once, even to somebody who kept the cookie', async () => {
  const { jar, url } = await begin(server, 'google')
  const kept = flowCookie(jar)!
  const answer = await logIn(jar, url, 'ana')
  assert.is((await comeBack(jar, answer)).headers.get('location'), '/perfil')
  assert.is((await comeBack(jar, answer)).headers.get('location'), '/perfil', 'a reload goes where it went')
  const copy = new Jar()
  copy.set(server.url, 'perrario-entrada-google', kept)
  await isStale(copy, await comeBack(copy, answer))
})

google('a flow that took too long is over', async () => {
  const { jar, url } = await begin(server, 'google')
  const answer = await logIn(jar, url, 'ana')
  const flow = JSON.parse(decodeURIComponent(flowCookie(jar)!))
  assert.ok(flow.until > Date.now() && flow.until <= Date.now() + 600_000)
  const old = JSON.stringify({ ...flow, until: Date.now() - 1 })
  jar.set(server.url, 'perrario-entrada-google', encodeURIComponent(old))
  await isStale(jar, await comeBack(jar, answer))
})

/** The failure of a flow that ends in a way that only the operator is told about. */
async function hasFailed(jar: Jar, response: Response) {
  assert.is(response.headers.get('location'), '/login')
  assert.is(await whoIs(server, jar), null)
  assert.equal(await failureShown(server, jar), {
    box: 'Error al iniciar sesión con Google. Inténtalo de nuevo.',
    title: 'Error al iniciar sesión con Google',
    text: 'Inténtalo de nuevo.',
    kind: 'error',
  })
}

google('a wrong nonce, verifier, issuer or code signs nobody in', async () => {
  for (const wrong of ['nonce', 'verifier']) {
    const { jar, url } = await begin(server, 'google')
    const answer = await logIn(jar, url, 'ana')
    const flow = { ...JSON.parse(decodeURIComponent(flowCookie(jar)!)), [wrong]: 'x'.repeat(43) }
    jar.set(server.url, 'perrario-entrada-google', encodeURIComponent(JSON.stringify(flow)))
    await hasFailed(jar, await comeBack(jar, answer))
  }
  const wrongs: Record<string, string>[] = [{ iss: 'http://localhost:1' }, { code: 'x' }]
  for (const wrong of wrongs) {
    const { jar, url } = await begin(server, 'google')
    const { callback, params } = await logIn(jar, url, 'ana')
    await hasFailed(jar, await comeBack(jar, { callback, params: { ...params, ...wrong } }))
  }
  assert.match(server.output(), 'perrario · la entrada con Google falló:')
})

google('programs get problems', async () => {
  const { jar, url } = await begin(server, 'google')
  const state = new URL(url).searchParams.get('state')!
  const ask = (query: Record<string, string>, cookie = '') =>
    fetch(`${server.url}/api/auth/google/callback?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: cookie ? { Cookie: cookie } : {},
    })
  const problemOf = async (response: Response) => {
    assert.match(response.headers.get('content-type')!, 'application/problem+json')
    return [response.status, ((await response.json()) as { detail: string }).detail]
  }
  assert.equal(await problemOf(await ask({ code: 'x', state: 'y' })), [403, STALE])
  assert.equal(await problemOf(await ask({ code: 'x', state }, 'perrario-entrada-google=%7B%7D')), [403, STALE])
  const denied = await ask({ state, iss: oidc.issuer, error: 'access_denied' }, jar.header(server.url))
  assert.equal(await problemOf(denied), [403, 'Has cancelado la entrada con Google.'])
  for (const method of ['POST', 'PUT'])
    assert.ok([404, 405].includes((await fetch(`${server.url}/api/auth/google/callback`, { method })).status))
})

google('a provider that is down is said to be so, before and after the trip', async () => {
  const down = await startOidc()
  const site = await startServer({
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: down.issuer,
  })
  try {
    // Up, but with nothing to say.
    const jar = new Jar()
    assert.is((await jar.load(`${site.url}/api/auth/google`)).headers.get('location'), '/login')
    assert.is((await failureShown(site, jar)).title, 'Error al iniciar sesión con Google')
    const program = await fetch(`${site.url}/api/auth/google`, { redirect: 'manual' })
    assert.is(program.status, 502)
    // Back again: the failure is not remembered.
    down.allow(`${site.url}/api/auth/google/callback`)
    const { url } = await begin(site, 'google', jar)
    const answer = await logIn(jar, url, 'ana')
    await down.close()
    assert.is((await comeBack(jar, answer)).headers.get('location'), '/login')
    assert.is((await failureShown(site, jar)).box, 'Error al iniciar sesión con Google. Inténtalo de nuevo.')
    assert.is(await whoIs(site, jar), null)
  } finally {
    await site.dispose()
  }
})

google('the sign-in screens offer what is configured and nothing else', async () => {
  const login = await (await fetch(`${server.url}/login`)).text()
  assert.match(login, /href="\/api\/auth\/google"[^>]*>[\s\S]*?Continuar con Google/)
  assert.not.match(login, /Continuar con (Facebook|Apple|GitHub)/)
  assert.match(await (await fetch(`${server.url}/perfil`)).text(), 'Continuar con Google')
})

google('under https the cookie is bound to the host, and the callback is at SITE_URL', async () => {
  const site = await startServer({
    SITE_URL: 'https://perrario.example',
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
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

google('many trips are fine, endless ones are not', async () => {
  const site = await startServer({
    TRUST_PROXY: '1',
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
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
