import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import { cookiesOf, startSignInServer, cookiePair, assertProblemResponse } from '#tests/support/auth/sign-in-server.ts'

// How often mails are sent and codes tried, and whom that does not hold up.

const api = suite('api/auth/sign-in-limits')
const { server, post, postForm, askLink } = await startSignInServer()
api.after(() => server.dispose())

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
  const refused = await guess()
  assert.is(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

api.run()
