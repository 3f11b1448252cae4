import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import {
  startSignInServer,
  cookiePair,
  assertProblemResponse,
  sessionCookieOf,
  tokenOf,
  cookiesOf,
} from '#tests/support/auth/sign-in-server.ts'
import { answered, assert, assertMatches, redirectOf, suite } from '#tests/support/suites.ts'

// What a mailed code and a mailed link do, how often they are sent and tried, and whom that does not hold up.

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
    const page = await answered(200, fetch(url, { method }))
    assert.is(sessionCookieOf(page), undefined)
    assert.equal([page.headers.get('cache-control'), page.headers.get('referrer-policy')], ['no-store', 'same-origin'])
  }
  assertMatches(await (await fetch(url)).text(), 'escaner@ejemplo.es', 'Entrar en Perrario')
  const done = await postForm('/api/auth/link', { token: tokenOf(link) })
  assert.equal(redirectOf(done), [303, '/perfil'])
  assert.is((await whoIs(cookiePair(sessionCookieOf(done)))).user!.email, 'escaner@ejemplo.es')

  const again = await postForm('/api/auth/link', { token: tokenOf(link) })
  assert.equal(redirectOf(again), [303, `/login/enlace?token=${tokenOf(link)}`])
  assert.is(sessionCookieOf(again), undefined)
  assert.match(await (await fetch(url)).text(), 'Este enlace ya se ha usado')
})

api('unknown links show a message, and other tokens are refused', async () => {
  const page = await answered(404, fetch(`${server.url}/login/enlace?token=${'x'.repeat(43)}`))
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

api('one sender may request more than five mails a minute, but not unlimited ones', async () => {
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
  await assertProblemResponse(last!, 429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.')
  const form = await postForm(
    '/api/auth/magic-link',
    { email: 'lluvia@ejemplo.es' },
    { 'X-Forwarded-For': '192.0.2.1' },
  )
  const page = await fetch(`${server.url}/login`, { headers: { Cookie: cookiePair(cookiesOf(form)[0]) } })
  assert.match(
    await page.text(),
    'Error enviando el enlace: Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
  )
})

/** What the browser keeps of an answer. */
const jarOf = (response: Response) => cookiesOf(response).map(cookiePair).join('; ')
api(
  'a mailbox receives five mails an hour from all networks and in any spelling; the sixth answer says until when the last is good',
  async () => {
    const spellings = ['buzon@gmail.com', 'bu.zon@gmail.com', 'buzon+a@gmail.com', 'Buzon@Googlemail.com']
    const before = readOutbox(server.dataDir).length
    for (let i = 0; i < 12; i++) {
      const response = await askLink(spellings[i % spellings.length]!)
      const { notice, ...body } = (await response.json()) as { sent: true; notice?: string }
      assert.equal([response.status, body], [202, { sent: true }])
      if (i < 5) assert.is(notice, undefined)
      else
        assert.match(
          notice!,
          /^Ya te hemos enviado varios mensajes, .* El último vale hasta las \d\d?:\d\d \(hora peninsular\)/,
        )
    }
    const form = await postForm('/api/auth/magic-link', { email: spellings[0]! }, { 'X-Forwarded-For': '192.0.2.3' })
    const page = await fetch(server.url + form.headers.get('location')!, { headers: { Cookie: jarOf(form) } })
    assert.match(await page.text(), 'El último vale hasta las')
    assert.is(readOutbox(server.dataDir).length - before, 5)
  },
)

api('the owner signs in on a known device, by its own mails and by code', async () => {
  const email = 'victima@gmail.com'
  await askLink(email)
  const first = await post('/api/auth/code', { email, code: lastMailTo(server.dataDir, email).code })
  const device = cookiesOf(first).find((cookie) => cookie.startsWith('perrario-aparato='))!
  for (const flag of [/; HttpOnly/i, /; SameSite=Lax/i, /; Max-Age=34560000/i]) assert.match(device, flag)
  for (let i = 0; i < 8; i++) await askLink('v.ictima+x@gmail.com')
  const before = readOutbox(server.dataDir).length
  await askLink(email)
  assert.is(readOutbox(server.dataDir).length, before, 'strangers have used up theirs')
  const Cookie = cookiePair(device)
  await post('/api/auth/magic-link', { email }, { Cookie })
  assert.is(readOutbox(server.dataDir).length, before + 1)
  const { code } = lastMailTo(server.dataDir, email)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let i = 0; i < 7; i++) assert.is((await post('/api/auth/code', { email, code: wrong })).status, 422)
  assert.is((await post('/api/auth/code', { email, code })).status, 422, 'elsewhere the code is void')
  assert.is((await post('/api/auth/code', { email, code }, { Cookie })).status, 200)
})

api('a known device is not delayed by its network’s requests', async () => {
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

api('code attempts are limited: 30 in five minutes from one sender', async () => {
  const guess = () =>
    post('/api/auth/code', { email: 'nadie@ejemplo.es', code: '123456' }, { 'X-Forwarded-For': '192.0.2.2' })
  for (let i = 0; i < 30; i++) assert.is((await guess()).status, 422)
  assert.ok(Number((await answered(429, guess())).headers.get('retry-after')) > 0)
})
