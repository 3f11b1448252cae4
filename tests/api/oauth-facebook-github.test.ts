import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Jar } from '#tests/support/jar.ts'
import { signedIn } from '#tests/support/members.ts'
import { begin, comeBack, countAccounts, failureShown, whoIs } from '#tests/support/oauth.ts'
import { type Oauth2Server, startOauth2 } from '#tests/support/oauth2.ts'
import { CLIENT } from '#tests/support/oidc.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const oauth2 = suite('Facebook and GitHub')
type Name = 'facebook' | 'github'
const NAMES = { facebook: 'Facebook', github: 'GitHub' }
let stubs: Record<Name, Oauth2Server>
let server: TestServer

oauth2.before(async () => {
  stubs = { facebook: await startOauth2('facebook'), github: await startOauth2('github') }
  server = await startServer({
    FACEBOOK_CLIENT_ID: CLIENT.id,
    FACEBOOK_CLIENT_SECRET: CLIENT.secret,
    FACEBOOK_ISSUER: stubs.facebook.issuer,
    GITHUB_CLIENT_ID: CLIENT.id,
    GITHUB_CLIENT_SECRET: CLIENT.secret,
    GITHUB_ISSUER: `${stubs.github.issuer}/`,
  })
  for (const name of ['facebook', 'github'] as const) stubs[name].allow(`${server.url}/api/auth/${name}/callback`)
})
oauth2.after(async () => {
  await server.dispose()
  for (const stub of Object.values(stubs)) await stub.close()
})

async function enter(name: Name, login: string, jar = new Jar()) {
  const { url } = await begin(server, name, jar)
  const response = await comeBack(jar, await stubs[name].logIn(url, login))
  return { jar, response, user: await whoIs(server, jar) }
}
const main = (email: string) => ({ email, primary: true, verified: true })

oauth2('a first sign-in makes an account, a second one finds it; both pass every check of the provider', async () => {
  stubs.facebook.people.ana = { id: 1 }
  stubs.github.people.ana = { id: 1, emails: [main('Ana@Ejemplo.es')] }
  const ids = new Set<string>()
  for (const name of ['facebook', 'github'] as const) {
    const { response, user } = await enter(name, 'ana')
    assert.is(response.status, 303)
    assert.is(response.headers.get('location'), '/perfil')
    assert.is(user!.email, name === 'github' ? 'ana@ejemplo.es' : null)
    const before = await countAccounts(server)
    assert.equal((await enter(name, 'ana')).user, user)
    assert.equal(await countAccounts(server), before)
    assert.equal(stubs[name].faults, [])
    ids.add(user!.id)
  }
  assert.is(ids.size, 2, 'the same id at two providers is two people')
})

oauth2("GitHub's address is linked only when it is primary and verified", async () => {
  const bea = await signedIn(server, 'bea@ejemplo.es')
  const { people } = stubs.github
  people.false1 = { id: 21, emails: [{ email: 'bea@ejemplo.es', primary: true, verified: false }] }
  people.false2 = {
    id: 22,
    emails: [{ email: 'bea@ejemplo.es', primary: false, verified: true }, main('otra@ejemplo.es')],
  }
  people.none = { id: 23, emails: [] }
  people.bea = { id: 24, emails: [{ email: 'x@ejemplo.es', primary: false, verified: true }, main('bea@ejemplo.es')] }
  assert.is((await enter('github', 'false1')).user!.email, null)
  assert.is((await enter('github', 'false2')).user!.email, 'otra@ejemplo.es')
  assert.is((await enter('github', 'none')).user!.email, null)
  assert.is((await enter('github', 'bea')).user!.id, bea.id)
})

oauth2(
  'GitHub without leave to read addresses is an account without one; an address we cannot write to is none',
  async () => {
    const { people, broken } = stubs.github
    people.quiet = { id: 31, emails: [main('quiet@ejemplo.es')] }
    broken['/api/v3/user/emails'] = 403
    assert.is((await enter('github', 'quiet')).user!.email, null)
    delete broken['/api/v3/user/emails']
    people.odd = { id: 32, emails: [main('"odd, person"@ejemplo')] }
    assert.is((await enter('github', 'odd')).user!.email, null)
  },
)

oauth2('Facebook never links, whatever address it would tell', async () => {
  const clara = await signedIn(server, 'clara@ejemplo.es')
  stubs.facebook.people.clara = { id: 41, email: 'clara@ejemplo.es' }
  const { user } = await enter('facebook', 'clara')
  assert.is.not(user!.id, clara.id)
  assert.is(user!.email, null)
})

oauth2('two providers with one verified address are one account', async () => {
  stubs.github.people.dora = { id: 51, emails: [main('dora@ejemplo.es')] }
  const { user } = await enter('github', 'dora')
  assert.is((await signedIn(server, 'dora@ejemplo.es')).id, user!.id)
})

oauth2('cancelling is told gently', async () => {
  const words = { facebook: 'Permissions error', github: 'The user has denied your application access.' }
  for (const name of ['facebook', 'github'] as const) {
    const { jar, url } = await begin(server, name)
    const response = await comeBack(jar, await stubs[name].giveUp(url))
    assert.is(response.headers.get('location'), '/login')
    const text = `Has cancelado la entrada con ${NAMES[name]}. ${NAMES[name]} dice: «${words[name].replace(/\.$/, '')}».`
    assert.equal(await failureShown(server, jar), { box: text, title: 'Error de autenticación', text, kind: 'info' })
  }
})

oauth2('a used code, a stolen code and a provider that breaks sign nobody in', async () => {
  const failed = async (name: Name, jar: Jar, response: Response) => {
    assert.is(response.headers.get('location'), '/login')
    assert.is(await whoIs(server, jar), null)
    assert.equal(await failureShown(server, jar), {
      box: `Error al iniciar sesión con ${NAMES[name]}. Inténtalo de nuevo.`,
      title: `Error al iniciar sesión con ${NAMES[name]}`,
      text: 'Inténtalo de nuevo.',
      kind: 'error',
    })
  }
  for (const name of ['facebook', 'github'] as const) {
    const stub = stubs[name]
    // The victim's code, brought back in the attacker's own flow: PKCE refuses it.
    const victim = await begin(server, name)
    const stolen = await stub.logIn(victim.url, 'ana')
    const attacker = await begin(server, name)
    const state = new URL(attacker.url).searchParams.get('state')!
    await failed(name, attacker.jar, await comeBack(attacker.jar, { ...stolen, params: { ...stolen.params, state } }))
    assert.equal(stub.faults.splice(0), ['code_verifier'])
    await failed(name, victim.jar, await comeBack(victim.jar, stolen))
    assert.equal(stub.faults.splice(0), ['code'], 'the attempt spent it')

    const paths = name === 'facebook' ? ['/oauth/access_token', '/me'] : ['/login/oauth/access_token', '/api/v3/user']
    for (const path of [...paths, ...(name === 'github' ? ['/api/v3/user/emails'] : [])]) {
      stub.broken[path] = 503
      const { jar, url } = await begin(server, name)
      await failed(name, jar, await comeBack(jar, await stub.logIn(url, 'ana')))
      delete stub.broken[path]
    }
  }
})

oauth2('an answer of one provider is none of another', async () => {
  const { jar, url } = await begin(server, 'github')
  const { params } = await stubs.github.logIn(url, 'ana')
  const response = await comeBack(jar, { callback: `${server.url}/api/auth/facebook/callback`, params })
  assert.is(response.headers.get('location'), '/login')
  assert.is(
    (await failureShown(server, jar)).box,
    'La entrada con Facebook caducó o empezó en otra ventana. Inténtalo de nuevo.',
  )
  assert.is(await whoIs(server, jar), null)
})

oauth2('two first sign-ins at once make one account', async () => {
  stubs.github.people.eva = { id: 61, emails: [main('eva@ejemplo.es')] }
  const { users, links } = await countAccounts(server)
  const both = await Promise.all([enter('github', 'eva'), enter('github', 'eva')])
  assert.is(both[0].user!.id, both[1].user!.id)
  assert.equal(await countAccounts(server), { users: users + 1, links: links + 1 })
})

oauth2.run()
