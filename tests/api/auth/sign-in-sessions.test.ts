import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lastMailTo } from '#tests/support/outbox.ts'
import {
  cookiesOf,
  startSignInServer,
  cookiePair,
  assertProblemResponse,
  sessionCookieOf,
} from '#tests/support/auth/sign-in-server.ts'

// What may be asked and by whom, what a session is, how it ends.

const api = suite('api/auth/sign-in-sessions')
const { server, headersOf, post, postForm, askLink, whoIs } = await startSignInServer()
api.after(() => server.dispose())

api('a visitor has no session', async () => {
  const response = await fetch(`${server.url}/api/session`)
  assert.equal(await response.json(), { user: null, expiresAt: null })
  assert.is(response.headers.get('cache-control'), 'no-store')
})

api('bodies that are not JSON, too large or of another type are refused', async () => {
  const send = (body: string, type: string) =>
    fetch(`${server.url}/api/auth/magic-link`, { method: 'POST', headers: headersOf({ 'Content-Type': type }), body })
  assert.is((await send('{', 'application/json')).status, 422)
  assert.is((await send('null', 'application/json')).status, 422)
  assert.is((await send('email=a', 'text/plain')).status, 415)
  assert.is((await send(`{"email":"${'a'.repeat(70_000)}"}`, 'application/json')).status, 413)
  assert.is((await send(`email=${'a'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status, 413)
})

api('another origin cannot request a mail, sign in or sign out', async () => {
  for (const path of ['/api/auth/magic-link', '/api/auth/code', '/api/auth/link', '/api/auth/sign-out']) {
    for (const Origin of ['https://malo.example', 'null'])
      await assertProblemResponse(
        await post(path, { email: 'x@x.es' }, { Origin }),
        403,
        'La petición viene de otro sitio.',
      )
    assert.is((await postForm(path, { email: 'x@x.es' }, { Origin: 'https://malo.example' })).status, 403)
    assert.is((await post(path, {}, { 'Sec-Fetch-Site': 'cross-site' })).status, 403)
  }
})

api('signing in replaces an existing session, so a planted one is useless', async () => {
  await askLink('fija@ejemplo.es')
  const one = await post('/api/auth/code', {
    email: 'fija@ejemplo.es',
    code: lastMailTo(server.dataDir, 'fija@ejemplo.es').code,
  })
  const planted = cookiePair(sessionCookieOf(one))
  await askLink('victima@ejemplo.es')
  const two = await post(
    '/api/auth/code',
    { email: 'victima@ejemplo.es', code: lastMailTo(server.dataDir, 'victima@ejemplo.es').code },
    { Cookie: planted },
  )
  assert.is.not(cookiePair(sessionCookieOf(two)), planted)
  assert.is((await whoIs(planted)).user, null)
  assert.is((await whoIs(cookiePair(sessionCookieOf(two)))).user!.email, 'victima@ejemplo.es')
  const invented = await whoIs('perrario=inventado')
  assert.is(invented.user, null)
})

api('signing out ends the session on the server, for API clients and plain forms', async () => {
  for (const way of ['json', 'form']) {
    const email = `${way}@ejemplo.es`
    await askLink(email)
    const entered = await post('/api/auth/code', { email, code: lastMailTo(server.dataDir, email).code })
    const cookie = cookiePair(sessionCookieOf(entered))
    const response =
      way === 'json'
        ? await post('/api/auth/sign-out', {}, { Cookie: cookie })
        : await postForm('/api/auth/sign-out', {}, { Cookie: cookie })
    assert.is(response.status, way === 'json' ? 200 : 303)
    assert.match(sessionCookieOf(response)!, /^perrario=;|Max-Age=0|Expires=Thu, 01 Jan 1970/i)
    assert.is((await whoIs(cookie)).user, null)
  }
  assert.is((await post('/api/auth/sign-out', {})).status, 200)
})

api('plain forms: the code page shows the address, and errors return with the typed values', async () => {
  const sent = await postForm('/api/auth/magic-link', { email: 'Llana@ejemplo.es' })
  assert.is(sent.status, 303)
  assert.is(sent.headers.get('location'), '/login/codigo')
  const memory = cookiePair(cookiesOf(sent)[0])
  const page = await (await fetch(`${server.url}/login/codigo`, { headers: { Cookie: memory } })).text()
  assert.match(page, 'Revisa tu email')
  assert.match(page, 'Llana@ejemplo.es')

  const bad = await postForm('/api/auth/magic-link', { email: 'mal"escrito' })
  assert.is(bad.headers.get('location'), '/login')
  const shown = await fetch(`${server.url}/login`, { headers: { Cookie: cookiePair(cookiesOf(bad)[0]) } })
  const html = await shown.text()
  assert.match(html, 'Introduce un email válido')
  assert.match(html, 'value="mal&quot;escrito"')

  const wrong = await postForm('/api/auth/code', { email: 'llana@ejemplo.es', code: '12' })
  assert.is(wrong.headers.get('location'), '/login/codigo')
  const { code } = lastMailTo(server.dataDir, 'llana@ejemplo.es')
  const right = await postForm('/api/auth/code', { email: 'llana@ejemplo.es', code })
  assert.is(right.headers.get('location'), '/perfil')
  assert.is((await whoIs(cookiePair(sessionCookieOf(right)))).user!.email, 'llana@ejemplo.es')
})

api('providers that are not configured answer 503, unknown ones 404', async () => {
  await assertProblemResponse(
    await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' }),
    503,
    'La entrada con Google no está configurada en este sitio.',
  )
  for (const name of ['facebook', 'apple', 'github'])
    assert.is((await fetch(`${server.url}/api/auth/${name}`)).status, 503)
  for (const name of ['toString', 'otro']) assert.is((await fetch(`${server.url}/api/auth/${name}`)).status, 404)
})

api('the development server’s fake user does not exist', async () => {
  assert.is((await post('/api/auth/dev', {})).status, 405)
})

api.run()
