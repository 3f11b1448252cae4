import {
  linkProvider,
  signInByProvider,
  UnlinkedAccountError,
  unlinkProvider,
} from '#features/auth/oauth/linked-accounts.server.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { ensureUser, findLinkedProviders } from '#features/auth/users.server.ts'
import { createSession, readSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { createAppleSecret } from '#features/auth/oauth/providers.server.ts'
import { failureTexts, tidyMessage, toSignInFailure } from '#features/auth/oauth/oauth.ts'
import { flowCookieName, parseFlow } from '#features/auth/oauth/client.server.ts'
import { EnvError, readEnv } from '#server/env.ts'
import { AppError } from '#lib/errors.ts'
import { appleKeyPair, readAppleSecret } from '#tests/support/auth/oidc-provider.ts'
import { assert, dbSuite, suite } from '#tests/support/suites.ts'

const words = suite('unit/auth/oauth-flow: failure messages')

words("a provider's message is one visible line of bounded length", () => {
  assert.is(tidyMessage(' uno\r\n\tdos\u0000\u202e\u2066 tres\ud800 '), 'uno dos tres')
  assert.is(tidyMessage('á'.repeat(200)), 'á'.repeat(200))
  assert.is(tidyMessage('🐶'.repeat(201)), `${'🐶'.repeat(199)}…`)
})

words('cancelling at the provider has a calm message', () => {
  for (const code of ['access_denied', 'user_cancelled_authorize'])
    assert.equal(failureTexts(toSignInFailure('apple', code, undefined)), {
      title: 'Error de autenticación',
      text: 'Has cancelado la entrada con Apple.',
      box: 'Has cancelado la entrada con Apple.',
      calm: true,
    })
})

words('a refusal shows the provider’s words; any other failure asks to try again', () => {
  assert.equal(failureTexts(toSignInFailure('github', 'bad', 'Cuenta suspendida')), {
    title: 'Error de autenticación',
    text: 'Cuenta suspendida',
    box: 'Cuenta suspendida',
    calm: false,
  })
  assert.equal(failureTexts({ provider: 'facebook', kind: 'failed', message: '' }), {
    title: 'Error al iniciar sesión con Facebook',
    text: 'Inténtalo de nuevo.',
    box: 'Error al iniciar sesión con Facebook. Inténtalo de nuevo.',
    calm: false,
  })
})

const flow = suite('unit/auth/oauth-flow: flow cookie')

flow('the cookie of a flow has the __Host- prefix under https', () => {
  assert.is(flowCookieName('google', false), 'perrario-entrada-google')
  assert.is(flowCookieName('apple', true), '__Host-perrario-entrada-apple')
})

flow('the cookie of a flow is valid until its time is over; any other text is not a flow', () => {
  const kept = { state: 's', verifier: 'v', nonce: 'n', until: 1000 }
  assert.equal(parseFlow(JSON.stringify(kept), 999), kept)
  assert.is(parseFlow(JSON.stringify(kept), 1000), null)
  for (const bad of [undefined, '', '{', 'null', '[]', '{"state":1}', JSON.stringify({ ...kept, verifier: undefined })])
    assert.is(parseFlow(bad, 0), null)
})

const secret = suite('unit/auth/oauth-flow: Apple’s client secret')

secret('Apple’s client secret is signed by the key and short-lived', () => {
  const { pem, publicKey } = appleKeyPair()
  const key = { teamId: 'T', keyId: 'K', pem }
  const jwt = createAppleSecret(key, 'es.perrario', 'https://appleid.apple.com', 1_000_500)
  assert.equal(readAppleSecret(jwt, publicKey), {
    header: { alg: 'ES256', kid: 'K' },
    claims: { iss: 'T', iat: 1000, exp: 1300, aud: 'https://appleid.apple.com', sub: 'es.perrario' },
  })
  assert.is(readAppleSecret(jwt, appleKeyPair().publicKey), null)
})

const env = suite('unit/auth/oauth-flow: provider settings')
const { oneLine, pem } = appleKeyPair()

env('a provider is configured by its id and its secret', () => {
  const { oauth } = readEnv({
    GOOGLE_CLIENT_ID: 'g',
    GOOGLE_CLIENT_SECRET: 's',
    GOOGLE_ISSUER: 'http://localhost:9',
    GITHUB_CLIENT_ID: 'only',
    FACEBOOK_CLIENT_SECRET: 'only',
  })
  assert.equal(oauth, {
    google: { clientId: 'g', clientSecret: 's', issuer: 'http://localhost:9', key: undefined },
  })
})

env('Apple needs a complete key, or a secret created elsewhere', () => {
  const whole = { APPLE_CLIENT_ID: 'a', APPLE_TEAM_ID: 't', APPLE_KEY_ID: 'k', APPLE_PRIVATE_KEY: oneLine }
  assert.equal(readEnv(whole).oauth.apple, {
    clientId: 'a',
    clientSecret: undefined,
    issuer: undefined,
    key: { teamId: 't', keyId: 'k', pem },
  })
  assert.ok(readEnv({ ...whole, APPLE_PRIVATE_KEY: pem }).oauth.apple, 'as the file has it')
  assert.is(readEnv({ ...whole, APPLE_KEY_ID: '' }).oauth.apple, undefined)
  assert.is(readEnv({ APPLE_CLIENT_ID: 'a', APPLE_CLIENT_SECRET: 'jwt' }).oauth.apple!.clientSecret, 'jwt')
})

env('invalid values prevent the start, in a line without secrets', () => {
  const says = (source: Record<string, string>, line: string) => {
    try {
      readEnv(source)
      assert.unreachable()
    } catch (error) {
      assert.instance(error, EnvError)
      assert.is((error as Error).message, line)
    }
  }
  says({ GITHUB_ISSUER: 'ftp://x' }, 'GITHUB_ISSUER=…: valor no válido (se esperaba una dirección http(s)).')
  says(
    { APPLE_PRIVATE_KEY: 'secreta' },
    'APPLE_PRIVATE_KEY=…: valor no válido (se esperaba la clave .p8 de Apple, entera).',
  )
})

const accounts = dbSuite('unit/auth/oauth-flow: provider accounts')

/** What a provider says of somebody: the address of a mailbox that it hosts, or that of another. */
const hosted = (id: string, hostedEmail: string | null) => ({ id, hostedEmail, claimedEmail: null })
const claimed = (id: string, claimedEmail: string) => ({ id, hostedEmail: null, claimedEmail })

accounts('a provider that hosts the mailbox is linked to its account, and stays linked', async ({ db }) => {
  const first = await signInByProvider(db, 'google', hosted('1', 'ana@gmail.com'))
  assert.equal(await signInByProvider(db, 'apple', hosted('7', 'ana@gmail.com')), first)
  assert.equal(await ensureUser(db, 'ana@gmail.com'), first)
  assert.equal(await signInByProvider(db, 'google', hosted('1', 'otra@gmail.com')), first)
  assert.equal(await signInByProvider(db, 'google', claimed('1', 'otra@ejemplo.es')), first)
  assert.equal(await signInByProvider(db, 'google', hosted('1', null)), first)
})

accounts('an address that a provider does not host opens no account, and is not stored', async ({ db }) => {
  const ana = await ensureUser(db, 'ana@ejemplo.es')
  const attempt = signInByProvider(db, 'github', claimed('7', 'ana@ejemplo.es'))
  assert.ok((await attempt.catch((error: unknown) => error)) instanceof UnlinkedAccountError)
  const bea = await signInByProvider(db, 'github', claimed('8', 'bea@ejemplo.es'))
  assert.is(bea.email, null)
  assert.is.not((await ensureUser(db, 'bea@ejemplo.es')).id, bea.id, 'who has the mailbox has an account of their own')
  assert.is(await linkProvider(db, 'github', '7', withRecentSignIn(ana)), true)
  assert.equal(await signInByProvider(db, 'github', claimed('7', 'ana@ejemplo.es')), ana)
  assert.is(await linkProvider(db, 'github', '7', withRecentSignIn(bea)), false, 'linked to somebody else')
  assert.is(await linkProvider(db, 'github', '7', withRecentSignIn(ana)), true)
})

accounts(
  'unlinking requires another way to sign in, and signs out all sessions but the requesting one',
  async ({ db }) => {
    const usable = { providers: ['google', 'github'] as const, rpId: null }
    const [ana, bea] = [await ensureUser(db, 'ana@ejemplo.es'), await signInByProvider(db, 'github', hosted('8', null))]
    const authenticatedAt = Date.now()
    const unlink = (user: { id: string }, provider: Provider, proved = authenticatedAt, sessionId = 's') =>
      unlinkProvider(db, { id: user.id, authenticatedAt: proved }, provider, { usable, sessionId }).then(
        () => 'done',
        (error: AppError) => error.status,
      )
    await linkProvider(db, 'github', '7', withRecentSignIn(ana))
    const sessions = [await createSession(db, ana.id), await createSession(db, ana.id), await createSession(db, bea.id)]
    const [own] = sessions.map(({ token }) => toSessionId(token))
    assert.is(await unlink(ana, 'github', authenticatedAt - 16 * 60_000), 403)
    assert.is(await unlink(ana, 'google'), 404)
    assert.is(await unlink(ana, 'github', authenticatedAt, own), 'done')
    assert.equal(await findLinkedProviders(db, ana.id), [])
    const open = await Promise.all(sessions.map(async ({ token }) => (await readSession(db, token)) !== null))
    assert.equal(open, [true, false, true])
    // Bea has no address: what she has left must be a way in on this site.
    assert.is(await unlink(bea, 'github'), 409)
    await linkProvider(db, 'facebook', '8', withRecentSignIn(bea))
    assert.is(await unlink(bea, 'github'), 409)
    await linkProvider(db, 'google', '8', withRecentSignIn(bea))
    await ban(db, bea.id, { until: null, reason: 'x' })
    assert.is(await unlink(bea, 'github'), 403, 'the ban holds for the provider too, also once the account is deleted')
    await unban(db, bea.id)
    assert.is(await unlink(bea, 'github'), 'done')
    assert.equal(await findLinkedProviders(db, bea.id), ['google', 'facebook'])
  },
)

accounts('the same id at two providers is two members, and neither has an unverified address', async ({ db }) => {
  const a = await signInByProvider(db, 'facebook', hosted('1', null))
  const b = await signInByProvider(db, 'github', hosted('1', null))
  assert.is.not(a.id, b.id)
  assert.equal([a.email, b.email], [null, null])
})

accounts('a deleted account deletes its links; signing in again creates a new one', async ({ db }) => {
  const first = await signInByProvider(db, 'google', hosted('1', 'ana@gmail.com'))
  await db.deleteFrom('users').where('id', '=', first.id).execute()
  assert.is.not((await signInByProvider(db, 'google', hosted('1', 'ana@gmail.com'))).id, first.id)
})

accounts('where no account may be created, only existing members sign in', async ({ db }) => {
  const full = async () => {
    throw new AppError(429, 'Hoy no.')
  }
  const enter = (id: string, email: string | null) =>
    signInByProvider(db, 'google', hosted(id, email), Date.now(), full)
  const refused = async (work: Promise<unknown>) =>
    assert.is(await work.catch((error: Error) => error.message), 'Hoy no.')
  await refused(enter('1', 'ana@ejemplo.es'))
  await refused(enter('2', null))
  assert.equal(await db.selectFrom('oauth_accounts').select('user_id').execute(), [])
  const ana = await ensureUser(db, 'ana@ejemplo.es')
  assert.equal(await enter('1', 'ana@ejemplo.es'), ana)
  assert.equal(await enter('1', 'otra@ejemplo.es'), ana)
})
