import { startGoogleSite } from '#tests/support/auth/google-site.ts'
import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import { startSignIn, followCallback, readFailureMessage, readSessionUser } from '#tests/support/auth/oauth-flow.ts'
import { OAUTH_CLIENT, cancelLogIn, logIn, startOidc } from '#tests/support/auth/oidc-provider.ts'
import { assert, redirectOf, startServer, suite } from '#tests/support/suites.ts'

// Trips that sign nobody in, and what is said of them.

const google = suite('api/auth/oauth/google-failures')
const { server, oidc, flowCookie, close } = await startGoogleSite()
google.after(close)

google('cancelling shows a plain message with Google’s reason', async () => {
  const { jar, url } = await startSignIn(server, 'google')
  assert.equal(redirectOf(await followCallback(jar, await cancelLogIn(jar, url))), [303, '/login'])
  const text = 'Has cancelado la entrada con Google. Google dice: «End-User aborted interaction».'
  assert.equal(await readFailureMessage(server, jar), {
    box: text,
    title: 'Error de autenticación',
    text,
    kind: 'info',
  })
  assert.is((await readFailureMessage(server, jar)).box, undefined, 'said once')
  assert.is(await readSessionUser(server, jar), null)
})

google('an error of the provider is shown in its words, escaped and truncated', async () => {
  const shown = async (params: Record<string, string>) => {
    const { jar, url } = await startSignIn(server, 'google')
    const state = new URL(url).searchParams.get('state')!
    const callback = `${server.url}/api/auth/google/callback`
    const response = await followCallback(jar, { callback, params: { state, iss: oidc.issuer, ...params } })
    assert.is(response.headers.get('location'), '/login')
    return readFailureMessage(server, jar)
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

const STALE_MESSAGE = 'La entrada con Google caducó o empezó en otra ventana. Inténtalo de nuevo.'

/** The failure of an answer that does not belong to this browser. */
async function assertStale(jar: CookieJar, response: Response) {
  assert.is(response.headers.get('location'), '/login')
  assert.is(await readSessionUser(server, jar), null)
  assert.equal(await readFailureMessage(server, jar), {
    box: STALE_MESSAGE,
    title: 'Error al iniciar sesión con Google',
    text: 'Inténtalo de nuevo.',
    kind: 'error',
  })
}
google(
  'the response to another browser signs nobody in: foreign, missing or broken state, missing cookie',
  async () => {
    const mallory = await startSignIn(server, 'google')
    const theirs = await logIn(mallory.jar, mallory.url, 'mallory')
    const { jar: victim } = await startSignIn(server, 'google')
    await assertStale(victim, await followCallback(victim, theirs))
    const fresh = new CookieJar()
    await assertStale(fresh, await followCallback(fresh, theirs))
    const broken = new CookieJar()
    broken.set(server.url, 'perrario-entrada-google', '%7B')
    await assertStale(broken, await followCallback(broken, theirs))

    const { state: _, ...stateless } = theirs.params
    await assertStale(mallory.jar, await followCallback(mallory.jar, { ...theirs, params: stateless }))
    const used = oidc.requests.filter((line) => line.startsWith('POST /token')).length
    assert.is((await followCallback(mallory.jar, theirs)).headers.get('location'), '/perfil', 'it was good all along')
    assert.is(oidc.requests.filter((line) => line.startsWith('POST /token')).length, used + 1)
  },
)

google('an error from a link is not shown on our page', async () => {
  const { jar } = await startSignIn(server, 'google')
  const params = { state: 'x', error: 'x', error_description: 'Llama al 806' }
  await assertStale(jar, await followCallback(jar, { callback: `${server.url}/api/auth/google/callback`, params }))
})

google('a response can be used once, even with a stored cookie', async () => {
  const { jar, url } = await startSignIn(server, 'google')
  const kept = flowCookie(jar)!
  const answer = await logIn(jar, url, 'ana')
  assert.is((await followCallback(jar, answer)).headers.get('location'), '/perfil')
  assert.is((await followCallback(jar, answer)).headers.get('location'), '/perfil', 'a reload goes where it went')
  const copy = new CookieJar()
  copy.set(server.url, 'perrario-entrada-google', kept)
  await assertStale(copy, await followCallback(copy, answer))
})

google('a flow expires', async () => {
  const { jar, url } = await startSignIn(server, 'google')
  const answer = await logIn(jar, url, 'ana')
  const flow = JSON.parse(decodeURIComponent(flowCookie(jar)!))
  assert.ok(flow.until > Date.now() && flow.until <= Date.now() + 600_000)
  const old = JSON.stringify({ ...flow, until: Date.now() - 1 })
  jar.set(server.url, 'perrario-entrada-google', encodeURIComponent(old))
  await assertStale(jar, await followCallback(jar, answer))
})

/** The failure of a flow whose reason only the operator's log has. */
async function assertFailed(jar: CookieJar, response: Response) {
  assert.is(response.headers.get('location'), '/login')
  assert.is(await readSessionUser(server, jar), null)
  assert.equal(await readFailureMessage(server, jar), {
    box: 'Error al iniciar sesión con Google. Inténtalo de nuevo.',
    title: 'Error al iniciar sesión con Google',
    text: 'Inténtalo de nuevo.',
    kind: 'error',
  })
}
google('a wrong nonce, verifier, issuer or code signs nobody in', async () => {
  for (const wrong of ['nonce', 'verifier']) {
    const { jar, url } = await startSignIn(server, 'google')
    const answer = await logIn(jar, url, 'ana')
    const flow = { ...JSON.parse(decodeURIComponent(flowCookie(jar)!)), [wrong]: 'x'.repeat(43) }
    jar.set(server.url, 'perrario-entrada-google', encodeURIComponent(JSON.stringify(flow)))
    await assertFailed(jar, await followCallback(jar, answer))
  }
  const wrongs: Record<string, string>[] = [{ iss: 'http://localhost:1' }, { code: 'x' }]
  for (const wrong of wrongs) {
    const { jar, url } = await startSignIn(server, 'google')
    const { callback, params } = await logIn(jar, url, 'ana')
    await assertFailed(jar, await followCallback(jar, { callback, params: { ...params, ...wrong } }))
  }
  assert.match(server.output(), 'perrario · la entrada con Google falló:')
})

google('API clients receive problems', async () => {
  const { jar, url } = await startSignIn(server, 'google')
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
  assert.equal(await problemOf(await ask({ code: 'x', state: 'y' })), [403, STALE_MESSAGE])
  assert.equal(await problemOf(await ask({ code: 'x', state }, 'perrario-entrada-google=%7B%7D')), [403, STALE_MESSAGE])
  const denied = await ask({ state, iss: oidc.issuer, error: 'access_denied' }, jar.header(server.url))
  assert.equal(await problemOf(denied), [403, 'Has cancelado la entrada con Google.'])
  for (const method of ['POST', 'PUT'])
    assert.ok([404, 405].includes((await fetch(`${server.url}/api/auth/google/callback`, { method })).status))
})

google('an unavailable provider is reported, before and after the redirect', async () => {
  const down = await startOidc()
  await using site = await startServer({
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: down.issuer,
  })
  // Up, but with nothing to say.
  const jar = new CookieJar()
  assert.is((await jar.load(`${site.url}/api/auth/google`)).headers.get('location'), '/login')
  assert.is((await readFailureMessage(site, jar)).title, 'Error al iniciar sesión con Google')
  assert.is((await fetch(`${site.url}/api/auth/google`, { redirect: 'manual' })).status, 502)
  // Back again: the failure is not remembered.
  down.registerCallback(`${site.url}/api/auth/google/callback`)
  const { url } = await startSignIn(site, 'google', jar)
  const answer = await logIn(jar, url, 'ana')
  await down.close()
  assert.is((await followCallback(jar, answer)).headers.get('location'), '/login')
  assert.is((await readFailureMessage(site, jar)).box, 'Error al iniciar sesión con Google. Inténtalo de nuevo.')
  assert.is(await readSessionUser(site, jar), null)
})
