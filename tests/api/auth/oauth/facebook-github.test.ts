import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import {
  startSignIn,
  followCallback,
  countAccounts,
  readFailureMessage,
  readSessionUser,
} from '#tests/support/auth/oauth-flow.ts'
import { startOauth2 } from '#tests/support/auth/oauth2-provider.ts'
import { OAUTH_CLIENT } from '#tests/support/auth/oidc-provider.ts'
import { assert, redirectOf, signInMember, startServer, suite } from '#tests/support/suites.ts'

const oauth2 = suite('api/auth/oauth/facebook-github')
type Name = 'facebook' | 'github'
const NAMES = { facebook: 'Facebook', github: 'GitHub' }
const ADMIN = 'admin@ejemplo.es'
const stubs = { facebook: await startOauth2('facebook'), github: await startOauth2('github') }
const server = await startServer({
  ADMIN_EMAIL: ADMIN,
  FACEBOOK_CLIENT_ID: OAUTH_CLIENT.id,
  FACEBOOK_CLIENT_SECRET: OAUTH_CLIENT.secret,
  FACEBOOK_ISSUER: stubs.facebook.issuer,
  GITHUB_CLIENT_ID: OAUTH_CLIENT.id,
  GITHUB_CLIENT_SECRET: OAUTH_CLIENT.secret,
  GITHUB_ISSUER: `${stubs.github.issuer}/`,
})
for (const name of ['facebook', 'github'] as const)
  stubs[name].registerCallback(`${server.url}/api/auth/${name}/callback`)
oauth2.after(async () => {
  await server.dispose()
  for (const stub of Object.values(stubs)) await stub.close()
})

async function signIn(name: Name, login: string, jar = new CookieJar()) {
  const { url } = await startSignIn(server, name, jar)
  const response = await followCallback(jar, await stubs[name].logIn(url, login))
  return { jar, response, user: await readSessionUser(server, jar) }
}
const primaryEmail = (email: string) => ({ email, primary: true, verified: true })

oauth2('a first sign-in creates an account, a second one finds it; both pass every check of the provider', async () => {
  stubs.facebook.people.ana = { id: 1 }
  stubs.github.people.ana = { id: 1, emails: [primaryEmail('Ana@Ejemplo.es')] }
  const ids = new Set<string>()
  for (const name of ['facebook', 'github'] as const) {
    const { response, user } = await signIn(name, 'ana')
    assert.equal(redirectOf(response), [303, '/perfil'])
    assert.is(user!.email, null, 'neither hosts mailboxes')
    const before = await countAccounts(server)
    assert.equal((await signIn(name, 'ana')).user, user)
    assert.equal(await countAccounts(server), before)
    assert.equal(stubs[name].faults, [])
    ids.add(user!.id)
  }
  assert.is(ids.size, 2, 'the same id at two providers is two people')
})

oauth2('an address at GitHub opens no account, verified or not', async () => {
  const admin = await signInMember(server, ADMIN)
  const { people } = stubs.github
  people.stale = { id: 21, emails: [primaryEmail(ADMIN)] }
  const before = await countAccounts(server)
  const { jar, response, user } = await signIn('github', 'stale')
  assert.equal([response.headers.get('location'), user], ['/login', null])
  const text =
    'Ya hay una cuenta con el email que tienes en GitHub. Entra con tu email y enlaza GitHub en «Cuenta y datos».'
  assert.equal(await readFailureMessage(server, jar), {
    box: text,
    title: 'Error de autenticación',
    text,
    kind: 'error',
  })
  people.false1 = { id: 22, emails: [{ email: ADMIN, primary: true, verified: false }] }
  people.false2 = {
    id: 23,
    emails: [{ email: ADMIN, primary: false, verified: true }, primaryEmail('otra@ejemplo.es')],
  }
  people.none = { id: 24, emails: [] }
  assert.equal(await countAccounts(server), before)
  for (const login of ['false1', 'false2', 'none']) {
    const other = (await signIn('github', login)).user!
    assert.is(other.email, null)
    assert.is.not(other.id, admin.id)
  }
})

oauth2(
  'GitHub without permission to read addresses, or with an invalid one, makes an account without an address',
  async () => {
    const { people, statusOverrides } = stubs.github
    people.quiet = { id: 31, emails: [primaryEmail('quiet@ejemplo.es')] }
    statusOverrides['/api/v3/user/emails'] = 403
    assert.is((await signIn('github', 'quiet')).user!.email, null)
    delete statusOverrides['/api/v3/user/emails']
    people.odd = { id: 32, emails: [primaryEmail('"odd, person"@ejemplo')] }
    assert.is((await signIn('github', 'odd')).user!.email, null)
  },
)

oauth2('Facebook never links an account, whatever address it returns', async () => {
  const clara = await signInMember(server, 'clara@ejemplo.es')
  stubs.facebook.people.clara = { id: 41, email: 'clara@ejemplo.es' }
  const { user } = await signIn('facebook', 'clara')
  assert.is.not(user!.id, clara.id)
  assert.is(user!.email, null)
})

oauth2('cancelling shows a plain message', async () => {
  const words = { facebook: 'Permissions error', github: 'The user has denied your application access.' }
  for (const name of ['facebook', 'github'] as const) {
    const { jar, url } = await startSignIn(server, name)
    assert.is((await followCallback(jar, await stubs[name].deny(url))).headers.get('location'), '/login')
    const text = `Has cancelado la entrada con ${NAMES[name]}. ${NAMES[name]} dice: «${words[name].replace(/\.$/, '')}».`
    assert.equal(await readFailureMessage(server, jar), {
      box: text,
      title: 'Error de autenticación',
      text,
      kind: 'info',
    })
  }
})

oauth2('a used code, a stolen code and a failing provider sign nobody in', async () => {
  const failed = async (name: Name, jar: CookieJar, response: Response) => {
    assert.is(response.headers.get('location'), '/login')
    assert.is(await readSessionUser(server, jar), null)
    assert.equal(await readFailureMessage(server, jar), {
      box: `Error al iniciar sesión con ${NAMES[name]}. Inténtalo de nuevo.`,
      title: `Error al iniciar sesión con ${NAMES[name]}`,
      text: 'Inténtalo de nuevo.',
      kind: 'error',
    })
  }
  for (const name of ['facebook', 'github'] as const) {
    const stub = stubs[name]
    // The victim's code, brought back in the attacker's own flow: PKCE refuses it.
    const victim = await startSignIn(server, name)
    const stolen = await stub.logIn(victim.url, 'ana')
    const attacker = await startSignIn(server, name)
    const state = new URL(attacker.url).searchParams.get('state')!
    await failed(
      name,
      attacker.jar,
      await followCallback(attacker.jar, { ...stolen, params: { ...stolen.params, state } }),
    )
    assert.equal(stub.faults.splice(0), ['code_verifier'])
    await failed(name, victim.jar, await followCallback(victim.jar, stolen))
    assert.equal(stub.faults.splice(0), ['code'], 'the attempt spent it')

    const paths = name === 'facebook' ? ['/oauth/access_token', '/me'] : ['/login/oauth/access_token', '/api/v3/user']
    for (const path of [...paths, ...(name === 'github' ? ['/api/v3/user/emails'] : [])]) {
      stub.statusOverrides[path] = 503
      const { jar, url } = await startSignIn(server, name)
      await failed(name, jar, await followCallback(jar, await stub.logIn(url, 'ana')))
      delete stub.statusOverrides[path]
    }
  }
})

oauth2('a response of one provider is not accepted for another', async () => {
  const { jar, url } = await startSignIn(server, 'github')
  const { params } = await stubs.github.logIn(url, 'ana')
  const response = await followCallback(jar, { callback: `${server.url}/api/auth/facebook/callback`, params })
  assert.is(response.headers.get('location'), '/login')
  assert.is(
    (await readFailureMessage(server, jar)).box,
    'La entrada con Facebook caducó o empezó en otra ventana. Inténtalo de nuevo.',
  )
  assert.is(await readSessionUser(server, jar), null)
})

oauth2('two simultaneous first sign-ins create one account', async () => {
  stubs.github.people.eva = { id: 61, emails: [primaryEmail('eva@ejemplo.es')] }
  const { users, links } = await countAccounts(server)
  const both = await Promise.all([signIn('github', 'eva'), signIn('github', 'eva')])
  assert.is(both[0].user!.id, both[1].user!.id)
  assert.equal(await countAccounts(server), { users: users + 1, links: links + 1 })
})
