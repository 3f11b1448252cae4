import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import {
  startSignInServer,
  assertProblemResponse,
  cookiesOf,
  cookiePair,
  sessionCookieOf,
} from '#tests/support/auth/sign-in-server.ts'
import { answered, assert, assertMatches, assertNoMatch, assertNone, redirectOf, suite } from '#tests/support/suites.ts'

// Who is sent a mail and what is in it, what may be asked and by whom, what a session is and how it ends.

const api = suite('api/auth/sign-in-sessions')
const { server, headersOf, post, postForm, askLink, whoIs } = await startSignInServer()
api.after(() => server.dispose())

api('a link request has the same response for known and unknown addresses', async () => {
  assert.equal(await (await answered(202, askLink('Nueva@Ejemplo.es'))).json(), { sent: true })
  await post('/api/auth/code', { email: 'nueva@ejemplo.es', code: lastMailTo(server.dataDir, 'nueva@ejemplo.es').code })
  assert.equal(await (await answered(202, askLink('nueva@ejemplo.es'))).json(), { sent: true })
})

api('the mail is one plain UTF-8 part in Spanish, with the link, the code on its own line and no base64', async () => {
  await askLink('correo@ejemplo.es')
  const mail = lastMailTo(server.dataDir, 'correo@ejemplo.es')
  assert.match(mail.file, /\.eml$/)
  assertNoMatch(mail.raw, /base64/i, /quoted-printable/i)
  assert.is(mail.headers.subject, `${mail.code.slice(0, 3)} ${mail.code.slice(3)} es tu código de Perrario`)
  assert.is(mail.headers.from, 'Perrario <perrario@localhost>')
  assert.is(mail.headers['auto-submitted'], 'auto-generated')
  assert.match(mail.headers['content-type']!, 'multipart/alternative')
  assert.ok(mail.headers['message-id'] && mail.headers.date)
  assert.match(mail.text, '¡Hola!')
  assert.match(mail.html, '<html lang="es">')
  assert.match(mail.code, /^\d{6}$/)
  assert.match(mail.link, /^http:\/\/localhost:\d+\/login\/enlace\?token=[\w-]{43}$/)
  for (const secret of [mail.link, mail.code])
    assert.not.ok(server.output().includes(secret), 'what is redirected is kept')
  assert.is(statSync(join(server.dataDir, 'outbox', mail.file)).mode & 0o077, 0, 'only the operator reads it')
  assertNone(readdirSync(server.dataDir), (name) => name.startsWith('.mail-'), 'no draft stays behind')
})

api('who asks again is mailed the same code and link, until it is used', async () => {
  const askAndRead = async () => {
    assert.is((await askLink('otra-vez@ejemplo.es')).status, 202)
    const { code, link, text } = lastMailTo(server.dataDir, 'otra-vez@ejemplo.es')
    assert.match(text, 'El enlace y el código valen 15 minutos y sirven una sola vez.')
    return { code, link }
  }
  const first = await askAndRead()
  const [second, third] = await Promise.all([askAndRead(), askAndRead()])
  assert.equal([second, third], [first, first])
  assert.is(readOutbox(server.dataDir).filter(({ headers }) => headers.to === 'otra-vez@ejemplo.es').length, 3)
  assert.is((await post('/api/auth/code', { email: 'otra-vez@ejemplo.es', code: first.code })).status, 200)
  assert.is.not((await askAndRead()).link, first.link)
  await answered(422, post('/api/auth/link', { token: new URL(first.link).searchParams.get('token')! }))
})

api('the link never contains the Host header', async () => {
  const { request } = await import('node:http')
  const body = JSON.stringify({ email: 'host@ejemplo.es' })
  const status = await new Promise<number>((done, fail) => {
    const call = request(`${server.url}/api/auth/magic-link`, {
      method: 'POST',
      headers: headersOf({
        Host: 'malo.example',
        'X-Forwarded-Host': 'malo.example',
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      }),
    })
    call.on('response', (response) => done(response.resume().statusCode!)).on('error', fail)
    call.end(body)
  })
  assert.is(status, 202)
  const mail = lastMailTo(server.dataDir, 'host@ejemplo.es')
  assert.not.match(mail.raw, 'malo.example')
  assert.is(new URL(mail.link).hostname, 'localhost')
})

api('invalid addresses receive the specified messages and no mail', async () => {
  const before = readOutbox(server.dataDir).length
  const blank = await assertProblemResponse(await askLink('  '), 422, 'Por favor, introduce tu email')
  assert.equal(blank.errors, { email: 'Por favor, introduce tu email' })
  await assertProblemResponse(await post('/api/auth/magic-link', {}), 422, 'Por favor, introduce tu email')
  for (const email of [
    'ana',
    'a@b',
    'x@x.es\r\nBcc: todos@x.es',
    'x@x.es, y@x.es',
    'Y <y@x.es>',
    'a'.repeat(300) + '@x.es',
  ])
    await assertProblemResponse(await askLink(email), 422, 'Introduce un email válido')
  for (const email of [7, ['a@x.es'], { a: 1 }, true])
    assert.is((await post('/api/auth/magic-link', { email })).status, 422)
  assert.is(readOutbox(server.dataDir).length, before)
})

api('a filled honeypot receives the usual response, and no mail is sent', async () => {
  const before = readOutbox(server.dataDir).length
  const json = await post('/api/auth/magic-link', { email: 'robot@ejemplo.es', hueso: 'https://ejemplo.es' })
  assert.is(json.status, 202)
  assert.equal(await json.json(), { sent: true })
  const form = await postForm('/api/auth/magic-link', { email: 'robot@ejemplo.es', hueso: 'x' })
  assert.equal(redirectOf(form), [303, '/login/codigo'])
  assert.is(readOutbox(server.dataDir).length, before)
  const html = await (await fetch(`${server.url}/login`)).text()
  const trap = /<div class="trap" aria-hidden="true">.*?(<input[^>]*>)/.exec(html)![1]!
  for (const attribute of ['name="hueso"', 'tabindex="-1"', 'autocomplete="off"'])
    assert.ok(trap.toLowerCase().includes(attribute), trap)
  assert.is((await postForm('/api/auth/magic-link', { email: 'robot@ejemplo.es', hueso: '' })).status, 303)
  assert.is(readOutbox(server.dataDir).length, before + 1)
})

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
  assert.is((await whoIs('perrario=inventado')).user, null)
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
  assert.equal(redirectOf(sent), [303, '/login/codigo'])
  const memory = cookiePair(cookiesOf(sent)[0])
  const page = await (await fetch(`${server.url}/login/codigo`, { headers: { Cookie: memory } })).text()
  assertMatches(page, 'Revisa tu email', 'Llana@ejemplo.es')

  const bad = await postForm('/api/auth/magic-link', { email: 'mal"escrito' })
  assert.is(bad.headers.get('location'), '/login')
  const shown = await fetch(`${server.url}/login`, { headers: { Cookie: cookiePair(cookiesOf(bad)[0]) } })
  assertMatches(await shown.text(), 'Introduce un email válido', 'value="mal&quot;escrito"')

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
