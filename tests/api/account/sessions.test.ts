import { randomUUID } from 'node:crypto'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { accountHelpers } from '#tests/support/account/account-helpers.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, assertProblem, call, contentOf, pluck, redirectOf, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const { newMember, who, post } = accountHelpers(server)
const FOREIGN = { Origin: 'https://otro.ejemplo' }

const api = suite('api/account/sessions')

api('without a session the account is 401, and a form redirects to sign-in', async () => {
  for (const cookie of ['', 'perrario=caducada']) {
    for (const [method, path] of [
      ['GET', '/api/account/export'],
      ['GET', '/api/account/sessions'],
      ['DELETE', '/api/account/sessions'],
      ['POST', '/api/account/sessions'],
      ['DELETE', `/api/account/sessions/${UNKNOWN_ID}`],
    ] as const)
      assertProblem(await call(server, path, { method, cookie }), 401, 'Inicia sesión para continuar.')
    const json = { dogs: 'keep' }
    assertProblem(
      await call(server, '/api/account', { method: 'DELETE', cookie, json }),
      401,
      'Inicia sesión para continuar.',
    )
    for (const path of ['/api/account', '/api/account/sessions', `/api/account/sessions/${UNKNOWN_ID}`]) {
      assert.equal(redirectOf(await post(path, cookie, { dogs: 'keep', alias: 'x' })), [303, '/login'], path)
    }
    assert.equal(redirectOf(await call(server, '/perfil/cuenta', { cookie })), [302, '/login'])
  }
})

api('a page of another origin cannot end sessions or delete the account: 403', async () => {
  const { cookie } = await newMember()
  for (const [method, path, type] of [
    ['DELETE', '/api/account', 'application/json'],
    ['POST', '/api/account', 'application/x-www-form-urlencoded'],
    ['DELETE', '/api/account/sessions', 'application/json'],
    ['POST', '/api/account/sessions', 'application/x-www-form-urlencoded'],
    ['POST', `/api/account/sessions/${UNKNOWN_ID}`, 'text/plain'],
  ] as const)
    assertProblem(
      await call(server, path, { method, cookie, body: '{}', headers: { ...FOREIGN, 'Content-Type': type } }),
      403,
      'La petición viene de otro sitio.',
    )
  assert.ok(await who(cookie))
})

api('sessions are listed with their device and ended one by one or all at once', async () => {
  const ana = await newMember()
  const luis = await newMember()
  const phone = await createSession(server.db, ana.id, undefined, 'Chrome en Android')
  const phoneCookie = `perrario=${phone.token}`
  const { status, body, headers } = await call(server, '/api/account/sessions', { cookie: ana.cookie })
  assert.equal([status, headers.get('cache-control')], [200, 'no-store'])
  const [newer, own] = body.sessions
  assert.equal([newer.device, newer.current, own.device, own.current], ['Chrome en Android', false, null, true])
  assert.equal(Object.keys(own).sort(), ['created_at', 'current', 'device', 'expires_at', 'id', 'new_device'])

  const his = (await call(server, '/api/account/sessions', { cookie: luis.cookie })).body.sessions[0].id
  const end = (id: string, cookie = ana.cookie) =>
    call(server, `/api/account/sessions/${id}`, { method: 'DELETE', cookie })
  assertProblem(await end(his), 403, 'Solo puedes cerrar tus propias sesiones.')
  assertProblem(await end(UNKNOWN_ID), 404, 'Esa sesión ya está cerrada.')
  assert.is((await end('abc')).status, 404)
  assert.ok(await who(luis.cookie))

  assert.is((await end(newer.id)).status, 204)
  assert.is(await who(phoneCookie), null)
  assert.ok(await who(ana.cookie))
  assertProblem(await end(newer.id), 404, 'Esa sesión ya está cerrada.')

  const third = await createSession(server.db, ana.id)
  const all = await call(server, '/api/account/sessions', { method: 'DELETE', cookie: ana.cookie })
  assert.equal(contentOf(all), [200, { user: null, expiresAt: null }])
  assert.match(all.headers.get('set-cookie')!, /^perrario=deleted;.*Expires=Thu, 01 Jan 1970/)
  for (const cookie of [ana.cookie, `perrario=${third.token}`]) assert.is(await who(cookie), null)
  assert.ok(await who(luis.cookie))
})

api('without script, forms return to the page, or home after ending one’s own session', async () => {
  const { id, cookie } = await newMember()
  await createSession(server.db, id)
  const [other, own] = (await call(server, '/api/account/sessions', { cookie })).body.sessions
  const first = await post(`/api/account/sessions/${other.id}`, cookie)
  assert.equal(redirectOf(first), [303, '/perfil/cuenta?hecho=sesion#sesiones'])
  assert.match((await call(server, '/perfil/cuenta?hecho=sesion', { cookie })).body, 'Sesión cerrada.')
  const second = await post(`/api/account/sessions/${own.id}`, cookie)
  assert.equal(redirectOf(second), [303, '/'])
  assert.match(second.headers.get('set-cookie')!, 'perrario=deleted')
  assert.is(await who(cookie), null)
})

api('signing in stores the device’s name', async () => {
  const email = `${randomUUID()}@ejemplo.es`
  await call(server, '/api/auth/magic-link', { method: 'POST', json: { email } })
  const { code } = lastMailTo(server.dataDir, email)
  const { headers } = await call(server, '/api/auth/code', {
    method: 'POST',
    json: { email, code },
    headers: { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0' },
  })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const { sessions } = (await call(server, '/api/account/sessions', { cookie })).body
  assert.equal(pluck(sessions, 'device'), ['Firefox en Windows'])
})

api('the page shows sessions and data, and no secret', async () => {
  const { email, cookie } = await newMember()
  const { status, body, headers } = await call(server, '/perfil/cuenta', { cookie })
  assert.equal([status, headers.get('cache-control')], [200, 'no-store'])
  for (const words of [
    email,
    'Este dispositivo',
    'Cerrar en todos los dispositivos',
    'Descargar mis datos',
    'Eliminar mi cuenta',
  ])
    assert.match(body, words)
  assert.not.match(body, cookie.split('=')[1]!)
})

api.after(() => server.dispose())
