import type { Trx as Db } from '#db/client.ts'
import { RECENT_AUTH_MINUTES } from '#features/auth/auth.ts'
import { type Answer, call } from '#tests/support/api.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { methodOf } from '#tests/support/matrix/rows.ts'
import { createMatrixWorld } from '#tests/support/matrix/world.ts'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import { readPageRoutes } from '#tests/support/matrix/source-routes.ts'
import { accountDeletionBody, signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { answered, assert, assertMatches, contentOf, redirectOf, serverDbSuite } from '#tests/support/suites.ts'

// What a session alone may not do requires a recent sign-in: which calls these are, and the step that leads there.

const CONFIRMATION_MESSAGE = 'Para tu seguridad, confirma con un código que te enviamos por correo.'
/** Every call that asks for it. */
const RECENT_AUTH_ROUTES = [
  'DELETE /api/account',
  'DELETE /api/account/providers/[provider]',
  'DELETE /api/account/sessions',
  'DELETE /api/auth/passkeys/[id]',
  'GET /api/account/export',
  'POST /api/account',
  'POST /api/account/email',
  'POST /api/account/email/code',
  'POST /api/account/providers/[provider]',
  'POST /api/account/recovery-codes',
  'POST /api/account/sessions',
  'POST /api/account/sessions/[id]/disown',
  'POST /api/auth/passkeys/[id]',
  'POST /perfil/seguridad',
]
/** Every call that asks the admin for it. */
const ADMIN_ROUTES = [
  'POST /api/admin/cases/[id]',
  'POST /api/admin/members/[id]/verified',
  'POST /api/admin/members/[id]/word',
  'POST /api/admin/reviews/[id]',
  'POST /razas/[raza]',
  'PUT /api/admin/members/[id]/verified',
]
/** What else there is of the account, and why a session is enough for it. */
const EXEMPT_ROUTES: Record<string, string> = {
  'GET /api/account/notices': 'shows what the device’s user sees anyway',
  'PUT /api/account/notices': 'is turned back as easily',
  'POST /api/account/notices': 'the same',
  'DELETE /api/account/memories': 'the same: «Tal día» is one of them',
  'POST /api/account/memories': 'the same',
  'POST /api/account/first-days': 'hides steps that their member has read',
  'GET /api/account/sessions': 'names of devices',
  'DELETE /api/account/sessions/[id]': 'ends the asking session, as signing out does; others are asked about below',
  'POST /api/account/sessions/[id]': 'the same',
  'POST /api/account/disown': 'the mailed secret is the proof; it needs no session',
  'POST /api/account/restore': 'the mailed secret or a sign-in is the proof; it only brings back',
  'POST /api/account/erase': 'asks, of who signed in to an account that waits (api/account/pending-deletion)',
  'POST /api/account/undo': 'the mailed secret is the proof; it needs no session',
}

const ADMIN = 'admin@ejemplo.es'
const proof = serverDbSuite('api/auth/recent-auth', { ADMIN_EMAIL: ADMIN, TRUST_PROXY: '1' })

/** All who are here proved who they are `minutes` ago. */
const setLastSignIn = (db: Db, minutes: number) =>
  db
    .updateTable('sessions')
    .set({ proved_at: Date.now() - minutes * 60_000 })
    .execute()

const isConfirmationAsked = ({ status, body, headers }: Answer) =>
  (status === 403 && body?.errors?.code === CONFIRMATION_MESSAGE) ||
  (status === 403 && /Confirma en «Administración» que eres tú/.test(String(body))) ||
  (status >= 300 && status < 400 && /[?&]confirma=pide/.test(headers.get('location') ?? ''))

let tries = 0

/** The calls of the matrix that ask `role` for it. */
async function findAskingCalls({ server, db }: { server: TestServer; db: Db }, role: 'owner' | 'admin') {
  const asking: string[] = []
  const looked = await createMatrixWorld(db, server.dataDir, ADMIN)
  for (const [name, { path, send }] of Object.entries({ ...WRITES, ...READS })) {
    if (name.includes('/api/events')) continue
    const world = methodOf(name) === 'GET' ? looked : await createMatrixWorld(db, server.dataDir, ADMIN)
    const sent = (await send?.(world, role)) ?? {}
    const cookie = await world.cookieOf(role)
    await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
    const answer = await call(server, path(world), {
      ...sent,
      method: methodOf(name).replace('ALL', 'POST'),
      cookie,
      headers: { ...sent.headers, 'X-Forwarded-For': `10.7.${++tries >> 8}.${tries & 255}` },
    })
    if (isConfirmationAsked(answer)) asking.push(name)
  }
  return asking.toSorted()
}

proof(
  'exactly the calls that change who comes in, or take everything away, require recent authentication',
  async (t) => {
    assert.equal(await findAskingCalls(t, 'owner'), RECENT_AUTH_ROUTES)
  },
)

proof('every write of the admin requires recent authentication', async (t) => {
  assert.equal(
    (await findAskingCalls(t, 'admin')).filter((name) => !RECENT_AUTH_ROUTES.includes(name)),
    ADMIN_ROUTES,
  )
})

proof('ending another session than its own requires recent authentication', async ({ server, db }) => {
  const [here, there] = [await signIn(server, 'dos@ejemplo.es'), await signIn(server, 'dos@ejemplo.es')]
  await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
  const { sessions } = (await call(server, '/api/account/sessions', { cookie: here.cookie })).body
  const other = sessions.find(({ current }: { current: boolean }) => !current)
  const end = () => call(server, `/api/account/sessions/${other.id}`, { method: 'DELETE', cookie: here.cookie })
  const refused = await end()
  assert.equal([refused.status, refused.body.errors], [403, { code: CONFIRMATION_MESSAGE }])
  assert.ok((await call(server, '/api/session', { cookie: there.cookie })).body.user)
  await setLastSignIn(db, 0)
  assert.is((await end()).status, 204)
  assert.is((await call(server, '/api/session', { cookie: there.cookie })).body.user, null)
})

proof('every account route is listed as requiring recent authentication or not', () => {
  const routes = readPageRoutes().filter((name) => name.includes(' /api/account'))
  const asking = RECENT_AUTH_ROUTES.filter((name) => name.includes(' /api/account'))
  assert.equal(routes.toSorted(), [...asking, ...Object.keys(EXEMPT_ROUTES)].toSorted())
})

proof('the mailed code permits deleting and exporting for fifteen minutes, once', async ({ server, db }) => {
  const email = 'ana@ejemplo.es'
  const { cookie } = await signIn(server, email)
  await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
  const download = () => call(server, '/api/account/export', { cookie })
  const remove = async () =>
    call(server, '/api/account', { method: 'DELETE', cookie, json: await accountDeletionBody(server, cookie, 'keep') })
  for (const refused of [await download(), await remove()]) {
    assert.equal(
      [refused.status, refused.body.detail, refused.body.errors],
      [403, CONFIRMATION_MESSAGE, { code: CONFIRMATION_MESSAGE }],
    )
    assert.match(refused.headers.get('content-type')!, 'problem+json')
  }
  const confirm = (code: string) => call(server, '/api/auth/confirm/code', { method: 'POST', cookie, json: { code } })
  assert.equal(contentOf(await call(server, '/api/auth/confirm', { method: 'POST', cookie })), [202, { sent: true }])
  const mail = lastMailTo(server.dataDir, email)
  assert.match(mail.text, 'Con este código confirmas que eres tú')
  assert.is(mail.link, '', 'a link would sign somebody in')
  assert.is((await confirm(mail.code === '000000' ? '000001' : '000000')).status, 422)
  assert.is((await download()).status, 403)
  const proved = await answered(200, confirm(mail.code))
  assert.ok(Math.abs(proved.body.provedUntil - Date.now() - RECENT_AUTH_MINUTES * 60_000) < 60_000)
  assert.is((await confirm(mail.code)).status, 422)
  assert.is((await download()).status, 200)
  await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
  assert.is((await download()).status, 403)
  await setLastSignIn(db, RECENT_AUTH_MINUTES - 1)
  assert.is((await remove()).status, 204)
})

proof(
  'another member’s code, a sign-in code and an unrequested one are not recent authentication',
  async ({ server, db }) => {
    const [ana, eva] = [await signIn(server, 'ana2@ejemplo.es'), await signIn(server, 'eva2@ejemplo.es')]
    await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
    const post = (path: string, cookie: string, json: object = {}) =>
      call(server, path, { method: 'POST', cookie, json })
    await post('/api/auth/confirm', eva.cookie)
    await post('/api/auth/magic-link', '', { email: 'ana2@ejemplo.es' })
    for (const email of ['eva2@ejemplo.es', 'ana2@ejemplo.es']) {
      const { code } = lastMailTo(server.dataDir, email)
      assert.is((await post('/api/auth/confirm/code', ana.cookie, { code })).status, 422)
    }
    assert.is((await call(server, '/api/account/export', { cookie: ana.cookie })).status, 403)
    assert.is((await post('/api/auth/confirm', '')).status, 401)
    assert.is((await post('/api/auth/confirm/code', '', { code: '123456' })).status, 401)
    // Signing in anew proves as much.
    const { code } = lastMailTo(server.dataDir, 'ana2@ejemplo.es')
    const entered = await post('/api/auth/code', '', { email: 'ana2@ejemplo.es', code })
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
    assert.is((await call(server, '/api/account/export', { cookie })).status, 200)
  },
)

proof(
  'confirming sends at most five mails an hour, and its response does not show the limit',
  async ({ server, db }) => {
    const { cookie } = await signIn(server, 'mucha@ejemplo.es')
    await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
    const before = readOutbox(server.dataDir).length
    for (let i = 0; i < 8; i++)
      assert.is((await call(server, '/api/auth/confirm', { method: 'POST', cookie })).status, 202)
    assert.is(readOutbox(server.dataDir).length - before, 5)
  },
)

proof('without script the page confirms by forms alone', async ({ server, db }) => {
  const email = 'llana@ejemplo.es'
  const { cookie } = await signIn(server, email)
  const page = async (path = '/perfil/cuenta') => (await call(server, path, { cookie })).body as string
  const step = /<section[^>]* id="confirma"/
  await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
  assert.not.match(await page(), step, 'the step waits for the action')
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ x: '1', ...fields }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await call(server, path, { method: 'POST', cookie, body, headers })
    return [answer.status, answer.headers.get('location')]
  }
  const gone = { ...(await accountDeletionBody(server, cookie, 'keep')), now: 'si' }
  assert.equal(await post('/api/account', gone), [303, '/perfil/cuenta?confirma=pide#confirma'])
  assertMatches(await page('/perfil/cuenta?confirma=pide'), step, CONFIRMATION_MESSAGE)
  const link = await call(server, '/api/account/export', { cookie, headers: { Accept: 'text/html' } })
  assert.equal(redirectOf(link), [303, '/perfil/cuenta?confirma=pide#confirma'])
  assert.equal(await post('/api/auth/confirm'), [303, '/perfil/cuenta?confirma=enviado#confirm-code'])
  assertMatches(await page('/perfil/cuenta?confirma=enviado'), 'Código de 6 cifras', email)
  assert.equal(await post('/api/auth/confirm/code', { code: '12' }), [
    303,
    '/perfil/cuenta?confirma=codigo#confirm-code',
  ])
  assert.match(await page('/perfil/cuenta?confirma=codigo'), 'El código no es correcto o ya no vale.')
  const { code } = lastMailTo(server.dataDir, email)
  assert.equal(await post('/api/auth/confirm/code', { code }), [303, '/perfil/cuenta?hecho=confirmado#confirma'])
  assertMatches(await page('/perfil/cuenta?hecho=confirmado'), 'Confirmado.', 'data-delete-account')
  await setLastSignIn(db, RECENT_AUTH_MINUTES + 1)
  assert.equal(await post('/perfil/seguridad'), [303, '/perfil/seguridad?confirma=pide#confirma'])
  assert.match(await page('/perfil/seguridad?confirma=pide'), 'name="volver" value="seguridad"')
  const again = { volver: 'seguridad' }
  assert.equal(await post('/api/auth/confirm', again), [303, '/perfil/seguridad?confirma=enviado#confirm-code'])
  assert.equal(await post('/api/auth/confirm/code', { ...again, code: lastMailTo(server.dataDir, email).code }), [
    303,
    '/perfil/seguridad?hecho=confirmado#confirma',
  ])
  assert.equal(await post('/api/account', gone), [303, '/'])
})
