import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const api = suite('sign-in API')
let server: TestServer
api.before(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
})
api.after(() => server.dispose())

let sender = 0
/** Each call comes from an address of its own, so that limits meet only the tests that look for them. */
const headersOf = (extra: Record<string, string> = {}) => ({
  'X-Forwarded-For': `10.0.${++sender >> 8}.${sender & 255}`,
  ...extra,
})
const post = (path: string, body: object, extra: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: headersOf({ 'Content-Type': 'application/json', ...extra }),
    body: JSON.stringify(body),
  })
const postForm = (path: string, fields: Record<string, string>, extra: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: headersOf(extra),
    body: new URLSearchParams(fields),
  })
const askLink = (email: string) => post('/api/auth/magic-link', { email })
const cookiesOf = (response: Response) => response.headers.getSetCookie()
const sessionOf = (response: Response) => cookiesOf(response).find((c) => c.startsWith('perrario='))
const pair = (cookie: string | undefined) => cookie!.split(';')[0]!
const tokenOf = (link: string) => new URL(link).searchParams.get('token')!
const whoIs = async (cookie?: string) => {
  const response = await fetch(`${server.url}/api/session`, { headers: cookie ? { Cookie: cookie } : {} })
  return (await response.json()) as { user: Record<string, unknown> | null; expiresAt: number | null }
}

async function problemIs(response: Response, status: number, detail: string) {
  assert.is(response.status, status)
  assert.match(response.headers.get('content-type')!, 'application/problem+json')
  const body = (await response.json()) as Record<string, unknown>
  assert.is(body.detail, detail)
  assert.is(body.status, status)
  return body
}

api('nobody is signed in at first', async () => {
  const response = await fetch(`${server.url}/api/session`)
  assert.equal(await response.json(), { user: null, expiresAt: null })
  assert.is(response.headers.get('cache-control'), 'no-store')
})

api('a link is answered alike for known and unknown addresses', async () => {
  const first = await askLink('Nueva@Ejemplo.es')
  assert.is(first.status, 202)
  assert.equal(await first.json(), { sent: true })
  await post('/api/auth/code', { email: 'nueva@ejemplo.es', code: lastMailTo(server.dataDir, 'nueva@ejemplo.es').code })
  const second = await askLink('nueva@ejemplo.es')
  assert.is(second.status, 202)
  assert.equal(await second.json(), { sent: true })
})

api('the mail is one plain UTF-8 file: Spanish, link, code alone on a line, no base64', async () => {
  await askLink('correo@ejemplo.es')
  const mail = lastMailTo(server.dataDir, 'correo@ejemplo.es')
  assert.match(mail.file, /\.eml$/)
  assert.not.match(mail.raw, /base64/i)
  assert.not.match(mail.raw, /quoted-printable/i)
  assert.is(mail.headers.subject, 'Tu enlace para entrar en Perrario')
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
  assert.equal(
    readdirSync(server.dataDir).filter((name) => name.startsWith('.mail-')),
    [],
    'no draft stays behind',
  )
})

api('the link never leads where the Host header says', async () => {
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

api('bad addresses get the sentences of the specification and no mail', async () => {
  const before = readOutbox(server.dataDir).length
  const blank = await problemIs(await askLink('  '), 422, 'Por favor, introduce tu email')
  assert.equal(blank.errors, { email: 'Por favor, introduce tu email' })
  await problemIs(await post('/api/auth/magic-link', {}), 422, 'Por favor, introduce tu email')
  for (const email of [
    'ana',
    'a@b',
    'x@x.es\r\nBcc: todos@x.es',
    'x@x.es, y@x.es',
    'Y <y@x.es>',
    'a'.repeat(300) + '@x.es',
  ])
    await problemIs(await askLink(email), 422, 'Introduce un email válido')
  for (const email of [7, ['a@x.es'], { a: 1 }, true])
    assert.is((await post('/api/auth/magic-link', { email })).status, 422)
  assert.is(readOutbox(server.dataDir).length, before)
})

api('bodies that are no JSON, too large or of another type are refused', async () => {
  const send = (body: string, type: string) =>
    fetch(`${server.url}/api/auth/magic-link`, { method: 'POST', headers: headersOf({ 'Content-Type': type }), body })
  assert.is((await send('{', 'application/json')).status, 422)
  assert.is((await send('null', 'application/json')).status, 422)
  assert.is((await send('email=a', 'text/plain')).status, 415)
  assert.is((await send(`{"email":"${'a'.repeat(70_000)}"}`, 'application/json')).status, 413)
  assert.is((await send(`email=${'a'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status, 413)
})

api('another origin may not ask for a mail, sign in or sign out', async () => {
  for (const path of ['/api/auth/magic-link', '/api/auth/code', '/api/auth/link', '/api/auth/sign-out']) {
    for (const Origin of ['https://malo.example', 'null'])
      await problemIs(await post(path, { email: 'x@x.es' }, { Origin }), 403, 'La petición viene de otro sitio.')
    assert.is((await postForm(path, { email: 'x@x.es' }, { Origin: 'https://malo.example' })).status, 403)
    assert.is((await post(path, {}, { 'Sec-Fetch-Site': 'cross-site' })).status, 403)
  }
})

api('the typed code signs in without any earlier cookie, and the session says who it is', async () => {
  await askLink('codigo@ejemplo.es')
  const { code } = lastMailTo(server.dataDir, 'codigo@ejemplo.es')
  const response = await post('/api/auth/code', {
    email: ' Codigo@ejemplo.es ',
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  })
  assert.is(response.status, 200)
  const cookie = sessionOf(response)!
  for (const flag of [/; HttpOnly/i, /; SameSite=Lax/i, /; Path=\//i, /; Max-Age=2592000/i]) assert.match(cookie, flag)
  assert.not.match(cookie, /Secure|Domain/i)
  const { user, expiresAt } = await whoIs(pair(cookie))
  assert.equal(Object.keys(user!).sort(), ['alias', 'email', 'emoji', 'id', 'verified'])
  assert.is(user!.email, 'codigo@ejemplo.es')
  assert.match(user!.alias as string, /^Perrit\d+$/)
  assert.ok(Math.abs(expiresAt! - Date.now() - 30 * 86_400_000) < 120_000)
  assert.equal(await response.json(), { user, expiresAt })
})

api('a code serves once, its link is then dead too', async () => {
  await askLink('una@ejemplo.es')
  const { code, link } = lastMailTo(server.dataDir, 'una@ejemplo.es')
  assert.is((await post('/api/auth/code', { email: 'una@ejemplo.es', code })).status, 200)
  await problemIs(
    await post('/api/auth/code', { email: 'una@ejemplo.es', code }),
    422,
    'El código no es correcto o ya no vale. Revísalo o pide otro.',
  )
  await problemIs(await post('/api/auth/link', { token: tokenOf(link) }), 422, 'Este enlace ya no vale. Pide otro.')
})

api('five mistyped codes void the code, not the link', async () => {
  await askLink('torpe@ejemplo.es')
  const { code, link } = lastMailTo(server.dataDir, 'torpe@ejemplo.es')
  const wrong = code === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++)
    assert.is((await post('/api/auth/code', { email: 'torpe@ejemplo.es', code: wrong })).status, 422)
  assert.is((await post('/api/auth/code', { email: 'torpe@ejemplo.es', code })).status, 422)
  assert.is((await post('/api/auth/link', { token: tokenOf(link) })).status, 200)
})

api('bad codes are told apart from wrong ones', async () => {
  for (const code of ['', '12', 'abcdef', null, 123456])
    await problemIs(await post('/api/auth/code', { email: 'x@x.es', code }), 422, 'Escribe las 6 cifras del código.')
  await problemIs(await post('/api/auth/code', { email: 'x', code: '123456' }), 422, 'Introduce un email válido')
})

api('opening the mailed page signs nobody in, however often; its button does', async () => {
  await askLink('escaner@ejemplo.es')
  const { link } = lastMailTo(server.dataDir, 'escaner@ejemplo.es')
  const url = server.url + new URL(link).pathname + new URL(link).search
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await fetch(url, { method })
    assert.is(page.status, 200)
    assert.is(sessionOf(page), undefined)
    assert.is(page.headers.get('cache-control'), 'no-store')
    assert.is(page.headers.get('referrer-policy'), 'same-origin')
  }
  const html = await (await fetch(url)).text()
  assert.match(html, 'escaner@ejemplo.es')
  assert.match(html, 'Entrar en Perrario')
  const done = await postForm('/api/auth/link', { token: tokenOf(link) })
  assert.is(done.status, 303)
  assert.is(done.headers.get('location'), '/perfil')
  assert.is((await whoIs(pair(sessionOf(done)))).user!.email, 'escaner@ejemplo.es')

  const again = await postForm('/api/auth/link', { token: tokenOf(link) })
  assert.is(again.status, 303)
  assert.is(again.headers.get('location'), `/login/enlace?token=${tokenOf(link)}`)
  assert.is(sessionOf(again), undefined)
  assert.match(await (await fetch(url)).text(), 'Este enlace ya se ha usado')
})

api('links that were never ours say so, and other tokens are refused', async () => {
  const page = await fetch(`${server.url}/login/enlace?token=${'x'.repeat(43)}`)
  assert.is(page.status, 404)
  assert.match(await page.text(), 'Este enlace no es válido')
  assert.is((await fetch(`${server.url}/login/enlace`)).status, 404)
  for (const token of ['', 'corto', 'x'.repeat(5000), 7, null])
    assert.is((await post('/api/auth/link', { token })).status, 422)
})

api('signing in replaces a session that was there, so that a planted one leads nowhere', async () => {
  await askLink('fija@ejemplo.es')
  const one = await post('/api/auth/code', {
    email: 'fija@ejemplo.es',
    code: lastMailTo(server.dataDir, 'fija@ejemplo.es').code,
  })
  const planted = pair(sessionOf(one))
  await askLink('victima@ejemplo.es')
  const two = await post(
    '/api/auth/code',
    { email: 'victima@ejemplo.es', code: lastMailTo(server.dataDir, 'victima@ejemplo.es').code },
    { Cookie: planted },
  )
  assert.is.not(pair(sessionOf(two)), planted)
  assert.is((await whoIs(planted)).user, null)
  assert.is((await whoIs(pair(sessionOf(two)))).user!.email, 'victima@ejemplo.es')
  const invented = await whoIs('perrario=inventado')
  assert.is(invented.user, null)
})

api('signing out ends the session on the server, for programs and for plain forms', async () => {
  for (const way of ['json', 'form']) {
    const email = `${way}@ejemplo.es`
    await askLink(email)
    const entered = await post('/api/auth/code', { email, code: lastMailTo(server.dataDir, email).code })
    const cookie = pair(sessionOf(entered))
    const response =
      way === 'json'
        ? await post('/api/auth/sign-out', {}, { Cookie: cookie })
        : await postForm('/api/auth/sign-out', {}, { Cookie: cookie })
    assert.is(response.status, way === 'json' ? 200 : 303)
    assert.match(sessionOf(response)!, /^perrario=;|Max-Age=0|Expires=Thu, 01 Jan 1970/i)
    assert.is((await whoIs(cookie)).user, null)
  }
  assert.is((await post('/api/auth/sign-out', {})).status, 200)
})

api('plain forms: the page with the code field knows the address, errors come back with what was typed', async () => {
  const sent = await postForm('/api/auth/magic-link', { email: 'Llana@ejemplo.es' })
  assert.is(sent.status, 303)
  assert.is(sent.headers.get('location'), '/login/codigo')
  const memory = pair(cookiesOf(sent)[0])
  const page = await (await fetch(`${server.url}/login/codigo`, { headers: { Cookie: memory } })).text()
  assert.match(page, 'Revisa tu email')
  assert.match(page, 'Llana@ejemplo.es')

  const bad = await postForm('/api/auth/magic-link', { email: 'mal"escrito' })
  assert.is(bad.headers.get('location'), '/login')
  const shown = await fetch(`${server.url}/login`, { headers: { Cookie: pair(cookiesOf(bad)[0]) } })
  const html = await shown.text()
  assert.match(html, 'Introduce un email válido')
  assert.match(html, 'value="mal&quot;escrito"')

  const wrong = await postForm('/api/auth/code', { email: 'llana@ejemplo.es', code: '12' })
  assert.is(wrong.headers.get('location'), '/login/codigo')
  const { code } = lastMailTo(server.dataDir, 'llana@ejemplo.es')
  const right = await postForm('/api/auth/code', { email: 'llana@ejemplo.es', code })
  assert.is(right.headers.get('location'), '/perfil')
  assert.is((await whoIs(pair(sessionOf(right)))).user!.email, 'llana@ejemplo.es')
})

api('two first sign-ins at once make one account', async () => {
  await askLink('doble@ejemplo.es')
  const a = lastMailTo(server.dataDir, 'doble@ejemplo.es').code
  await askLink('doble@ejemplo.es')
  const b = lastMailTo(server.dataDir, 'doble@ejemplo.es').code
  const answers = await Promise.all([a, b].map((code) => post('/api/auth/code', { email: 'doble@ejemplo.es', code })))
  const users = (await Promise.all(answers.filter((r) => r.ok).map((r) => r.json()))) as { user: { id: string } }[]
  assert.is(new Set(users.map((u) => u.user.id)).size, 1)
})

api('providers that are not configured answer 503, unknown ones 404', async () => {
  await problemIs(
    await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' }),
    503,
    'La entrada con Google no está configurada en este sitio.',
  )
  for (const name of ['facebook', 'apple', 'github'])
    assert.is((await fetch(`${server.url}/api/auth/${name}`)).status, 503)
  for (const name of ['toString', 'otro']) assert.is((await fetch(`${server.url}/api/auth/${name}`)).status, 404)
})

api("the development server's fake user does not exist here", async () => {
  assert.is((await post('/api/auth/dev', {})).status, 404)
})

api('who fills in the field that nobody sees is told the same as everybody, and no mail is sent', async () => {
  const before = readOutbox(server.dataDir).length
  const json = await post('/api/auth/magic-link', { email: 'robot@ejemplo.es', hueso: 'https://ejemplo.es' })
  assert.is(json.status, 202)
  assert.equal(await json.json(), { sent: true })
  const form = await postForm('/api/auth/magic-link', { email: 'robot@ejemplo.es', hueso: 'x' })
  assert.equal([form.status, form.headers.get('location')], [303, '/login/codigo'])
  assert.is(readOutbox(server.dataDir).length, before)
  const html = await (await fetch(`${server.url}/login`)).text()
  const trap = /<div class="trap" aria-hidden="true">.*?(<input[^>]*>)/.exec(html)![1]!
  for (const attribute of ['name="hueso"', 'tabindex="-1"', 'autocomplete="off"'])
    assert.ok(trap.toLowerCase().includes(attribute), trap)
  assert.is((await postForm('/api/auth/magic-link', { email: 'robot@ejemplo.es', hueso: '' })).status, 303)
  assert.is(readOutbox(server.dataDir).length, before + 1)
})

api('one sender may ask for more than five mails a minute, but not for endless ones', async () => {
  const statuses: number[] = []
  let last: Response | undefined
  for (let i = 0; i < 12; i++) {
    last = await post('/api/auth/magic-link', { email: `lluvia${i}@ejemplo.es` }, { 'X-Forwarded-For': '192.0.2.1' })
    statuses.push(last.status)
  }
  assert.equal(statuses.slice(0, 10), Array(10).fill(202))
  assert.equal(statuses.slice(10), [429, 429])
  const wait = Number(last!.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  await problemIs(last!, 429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.')
  const form = await postForm(
    '/api/auth/magic-link',
    { email: 'lluvia@ejemplo.es' },
    { 'X-Forwarded-For': '192.0.2.1' },
  )
  const page = await fetch(`${server.url}/login`, { headers: { Cookie: pair(cookiesOf(form)[0]) } })
  assert.match(
    await page.text(),
    'Error enviando el enlace: Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
  )
})

/** What the browser keeps of an answer. */
const jarOf = (response: Response) => cookiesOf(response).map(pair).join('; ')

api('a mailbox gets five mails an hour, whoever asks and however it is spelt, and nobody is told', async () => {
  const spellings = ['buzon@gmail.com', 'bu.zon@gmail.com', 'buzon+a@gmail.com', 'Buzon@Googlemail.com']
  const before = readOutbox(server.dataDir).length
  for (let i = 0; i < 12; i++) {
    const response = await askLink(spellings[i % spellings.length]!)
    assert.equal([response.status, await response.json()], [202, { sent: true }])
  }
  assert.is(readOutbox(server.dataDir).length - before, 5)
})

api('its owner comes in on a device that signed in before: by its own mails, and by code', async () => {
  const email = 'victima@gmail.com'
  await askLink(email)
  const first = await post('/api/auth/code', { email, code: lastMailTo(server.dataDir, email).code })
  const device = cookiesOf(first).find((cookie) => cookie.startsWith('perrario-aparato='))!
  for (const flag of [/; HttpOnly/i, /; SameSite=Lax/i, /; Max-Age=34560000/i]) assert.match(device, flag)
  for (let i = 0; i < 8; i++) await askLink('v.ictima+x@gmail.com')
  const before = readOutbox(server.dataDir).length
  await askLink(email)
  assert.is(readOutbox(server.dataDir).length, before, 'strangers have used up theirs')
  const Cookie = pair(device)
  await post('/api/auth/magic-link', { email }, { Cookie })
  assert.is(readOutbox(server.dataDir).length, before + 1)
  const { code } = lastMailTo(server.dataDir, email)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let i = 0; i < 7; i++) assert.is((await post('/api/auth/code', { email, code: wrong })).status, 422)
  assert.is((await post('/api/auth/code', { email, code })).status, 422, 'elsewhere the code is void')
  assert.is((await post('/api/auth/code', { email, code }, { Cookie })).status, 200)
})

api('a device that is known is not held up by what its network asks for', async () => {
  const email = 'vecina@ejemplo.es'
  const same = { 'X-Forwarded-For': '192.0.2.77' }
  await askLink(email)
  const first = await post('/api/auth/code', { email, code: lastMailTo(server.dataDir, email).code })
  for (let i = 0; i < 11; i++) await post('/api/auth/magic-link', { email: `otra${i}@ejemplo.es` }, same)
  for (let i = 0; i < 31; i++) await post('/api/auth/code', { email: 'nadie@ejemplo.es', code: '123456' }, same)
  assert.is((await post('/api/auth/magic-link', { email }, same)).status, 429)
  const known = { ...same, Cookie: jarOf(first).replace(/perrario=[^;]+; /, '') }
  assert.is((await post('/api/auth/magic-link', { email }, known)).status, 202)
  const { code } = lastMailTo(server.dataDir, email)
  assert.is((await post('/api/auth/code', { email, code }, known)).status, 200)
})

api('codes are guessed slowly: 30 tries in five minutes from one sender', async () => {
  const guess = () =>
    post('/api/auth/code', { email: 'nadie@ejemplo.es', code: '123456' }, { 'X-Forwarded-For': '192.0.2.2' })
  for (let i = 0; i < 30; i++) assert.is((await guess()).status, 422)
  const refused = await guess()
  assert.is(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

api.run()
