import { answerDifference, findEndpoint } from '#tests/support/answers/check-answer.ts'
import { type Answer, call, type Json } from '#tests/support/api.ts'
import { type AnswerOptions, SoftwarePasskey } from '#tests/support/auth/software-authenticator.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { readStoredRows } from '#tests/support/rows.ts'
import { accountDeletionBody, signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { answered, assert, type Db, detailOf, serverDbSuite, type ServerDbWorld } from '#tests/support/suites.ts'

// Passkeys over HTTP, at a server that is told that it is localhost: its bare IP address would offer none.

const ADMIN = 'admin@ejemplo.es'
const ORIGIN = 'http://localhost'
const MINUTE = 60_000

const passkeys = serverDbSuite('api/auth/passkeys', { ADMIN_EMAIL: ADMIN, SITE_URL: ORIGIN })

const post = (server: TestServer, path: string, json: object, cookie = '') =>
  call(server, path, { method: 'POST', json, cookie })

/** The options of a ceremony, with an answer that must be as its schema says. */
async function optionsFor(server: TestServer, purpose: string, cookie = ''): Promise<Json> {
  const answer = await post(server, '/api/auth/passkeys/options', { for: purpose }, cookie)
  assert.is(answer.status, 200, JSON.stringify(answer.body))
  await assertAsDocumented('POST /api/auth/passkeys/options', answer)
  return answer.body.options
}

async function assertAsDocumented(name: string, { status, body, headers }: Answer) {
  const endpoint = (await findEndpoint(name))!
  const answer = { status, type: headers.get('content-type') ?? '', text: JSON.stringify(body) }
  assert.not.ok(answerDifference(endpoint, answer))
}

async function register({ server }: ServerDbWorld, cookie = '') {
  const key = new SoftwarePasskey(ORIGIN)
  const passkey = key.create(await optionsFor(server, 'register', cookie))
  const answer = await post(server, '/api/auth/passkeys', { passkey }, cookie)
  assert.is(answer.status, 201, JSON.stringify(answer.body))
  await assertAsDocumented('POST /api/auth/passkeys', answer)
  return { key, answer, id: answer.body.passkey.id as string }
}

const enter = async ({ server }: ServerDbWorld, key: SoftwarePasskey, change?: AnswerOptions) =>
  post(server, '/api/auth/passkeys/sign-in', { passkey: key.get(await optionsFor(server, 'sign-in'), change) })

const confirm = async ({ server }: ServerDbWorld, key: SoftwarePasskey, cookie: string, change?: AnswerOptions) =>
  post(server, '/api/auth/confirm', { passkey: key.get(await optionsFor(server, 'confirm', cookie), change) }, cookie)

const sessionCookie = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('perrario='))!
    .split(';')[0]!

const makeStale = (db: Db) =>
  db
    .updateTable('sessions')
    .set({ proved_at: Date.now() - 16 * MINUTE })
    .execute()

passkeys('a member adds a passkey and enters with it, in one call each way', async (t) => {
  const { id, cookie } = await signIn(t.server, 'ana@ejemplo.es')
  const { key, answer } = await register(t, cookie)
  assert.is(answer.headers.getSetCookie().length, 0, 'the session goes on')
  const entered = await enter(t, key)
  assert.equal([entered.status, entered.body.user.id], [200, id])
  await assertAsDocumented('POST /api/auth/passkeys/sign-in', entered)
  const session = await call(t.server, '/api/session', { cookie: sessionCookie(entered) })
  assert.is(session.body.user.email, 'ana@ejemplo.es')
})

passkeys('a visitor opens an account without address and is told of a second way until there is one', async (t) => {
  const { key, answer } = await register(t)
  const cookie = sessionCookie(answer)
  assert.is(answer.body.user.email, null)
  const profile = async (session: string) => (await call(t.server, '/perfil', { cookie: session })).body as string
  assert.match(await profile(cookie), 'Solo tienes una forma de entrar')
  const again = sessionCookie(await enter(t, key))
  assert.match(await profile(again), 'Solo tienes una forma de entrar', 'at each sign-in')
  await register(t, again)
  assert.not.match(await profile(again), 'Solo tienes una forma de entrar')
})

passkeys('new accounts by passkey count towards the limit of new accounts', async () => {
  await using server = await startServer({ SITE_URL: ORIGIN, ACCOUNTS_PER_DAY: '1' })
  const tryToRegister = async () => {
    const passkey = new SoftwarePasskey(ORIGIN).create(await optionsFor(server, 'register'))
    return post(server, '/api/auth/passkeys', { passkey })
  }
  assert.is((await tryToRegister()).status, 201)
  const refused = await tryToRegister()
  assert.equal(detailOf(refused), [
    429,
    'Hoy ya se han creado muchas cuentas desde tu conexión. Vuelve a intentarlo mañana o desde otra red.',
  ])
})

passkeys('bad answers are refused with a Spanish sentence and change nothing', async (t) => {
  const { cookie } = await signIn(t.server, 'mala@ejemplo.es')
  const { key } = await register(t, cookie)
  const wrongSite = 'Esta llave no es de este sitio.'
  const stale = 'Esta petición ha caducado o ya se ha usado. Inténtalo otra vez.'
  const copied =
    'Puede que alguien haya copiado esta llave, así que no la aceptamos. Entra de otra forma y quítala de tu cuenta.'
  await enter(t, key, { counter: 9 })
  const used = { passkey: key.get(await optionsFor(t.server, 'sign-in')) }
  await post(t.server, '/api/auth/passkeys/sign-in', used)
  const rows = async () => {
    const { secrets, ...others } = await readStoredRows(t.db)
    return { ...others, secrets: secrets!.filter((row) => !row.includes('"kind":"passkey-')) }
  }
  const cases: [string, () => Promise<Answer>][] = [
    [wrongSite, () => enter(t, key, { origin: 'https://otro.example', counter: 20 })],
    [wrongSite, () => enter(t, key, { rpId: 'otro.example', counter: 21 })],
    [stale, () => post(t.server, '/api/auth/passkeys/sign-in', used)],
    [stale, () => enter(t, key, { challenge: 'bm8', counter: 22 })],
    [copied, () => enter(t, key, { counter: 1 })],
    ['No hemos podido comprobar la llave. Inténtalo otra vez.', () => post(t.server, '/api/auth/passkeys/sign-in', {})],
    [
      'Esta llave ya no abre ninguna cuenta. Entra de otra forma y bórrala de tu dispositivo.',
      () => enter(t, new SoftwarePasskey(ORIGIN), { userHandle: 'eA' }),
    ],
  ]
  for (const [sentence, attempt] of cases) {
    const before = await rows()
    const { status, body, headers } = await attempt()
    assert.equal([status, body.detail, headers.getSetCookie()], [422, sentence, []])
    assert.equal(await rows(), before, sentence)
  }
})

passkeys('a passkey confirms the identity for fifteen minutes', async (t) => {
  const { cookie } = await signIn(t.server, 'sudo@ejemplo.es')
  const { key } = await register(t, cookie)
  const { key: foreign } = await register(t, (await signIn(t.server, 'otra@ejemplo.es')).cookie)
  await makeStale(t.db)
  const download = () => call(t.server, '/api/account/export', { cookie })
  assert.is((await download()).status, 403)
  assert.equal(detailOf(await confirm(t, foreign, cookie)), [422, 'Esa llave es de otra cuenta. Usa una de las tuyas.'])
  const unverified = await confirm(t, key, cookie, { isVerified: false })
  assert.is(unverified.body.detail, 'Tu llave no ha comprobado que eres tú. Usa la huella, la cara o el PIN.')
  assert.is((await download()).status, 403)
  const confirmed = await answered(200, confirm(t, key, cookie))
  assert.ok(Math.abs(confirmed.body.provedUntil - Date.now() - 15 * MINUTE) < MINUTE)
  await assertAsDocumented('POST /api/auth/confirm', confirmed)
  assert.is((await download()).status, 200)
})

passkeys('the same call confirms by a mailed code, and mails one where it gets none', async (t) => {
  const { cookie } = await signIn(t.server, 'codigo@ejemplo.es')
  await makeStale(t.db)
  assert.is((await post(t.server, '/api/auth/confirm', {}, cookie)).status, 202)
  const { code } = lastMailTo(t.server.dataDir, 'codigo@ejemplo.es')
  assert.is((await post(t.server, '/api/auth/confirm', { code }, cookie)).status, 200)
  assert.is((await call(t.server, '/api/account/export', { cookie })).status, 200)
  assert.is((await post(t.server, '/api/auth/confirm', { code }, cookie)).status, 422, 'once')
})

passkeys('a sign-in without a check of who uses the passkey is no fresh proof', async (t) => {
  const { key } = await register(t, (await signIn(t.server, 'sin-pin@ejemplo.es')).cookie)
  const cookie = sessionCookie(await enter(t, key, { isVerified: false }))
  assert.is((await call(t.server, '/api/account/export', { cookie })).status, 403)
})

passkeys('an account with passkeys alone may delete itself, and its passkey then opens nothing', async (t) => {
  const { key, answer } = await register(t)
  const cookie = sessionCookie(answer)
  await makeStale(t.db)
  const json = await accountDeletionBody(t.server, cookie)
  const remove = () => call(t.server, '/api/account', { method: 'DELETE', cookie, json })
  assert.is((await remove()).status, 403)
  assert.is((await confirm(t, key, cookie)).status, 200)
  assert.is((await remove()).status, 204)
  const refused = await enter(t, key)
  assert.is(
    refused.body.detail,
    'Esta llave ya no abre ninguna cuenta. Entra de otra forma y bórrala de tu dispositivo.',
  )
})

passkeys('forms rename and remove; the last way in stays', async (t) => {
  const { cookie } = await signIn(t.server, 'formas@ejemplo.es')
  const { id } = await register(t, cookie)
  const send = async (session: string, passkey: string, fields: Record<string, string>) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    const path = `/api/auth/passkeys/${passkey}`
    return (await call(t.server, path, { method: 'POST', cookie: session, body, headers })).headers.get('location')
  }
  const page = async () => (await call(t.server, '/perfil/cuenta', { cookie })).body as string
  assert.is(
    await send(cookie, id, { accion: 'renombrar', name: 'Mi móvil' }),
    '/perfil/cuenta?hecho=llave-nombre#llaves',
  )
  // The security log names it, too.
  assert.match(await page(), 'value="Mi móvil"')
  assert.is(await send(cookie, id, { accion: 'renombrar', name: ' ' }), '/perfil/cuenta?error=llave-sin-nombre#llaves')
  assert.is(
    await send(cookie, id, { accion: 'renombrar', name: 'x'.repeat(41) }),
    '/perfil/cuenta?error=llave-nombre-largo#llaves',
  )
  assert.is(await send(cookie, id, { accion: 'quitar' }), '/perfil/cuenta?hecho=llave-quitada#llaves')
  assert.not.match(await page(), 'value="Mi móvil"')
  const alone = await register(t)
  assert.is(
    await send(sessionCookie(alone.answer), alone.id, { accion: 'quitar' }),
    '/perfil/cuenta?error=llave-unica#llaves',
  )
})

passkeys('the admin with a passkey reads and writes only after it', async (t) => {
  const admin = await signIn(t.server, ADMIN)
  const { id } = await signIn(t.server, 'miembro@ejemplo.es')
  const warn = (cookie: string) => post(t.server, `/api/admin/members/${id}/word`, { content: 'Hola' }, cookie)
  const read = async (cookie: string) => (await call(t.server, '/admin', { cookie })).body as string
  assert.is((await warn(admin.cookie)).status, 200, 'by mail, while there is no passkey')
  const { key } = await register(t, admin.cookie)
  const refused = await warn(admin.cookie)
  const sentence = 'Para tu seguridad, confirma con tu llave de acceso.'
  assert.equal([refused.status, refused.body.errors], [403, { code: sentence }])
  assert.not.match(await read(admin.cookie), 'miembro@ejemplo.es')
  await call(t.server, '/api/auth/confirm', { method: 'POST', cookie: admin.cookie })
  const { code } = lastMailTo(t.server.dataDir, ADMIN)
  assert.is((await post(t.server, '/api/auth/confirm', { code }, admin.cookie)).status, 200)
  assert.is((await warn(admin.cookie)).status, 403, 'a code is not enough any more')
  assert.is((await confirm(t, key, admin.cookie)).status, 200)
  assert.is((await warn(admin.cookie)).status, 200)
  assert.match(await read(admin.cookie), 'miembro@ejemplo.es')
  await makeStale(t.db)
  assert.match(await read(admin.cookie), 'miembro@ejemplo.es', 'reading goes on')
  assert.is((await warn(admin.cookie)).status, 403)
})
