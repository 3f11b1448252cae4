import { cookiePair, cookiesOf, startSignInServer } from '#tests/support/auth/sign-in-server.ts'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import { assert, assertMatches, call, pick, redirectOf, suite } from '#tests/support/suites.ts'

// A sign-in on a new device over HTTP: the mail, its page, which works without script, and the member's list of sessions.

type Site = Awaited<ReturnType<typeof startSignInServer>>
const devices = suite<Site>('api/auth/new-device')
devices.before(async (t) => {
  Object.assign(t, await startSignInServer())
})
devices.after((t) => t.server.dispose())

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Signs in by mail, with the cookies of a browser. @returns its cookies afterwards */
async function signIn(t: Site, email: string, userAgent: string, cookies = ''): Promise<string> {
  await t.askLink(email)
  const { code } = readOutbox(t.server.dataDir).findLast((mail) => mail.headers.to === email && mail.code !== '')!
  const headers = { 'User-Agent': userAgent, ...(cookies && { Cookie: cookies }) }
  const response = await t.post('/api/auth/code', { email, code }, headers)
  assert.is(response.status, 200, await response.clone().text())
  return cookiesOf(response).map(cookiePair).join('; ')
}

const alertsTo = (t: Site, email: string) =>
  readOutbox(t.server.dataDir).filter(
    ({ headers }) => headers.to === email && /Dispositivo nuevo/.test(headers.subject!),
  )

devices('the mail’s page asks, and its button ends every session', async (t) => {
  const email = 'ana@ejemplo.es'
  const own = await signIn(t, email, FIREFOX)
  assert.is(alertsTo(t, email).length, 0, 'the sign-in that opens an account')
  const known = own.split('; ').find((pair) => pair.startsWith('perrario-aparato='))!
  const again = await signIn(t, email, FIREFOX, known)
  assert.is(alertsTo(t, email).length, 0, 'a device that was here before')
  const stranger = await signIn(t, email, CHROME)
  assert.is(alertsTo(t, email).length, 1)
  const { link, text } = lastMailTo(t.server.dataDir, email)
  assert.match(text, '· Chrome en Windows, ')
  assert.not.match(text, /\b\d+\.\d+\.\d+\.\d+\b/, 'no network address')

  const bell = await call(t.server, '/api/notifications', { cookie: again })
  assert.equal(
    [bell.body.notifications[0].title, bell.body.notifications[0].path],
    ['Dispositivo nuevo', '/perfil/cuenta#sesiones'],
  )
  const account = await call(t.server, '/perfil/cuenta', { cookie: again })
  assertMatches(account.body, 'Dispositivo nuevo', /action="\/api\/account\/sessions\/[\w-]+\/disown"/)

  const { pathname, search, searchParams } = new URL(link)
  for (let i = 0; i < 2; i++) {
    const page = await call(t.server, pathname + search)
    assert.equal([page.status, page.headers.get('referrer-policy')], [200, 'same-origin'])
    assertMatches(page.body, 'Chrome en Windows, ', /<form[^>]*method="post"[^>]*action="\/api\/account\/disown"/)
  }
  assert.ok((await t.whoIs(stranger)).user, 'a scanner that opens the link ends nothing')
  const token = searchParams.get('token')!
  assert.equal(redirectOf(await t.postForm('/api/account/disown', { token })), [303, '/no-he-sido-yo?hecho=si'])
  assert.is((await t.whoIs(stranger)).user, null)
  assert.is((await t.whoIs(again)).user, null)
  const advice = (await call(t.server, '/no-he-sido-yo?hecho=si')).body
  for (const place of [
    '/perfil/cuenta#sesiones',
    '/perfil/cuenta#llaves',
    '/perfil/cuenta#entrada',
    '/perfil/seguridad#recuperacion',
  ])
    assert.match(advice, `href="${place}"`)
  assert.is((await t.post('/api/account/disown', { token })).status, 409)
  assert.is((await t.postForm('/api/account/disown', { token })).headers.get('location'), pathname + search)
  assert.match((await call(t.server, pathname + search)).body, 'Ya está hecho')
  assert.is((await call(t.server, '/no-he-sido-yo?token=x')).status, 404)
  await signIn(
    t,
    email,
    CHROME,
    stranger.split('; ').find((pair) => pair.startsWith('perrario-aparato='))!,
  )
  assert.is(alertsTo(t, email).length, 2, 'the device was forgotten')
})

devices('the list of sessions ends it by a plain form, and says what else to look at', async (t) => {
  const email = 'luis@ejemplo.es'
  const own = await signIn(t, email, FIREFOX)
  const stranger = await signIn(t, email, CHROME)
  const { sessions } = (await call(t.server, '/api/account/sessions', { cookie: own })).body
  const news = sessions.filter((session: { new_device: boolean }) => session.new_device)
  assert.equal(pick(news, 'device', 'current'), [['Chrome en Windows', false]])
  const path = `/api/account/sessions/${news[0].id}/disown`
  assert.is((await t.post(path, {})).status, 401)
  assert.equal(redirectOf(await t.postForm(path, {}, { Cookie: own })), [303, '/no-he-sido-yo?hecho=si'])
  assert.is((await t.whoIs(stranger)).user, null)
  assert.is((await t.post(path, {}, { Cookie: own })).status, 401, 'the session that asked has ended as well')
})
