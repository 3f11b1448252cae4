import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lastMailTo } from '#tests/support/outbox.ts'
import {
  startSignInServer,
  cookiePair,
  assertProblemResponse,
  sessionCookieOf,
  tokenOf,
} from '#tests/support/auth/sign-in-server.ts'

// What a mailed code and a mailed link do, and how often.

const api = suite('api/auth/sign-in-codes')
const { server, post, postForm, askLink, whoIs } = await startSignInServer()
api.after(() => server.dispose())

api('the typed code signs in without an earlier cookie, and the session names the member', async () => {
  await askLink('codigo@ejemplo.es')
  const { code } = lastMailTo(server.dataDir, 'codigo@ejemplo.es')
  const response = await post('/api/auth/code', {
    email: ' Codigo@ejemplo.es ',
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  })
  assert.is(response.status, 200)
  const cookie = sessionCookieOf(response)!
  for (const flag of [/; HttpOnly/i, /; SameSite=Lax/i, /; Path=\//i, /; Max-Age=2592000/i]) assert.match(cookie, flag)
  assert.not.match(cookie, /Secure|Domain/i)
  const { user, expiresAt } = await whoIs(cookiePair(cookie))
  assert.equal(Object.keys(user!).sort(), ['alias', 'email', 'emoji', 'id', 'verified'])
  assert.is(user!.email, 'codigo@ejemplo.es')
  assert.match(user!.alias as string, /^Perrit\d+$/)
  assert.ok(Math.abs(expiresAt! - Date.now() - 30 * 86_400_000) < 120_000)
  assert.equal(await response.json(), { user, expiresAt })
})

api('a code works once and then its link does not work either', async () => {
  await askLink('una@ejemplo.es')
  const { code, link } = lastMailTo(server.dataDir, 'una@ejemplo.es')
  assert.is((await post('/api/auth/code', { email: 'una@ejemplo.es', code })).status, 200)
  await assertProblemResponse(
    await post('/api/auth/code', { email: 'una@ejemplo.es', code }),
    422,
    'El código no es correcto o ya no vale. Revísalo o pide otro.',
  )
  await assertProblemResponse(
    await post('/api/auth/link', { token: tokenOf(link) }),
    422,
    'Este enlace ya no vale. Pide otro.',
  )
})

api('five wrong codes invalidate the code, not the link', async () => {
  await askLink('torpe@ejemplo.es')
  const { code, link } = lastMailTo(server.dataDir, 'torpe@ejemplo.es')
  const wrong = code === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++)
    assert.is((await post('/api/auth/code', { email: 'torpe@ejemplo.es', code: wrong })).status, 422)
  assert.is((await post('/api/auth/code', { email: 'torpe@ejemplo.es', code })).status, 422)
  assert.is((await post('/api/auth/link', { token: tokenOf(link) })).status, 200)
})

api('malformed and wrong codes have different responses', async () => {
  for (const code of ['', '12', 'abcdef', null, 123456])
    await assertProblemResponse(
      await post('/api/auth/code', { email: 'x@x.es', code }),
      422,
      'Escribe las 6 cifras del código.',
    )
  await assertProblemResponse(
    await post('/api/auth/code', { email: 'x', code: '123456' }),
    422,
    'Introduce un email válido',
  )
})

api('opening the mailed page signs nobody in; its button does', async () => {
  await askLink('escaner@ejemplo.es')
  const { link } = lastMailTo(server.dataDir, 'escaner@ejemplo.es')
  const url = server.url + new URL(link).pathname + new URL(link).search
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await fetch(url, { method })
    assert.is(page.status, 200)
    assert.is(sessionCookieOf(page), undefined)
    assert.is(page.headers.get('cache-control'), 'no-store')
    assert.is(page.headers.get('referrer-policy'), 'same-origin')
  }
  const html = await (await fetch(url)).text()
  assert.match(html, 'escaner@ejemplo.es')
  assert.match(html, 'Entrar en Perrario')
  const done = await postForm('/api/auth/link', { token: tokenOf(link) })
  assert.is(done.status, 303)
  assert.is(done.headers.get('location'), '/perfil')
  assert.is((await whoIs(cookiePair(sessionCookieOf(done)))).user!.email, 'escaner@ejemplo.es')

  const again = await postForm('/api/auth/link', { token: tokenOf(link) })
  assert.is(again.status, 303)
  assert.is(again.headers.get('location'), `/login/enlace?token=${tokenOf(link)}`)
  assert.is(sessionCookieOf(again), undefined)
  assert.match(await (await fetch(url)).text(), 'Este enlace ya se ha usado')
})

api('unknown links show a message, and other tokens are refused', async () => {
  const page = await fetch(`${server.url}/login/enlace?token=${'x'.repeat(43)}`)
  assert.is(page.status, 404)
  assert.match(await page.text(), 'Este enlace no es válido')
  assert.is((await fetch(`${server.url}/login/enlace`)).status, 404)
  for (const token of ['', 'corto', 'x'.repeat(5000), 7, null])
    assert.is((await post('/api/auth/link', { token })).status, 422)
})

api('two simultaneous first sign-ins create one account', async () => {
  await askLink('doble@ejemplo.es')
  const a = lastMailTo(server.dataDir, 'doble@ejemplo.es').code
  await askLink('doble@ejemplo.es')
  const b = lastMailTo(server.dataDir, 'doble@ejemplo.es').code
  const answers = await Promise.all([a, b].map((code) => post('/api/auth/code', { email: 'doble@ejemplo.es', code })))
  const users = (await Promise.all(answers.filter((r) => r.ok).map((r) => r.json()))) as { user: { id: string } }[]
  assert.is(new Set(users.map((u) => u.user.id)).size, 1)
})

api.run()
