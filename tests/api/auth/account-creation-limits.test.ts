import { CookieJar, submitForm } from '#tests/support/auth/cookie-jar.ts'
import { startSignIn, countAccounts, readFailureMessage, readSessionUser } from '#tests/support/auth/oauth-flow.ts'
import { OAUTH_CLIENT, logIn, startOidc } from '#tests/support/auth/oidc-provider.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { runToEnd, startServer } from '#tests/support/server.ts'
import { assert, call, detailOf, redirectOf, signInMember, suite } from '#tests/support/suites.ts'

const NETWORK_LIMIT_MESSAGE =
  'Hoy ya se han creado muchas cuentas desde tu conexión. Vuelve a intentarlo mañana o desde otra red.'
const HOURLY_LIMIT_MESSAGE = 'Se está apuntando mucha gente a la vez. Vuelve a intentarlo dentro de un rato.'

const newAccounts = suite('api/auth/account-creation-limits')
const oidc = await startOidc()
const server = await startServer({
  TRUST_PROXY: '1',
  ACCOUNTS_PER_DAY: '2',
  ACCOUNTS_PER_HOUR: '6',
  GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
  GOOGLE_ISSUER: oidc.issuer,
})
oidc.registerCallback(`${server.url}/api/auth/google/callback`)
newAccounts.after(async () => {
  await server.dispose()
  await oidc.close()
})

const postFrom = (ip: string, path: string, json: object) =>
  call(server, path, { method: 'POST', json, headers: { 'X-Forwarded-For': ip } })
async function requestMail(ip: string, email: string) {
  assert.is((await postFrom(ip, '/api/auth/magic-link', { email })).status, 202)
  return lastMailTo(server.dataDir, email)
}
const enter = async (ip: string, email: string) =>
  postFrom(ip, '/api/auth/code', { email, code: (await requestMail(ip, email)).code })
const tokenOf = (link: string) => new URL(link).searchParams.get('token')!

/** The whole way through the provider, from one network. */
async function enterByGoogle(ip: string, login: string) {
  const jar = new CookieJar()
  const { url } = await startSignIn(server, 'google', jar)
  const { callback, params } = await logIn(jar, url, login)
  const headers = { 'X-Forwarded-For': ip }
  return { jar, response: await jar.load(`${callback}?${new URLSearchParams(params)}`, { headers }) }
}

newAccounts(
  'a network may create a limited number of accounts a day, by code and by link; members still sign in',
  async () => {
    const home = (n: number) => `2001:db8:5:5::${n}`
    assert.is((await enter(home(1), 'una@ejemplo.es')).status, 200)
    const second = await requestMail(home(2), 'dos@ejemplo.es')
    assert.is((await postFrom(home(2), '/api/auth/link', { token: tokenOf(second.link) })).status, 200)

    const before = await countAccounts(server)
    const third = await requestMail(home(3), 'tres@ejemplo.es')
    for (const refused of [
      await postFrom(home(3), '/api/auth/code', { email: 'tres@ejemplo.es', code: third.code }),
      await postFrom(home(4), '/api/auth/link', { token: tokenOf(third.link) }),
    ]) {
      assert.equal(detailOf(refused), [429, NETWORK_LIMIT_MESSAGE])
      assert.match(refused.headers.get('content-type')!, 'application/problem+json')
      assert.ok(Number(refused.headers.get('retry-after')) > 3600)
      assert.is(refused.headers.get('set-cookie'), null)
    }
    assert.equal(await countAccounts(server), before)
    assert.is((await enter(home(5), 'una@ejemplo.es')).status, 200, 'a member')
    // What was refused is not spent: another network takes it.
    assert.is((await postFrom('192.0.2.1', '/api/auth/link', { token: tokenOf(third.link) })).status, 200)
  },
)

newAccounts('without script the page they return to shows the message', async () => {
  const home = '2001:db8:5:5::77'
  const { code, link } = await requestMail(home, 'cuatro@ejemplo.es')
  for (const [path, fields, page] of [
    ['/api/auth/code', { email: 'cuatro@ejemplo.es', code }, '/login/codigo'],
    ['/api/auth/link', { token: tokenOf(link) }, '/login'],
  ] as const) {
    const jar = new CookieJar()
    assert.equal(redirectOf(await submitForm(jar, server.url + path, fields, { 'X-Forwarded-For': home })), [303, page])
    assert.match(await (await jar.load(server.url + page)).text(), NETWORK_LIMIT_MESSAGE)
    assert.is(await readSessionUser(server, jar), null)
  }
})

newAccounts('a provider creates no account above the limit either; its known members still sign in', async () => {
  const home = '198.51.100.9'
  const first = await enterByGoogle(home, 'ana')
  assert.is(first.response.headers.get('location'), '/perfil')
  const member = await signInMember(server, 'bea@ejemplo.es')
  oidc.people.bea = { email: 'bea@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  oidc.people.clara = { email: 'clara@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  assert.is((await enterByGoogle(home, 'clara')).response.headers.get('location'), '/perfil')

  const before = await countAccounts(server)
  const { jar, response } = await enterByGoogle(home, 'dora')
  assert.equal(redirectOf(response), [303, '/login'])
  assert.is((await readFailureMessage(server, jar)).box, NETWORK_LIMIT_MESSAGE)
  assert.equal(await countAccounts(server), before)
  assert.equal(
    await readSessionUser(server, (await enterByGoogle(home, 'ana')).jar),
    await readSessionUser(server, first.jar),
  )
  assert.is((await readSessionUser(server, (await enterByGoogle(home, 'bea')).jar))!.id, member.id)
})

newAccounts('the hourly limit counts all networks and no refused attempts', async () => {
  // Five were made above; refusals by network came between.
  assert.is((await enter('203.0.113.1', 'seis@ejemplo.es')).status, 200)
  for (const ip of ['203.0.113.2', '203.0.113.3']) {
    const refused = await enter(ip, `siete@ejemplo.es`)
    assert.equal(detailOf(refused), [429, HOURLY_LIMIT_MESSAGE])
    assert.ok(Number(refused.headers.get('retry-after')) <= 3600)
  }
  assert.is((await enter('203.0.113.2', 'seis@ejemplo.es')).status, 200, 'a member')
})

newAccounts('0 sets no limit, and an invalid number prevents the start', async () => {
  const open = await startServer({ TRUST_PROXY: '1', ACCOUNTS_PER_DAY: '0', ACCOUNTS_PER_HOUR: '0' })
  const headers = { 'X-Forwarded-For': '192.0.2.1' }
  for (const email of ['a@ejemplo.es', 'b@ejemplo.es', 'c@ejemplo.es']) {
    await call(open, '/api/auth/magic-link', { method: 'POST', json: { email }, headers })
    const { code } = lastMailTo(open.dataDir, email)
    assert.is((await call(open, '/api/auth/code', { method: 'POST', json: { email, code }, headers })).status, 200)
  }
  await open.dispose()
  for (const name of ['ACCOUNTS_PER_DAY', 'ACCOUNTS_PER_HOUR', 'VISITOR_DOGS_PER_DAY']) {
    const { code, output } = await runToEnd({ [name]: 'muchas', PORT: '0' })
    assert.is(code, 1)
    assert.match(output, `${name}=muchas: valor no válido (se esperaba un número; 0 para no limitar).`)
  }
})
