import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import { followCallback, postCallback, readFailureMessage, readSessionUser } from '#tests/support/auth/oauth-flow.ts'
import { startOauth2 } from '#tests/support/auth/oauth2-provider.ts'
import { appleKeyPair, logIn, OAUTH_CLIENT, startOidc } from '#tests/support/auth/oidc-provider.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { assert, assertMatches, call, detailOf, redirectOf, startServer, suite } from '#tests/support/suites.ts'

// Linking a provider to an account, and unlinking it: always by its signed-in member who has just proved who they are.

type Name = 'google' | 'apple' | 'facebook' | 'github'
const NAMES = { google: 'Google', apple: 'Apple', facebook: 'Facebook', github: 'GitHub' }
const linking = suite('api/auth/oauth/linking')
const { oneLine } = appleKeyPair()
const oidc = { google: await startOidc(), apple: await startOidc(() => true) }
const oauth2 = { facebook: await startOauth2('facebook'), github: await startOauth2('github') }
const env: Record<string, string> = { APPLE_TEAM_ID: 'T', APPLE_KEY_ID: 'K', APPLE_PRIVATE_KEY: oneLine }
for (const [name, { issuer }] of Object.entries({ ...oidc, ...oauth2 })) {
  const prefix = name.toUpperCase()
  env[`${prefix}_CLIENT_ID`] = OAUTH_CLIENT.id
  env[`${prefix}_ISSUER`] = issuer
  if (name !== 'apple') env[`${prefix}_CLIENT_SECRET`] = OAUTH_CLIENT.secret
}
const server = await startServer(env)
for (const [name, provider] of Object.entries({ ...oidc, ...oauth2 }))
  provider.registerCallback(`${server.url}/api/auth/${name}/callback`)
linking.after(async () => {
  await server.dispose()
  for (const provider of [...Object.values(oidc), ...Object.values(oauth2)]) await provider.close()
})

/** Somebody with an account at every provider, and the same address at each. */
function addPerson(login: string, id: number, email: string) {
  for (const { people } of Object.values(oidc)) people[login] = { email, email_verified: true }
  oauth2.facebook.people[login] = { id, email }
  oauth2.github.people[login] = { id, emails: [{ email, primary: true, verified: true }] }
}

const jarOf = ({ token }: TestMember) => {
  const jar = new CookieJar()
  jar.set(server.url, 'perrario', token)
  return jar
}

/** The whole way; `query` as the links of «Cuenta y datos» have it. @returns where it ends */
async function visit(name: Name, login: string, jar: CookieJar, query = '') {
  const url = (await jar.load(`${server.url}/api/auth/${name}${query}`)).headers.get('location')!
  if (url.startsWith('/')) return url
  if (name === 'facebook' || name === 'github')
    return (await followCallback(jar, await oauth2[name].logIn(url, login))).headers.get('location')
  const answer = await logIn(new CookieJar(), url, login)
  if (name === 'google') return (await followCallback(jar, answer)).headers.get('location')
  // The browser posts to us from Apple's page without the session cookie, and then follows where it is sent.
  const session = jar.get(server.url, 'perrario')
  jar.delete(server.url, 'perrario')
  const location = (await postCallback(jar, answer)).headers.get('location')!
  if (!location.startsWith('/api/')) return location
  jar.set(server.url, 'perrario', session!)
  return (await jar.load(server.url + location)).headers.get('location')
}

const setLastSignIn = (userId: string, authenticatedAt: number) =>
  server.db.updateTable('sessions').set({ proved_at: authenticatedAt }).where('user_id', '=', userId).execute()

linking('no provider opens the account of an address whose mailbox it does not host', async () => {
  await signInMember(server, 'ana@ejemplo.es')
  addPerson('ana', 1, 'ana@ejemplo.es')
  for (const name of ['google', 'apple', 'github'] as const) {
    const jar = new CookieJar()
    assert.is(await visit(name, 'ana', jar), '/login')
    assert.is(await readSessionUser(server, jar), null)
    assert.is(
      (await readFailureMessage(server, jar)).box,
      `Ya hay una cuenta con el email que tienes en ${NAMES[name]}. Entra con tu email y enlaza ${NAMES[name]} en «Cuenta y datos».`,
    )
  }
  const stranger = new CookieJar()
  assert.is(await visit('facebook', 'ana', stranger), '/perfil')
  assert.is((await readSessionUser(server, stranger))!.email, null)
})

linking('the member links a provider after a mailed code, then signs in with it, and unlinks it', async () => {
  const bea = await signInMember(server, 'bea@ejemplo.es')
  addPerson('bea', 2, 'bea@ejemplo.es')
  for (const name of ['google', 'apple', 'facebook', 'github'] as const) {
    const jar = jarOf(bea)
    const unlink = (json: boolean) =>
      call(server, `/api/account/providers/${name}`, {
        method: json ? 'DELETE' : 'POST',
        cookie: bea.cookie,
        ...(!json && { body: 'x=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
      })
    await setLastSignIn(bea.id, 1)
    assert.is(await visit(name, 'bea', jar, '?para=enlazar'), '/perfil/cuenta?confirma=pide#confirma')
    await setLastSignIn(bea.id, Date.now())
    assert.match(await (await jar.load(`${server.url}/perfil/cuenta`)).text(), `Enlazar ${NAMES[name]}`)
    assert.is(await visit(name, 'bea', jar, '?para=enlazar'), '/perfil/cuenta?hecho=enlazado#entrada')
    const page = await (await jar.load(`${server.url}/perfil/cuenta?hecho=enlazado`)).text()
    assertMatches(page, `Desenlazar ${NAMES[name]}`, 'Enlazado. Desde ahora también puedes entrar así.')

    const other = new CookieJar()
    assert.is(await visit(name, 'bea', other), '/perfil')
    assert.is((await readSessionUser(server, other))!.id, bea.id)
    const download = (await other.load(`${server.url}/api/account/export`)).headers.get('location')
    assert.is(download, '/perfil/cuenta?confirma=pide#confirma', 'the provider does not say who sits there')

    await setLastSignIn(bea.id, 1)
    assert.is((await unlink(true)).status, 403)
    assert.is((await unlink(false)).headers.get('location'), '/perfil/cuenta?confirma=pide#confirma')
    await setLastSignIn(bea.id, Date.now())
    const isForm = name === 'apple' || name === 'github'
    const done = await unlink(!isForm)
    assert.equal(redirectOf(done), isForm ? [303, '/perfil/cuenta?hecho=desenlazado#entrada'] : [204, null])
    assert.is(await readSessionUser(server, other), null, 'whoever came in by it is out')
    assert.is((await readSessionUser(server, jarOf(bea)))!.id, bea.id)
    assert.is((await unlink(true)).status, 404)
  }
  assert.is((await call(server, '/api/account/providers/otro', { method: 'DELETE', cookie: bea.cookie })).status, 404)
})

linking(
  'a flow links only to the member who began it, from our own pages, and never another member’s account',
  async () => {
    const clara = await signInMember(server, 'clara@ejemplo.es')
    const mallory = await signInMember(server, 'mallory@ejemplo.es')
    addPerson('mallory', 3, 'otra@ejemplo.es')
    for (const name of ['google', 'apple', 'github'] as const) {
      // Her own cookie says that Clara began it.
      const jar = jarOf(mallory)
      const start = await jar.load(`${server.url}/api/auth/${name}?para=enlazar`)
      const cookie = `perrario-entrada-${name}`
      const flow = decodeURIComponent(jar.get(server.url, cookie)!).replace(mallory.id, clara.id)
      jar.set(server.url, cookie, encodeURIComponent(flow))
      const url = start.headers.get('location')!
      const answer =
        name === 'github' ? await oauth2.github.logIn(url, 'mallory') : await logIn(new CookieJar(), url, 'mallory')
      assert.is((await followCallback(jar, answer)).headers.get('location'), '/login')
      const links = await server.db
        .selectFrom('oauth_accounts')
        .select('provider')
        .where('user_id', 'in', [clara.id, mallory.id])
        .execute()
      assert.equal(links, [], name)
    }
    const foreign = await call(server, '/api/auth/github?para=enlazar', {
      cookie: clara.cookie,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    })
    assert.equal(redirectOf(foreign), [303, '/perfil/cuenta'])
    assert.is(
      await visit('github', 'mallory', jarOf(mallory), '?para=enlazar'),
      '/perfil/cuenta?hecho=enlazado#entrada',
    )
    assert.is(await visit('github', 'mallory', jarOf(clara), '?para=enlazar'), '/perfil/cuenta?error=ajena#entrada')
  },
)

linking('of what Apple posts, the address it is sent on to has only what the callback needs', async () => {
  const greta = await signInMember(server, 'greta@ejemplo.es')
  const needed = { code: 'c.0', state: 's', iss: oidc.apple.issuer, error: 'user_cancelled_authorize' }
  const person = { name: { firstName: 'Greta', lastName: 'Gil' }, email: 'greta@icloud.com' }
  const personal = { user: JSON.stringify(person), id_token: 'e.y.J', email: person.email, error_description: 'Greta' }
  const jar = jarOf(greta)
  await jar.load(`${server.url}/api/auth/apple?para=enlazar`)
  jar.delete(server.url, 'perrario')
  const callback = `${server.url}/api/auth/apple/callback`
  const sentOn = await postCallback(jar, { callback, params: { ...personal, ...needed } })
  const { origin, pathname, searchParams } = new URL(sentOn.headers.get('location')!, server.url)
  assert.is(origin + pathname, callback)
  assert.equal(Object.fromEntries(searchParams), needed)
  assert.not.match(await sentOn.text(), 'Greta')
})

linking('the last way to sign in cannot be unlinked', async () => {
  addPerson('dora', 4, 'dora@ejemplo.es')
  const jar = new CookieJar()
  assert.is(await visit('facebook', 'dora', jar), '/perfil')
  const cookie = jar.header(server.url)
  const unlink = () => call(server, '/api/account/providers/facebook', { method: 'DELETE', cookie })
  assert.equal(detailOf(await unlink()), [409, 'Es tu única forma de entrar: no se puede desenlazar.'])
  assert.not.match(await (await jar.load(`${server.url}/perfil/cuenta`)).text(), 'Desenlazar Facebook')
  assert.is(await visit('github', 'dora', jar, '?para=enlazar'), '/perfil/cuenta?hecho=enlazado#entrada')
  assert.is((await unlink()).status, 204)
})
