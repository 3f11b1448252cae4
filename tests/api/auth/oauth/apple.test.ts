import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import {
  startSignIn,
  followCallback,
  readFailureMessage,
  postCallback,
  readSessionUser,
} from '#tests/support/auth/oauth-flow.ts'
import {
  type CallbackAnswer,
  appleKeyPair,
  OAUTH_CLIENT,
  cancelLogIn,
  logIn,
  readAppleSecret,
  startOidc,
} from '#tests/support/auth/oidc-provider.ts'
import { runToEnd, startServer } from '#tests/support/server.ts'
import type { Json } from '#tests/support/api.ts'
import { answered, assert, redirectOf, signInMember, suite } from '#tests/support/suites.ts'

const apple = suite('api/auth/oauth/apple')
const { oneLine, publicKey } = appleKeyPair()
const secrets: { header: Record<string, unknown>; claims: Record<string, Json> }[] = []
const oidc = await startOidc((secret, issuer) => {
  const read = readAppleSecret(secret, publicKey)
  if (read) secrets.push(read)
  return read?.claims.aud === issuer
})
const server = await startServer({
  APPLE_CLIENT_ID: OAUTH_CLIENT.id,
  APPLE_TEAM_ID: 'TEAM123456',
  APPLE_KEY_ID: 'KEY1234567',
  APPLE_PRIVATE_KEY: oneLine,
  APPLE_ISSUER: oidc.issuer,
})
oidc.registerCallback(`${server.url}/api/auth/apple/callback`)
apple.after(async () => {
  await server.dispose()
  await oidc.close()
})

async function answerOf(login: string) {
  const { jar, url } = await startSignIn(server, 'apple')
  return { jar, answer: await logIn(jar, url, login) }
}
async function signIn(login: string, extra: Record<string, string> = {}) {
  const { jar, answer } = await answerOf(login)
  const { callback, params } = answer
  return { jar, response: await postCallback(jar, { callback, params: { ...params, ...extra } }) }
}

apple('requests name and e-mail by form_post, with a cookie that a post from another site sends', async () => {
  const response = await answered(302, fetch(`${server.url}/api/auth/apple`, { redirect: 'manual' }))
  const asked = Object.fromEntries(new URL(response.headers.get('location')!).searchParams)
  assert.equal([asked.scope, asked.response_mode, asked.response_type], ['openid name email', 'form_post', 'code'])
  assert.is(asked.code_challenge_method, 'S256')
  assert.ok(asked.state && asked.nonce && asked.code_challenge)
  const [cookie] = response.headers.getSetCookie()
  assert.match(
    cookie!,
    /^perrario-entrada-apple=.*; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
    'Secure even over http: browsers drop SameSite=None otherwise',
  )
})

apple('a post from Apple’s origin signs in, with a client secret signed by the operator’s key', async () => {
  oidc.people.ana = { email: 'ana@icloud.com', email_verified: 'true' }
  secrets.length = 0
  const user = JSON.stringify({ name: { firstName: 'Ana' }, email: 'bea@ejemplo.es' })
  const { jar, response } = await signIn('ana', { user })
  assert.equal(redirectOf(response), [303, '/perfil'])
  assert.is(
    (await readSessionUser(server, jar))!.email,
    'ana@icloud.com',
    'the token counts, not what the form says beside it',
  )
  const [secret] = secrets
  assert.equal(secret!.header, { alg: 'ES256', kid: 'KEY1234567' })
  const { iss, sub, aud, iat, exp } = secret!.claims
  assert.equal({ iss, sub, aud }, { iss: 'TEAM123456', sub: OAUTH_CLIENT.id, aud: oidc.issuer })
  assert.ok(exp > iat && exp - iat <= 15_777_000, 'Apple takes no secret that lives for more than six months')
  assert.is((await readSessionUser(server, (await signIn('ana')).jar))!.id, (await readSessionUser(server, jar))!.id)
})

apple('a relay address that Apple verified is accepted; an unverified one is not', async () => {
  const clara = await signInMember(server, 'clara@me.com')
  oidc.people.relay = { email: 'x7@privaterelay.appleid.com', email_verified: true }
  oidc.people.clara = { email: 'clara@me.com', email_verified: true }
  oidc.people.mallory = { email: 'clara@me.com', email_verified: 'false' }
  assert.is((await readSessionUser(server, (await signIn('relay')).jar))!.email, 'x7@privaterelay.appleid.com')
  assert.is((await readSessionUser(server, (await signIn('clara')).jar))!.id, clara.id)
  const mallory = await readSessionUser(server, (await signIn('mallory')).jar)
  assert.is.not(mallory!.id, clara.id)
  assert.is(mallory!.email, null)
})

const STALE_MESSAGE = 'La entrada con Apple caducó o empezó en otra ventana. Inténtalo de nuevo.'

apple('the exemption from the origin check refuses a foreign state, a missing cookie and a second use', async () => {
  const refused = async (jar: CookieJar, answer: CallbackAnswer) => {
    assert.is((await postCallback(jar, answer, 'https://malo.example')).headers.get('location'), '/login')
    assert.is((await readFailureMessage(server, jar)).box, STALE_MESSAGE)
    assert.is(await readSessionUser(server, jar), null)
  }
  const mallory = await answerOf('mallory')
  await refused((await startSignIn(server, 'apple')).jar, mallory.answer)
  await refused(new CookieJar(), mallory.answer)
  const kept = mallory.jar.get(server.url, 'perrario-entrada-apple')!
  assert.is((await postCallback(mallory.jar, mallory.answer)).headers.get('location'), '/perfil')
  const copy = new CookieJar()
  copy.set(server.url, 'perrario-entrada-apple', kept)
  await refused(copy, mallory.answer)
})

apple('the callbacks of other providers refuse POST', async () => {
  for (const name of ['google', 'facebook', 'github']) {
    const response = await postCallback(new CookieJar(), {
      callback: `${server.url}/api/auth/${name}/callback`,
      params: {},
    })
    assert.is(response.status, 403)
  }
})

apple('an oversized or malformed body is refused', async () => {
  const post = (body: string, type: string) =>
    fetch(`${server.url}/api/auth/apple/callback`, { method: 'POST', body, headers: { 'Content-Type': type } })
  assert.is((await post('{}', 'application/json')).status, 415)
  const big = await fetch(`${server.url}/api/auth/apple/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ user: 'x'.repeat(20_000) }),
  })
  assert.is(big.headers.get('location'), '/login')
})

apple('cancelling at Apple, which has its own code, shows a plain message', async () => {
  const { jar, url } = await startSignIn(server, 'apple')
  const state = new URL(url).searchParams.get('state')!
  const callback = `${server.url}/api/auth/apple/callback`
  const params = { state, iss: oidc.issuer, error: 'user_cancelled_authorize' }
  assert.is((await postCallback(jar, { callback, params })).headers.get('location'), '/login')
  const text = 'Has cancelado la entrada con Apple.'
  assert.equal(await readFailureMessage(server, jar), {
    box: text,
    title: 'Error de autenticación',
    text,
    kind: 'info',
  })

  const other = await startSignIn(server, 'apple')
  assert.is((await postCallback(other.jar, await cancelLogIn(other.jar, other.url))).headers.get('location'), '/login')
  assert.match((await readFailureMessage(server, other.jar)).box!, text)
})

apple('a response by GET, as of other OpenID providers, works as well', async () => {
  const { jar, answer } = await answerOf('ana')
  assert.is((await followCallback(jar, answer)).headers.get('location'), '/perfil')
})

apple('an invalid key prevents the start and is not printed', async () => {
  for (const key of ['no soy una clave', oneLine.slice(0, 90)]) {
    const { code, output } = await runToEnd({ APPLE_PRIVATE_KEY: key, DATA_DIR: server.dataDir })
    assert.is(code, 1)
    assert.match(output, 'perrario · APPLE_PRIVATE_KEY=…: valor no válido (se esperaba la clave .p8 de Apple, entera).')
    assert.not.match(output, key)
  }
})

apple('without every part of the key, Apple is not offered', async () => {
  await using site = await startServer({
    APPLE_CLIENT_ID: OAUTH_CLIENT.id,
    APPLE_TEAM_ID: 'TEAM123456',
    APPLE_PRIVATE_KEY: oneLine,
  })
  assert.is((await fetch(`${site.url}/api/auth/apple`)).status, 503)
  const jar = new CookieJar()
  const callback = `${site.url}/api/auth/apple/callback`
  assert.is((await postCallback(jar, { callback, params: {} })).headers.get('location'), '/login')
  assert.is((await readFailureMessage(site, jar)).box, 'La entrada con Apple no está configurada en este sitio.')
})
