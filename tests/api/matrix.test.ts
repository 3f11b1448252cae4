import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Db, openDatabase } from '#db/client.ts'
import { type Call, call, formOf } from '#tests/support/api.ts'
import { matrixWorld, type MatrixWorld, type Role, ROLES } from '#tests/support/matrix.ts'
import { photo } from '#tests/support/photo.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'

// Every mutation of the API by everyone who may try it, in a world of its own each time: the right status, and no other.

const ADMIN = 'admin@ejemplo.es'

/** Statuses in the order of ROLES: anonymous, other member, owner, admin, expired session. */
type Statuses = readonly [number, number, number, number, number]
interface Row {
  statuses: Statuses
  path: (w: MatrixWorld) => string
  send?: (w: MatrixWorld) => Call | Promise<Call>
}
const row = (statuses: Statuses, path: Row['path'], send?: Row['send']): Row => ({ statuses, path, send: send! })

const json = (body: unknown) => () => ({ json: body })
const members = (status: number): Statuses => [401, status, status, status, 401]
const everyone = (status: number): Statuses => [status, status, status, status, status]
const onlyOwner = (status: number): Statuses => [401, 403, status, 403, 401]

/** `METHOD address`, the address as the file under src/pages/api spells it. */
const MATRIX: Record<string, Row> = {
  'POST /auth/magic-link': row(
    everyone(202),
    () => '/api/auth/magic-link',
    (w) => ({ json: { email: `correo-${w.dog.id}@ejemplo.es` } }),
  ),
  'POST /auth/code': row(everyone(422), () => '/api/auth/code', json({ email: 'nadie@ejemplo.es', code: '123456' })),
  'POST /auth/link': row(everyone(422), () => '/api/auth/link', json({ token: 'x'.repeat(43) })),
  'POST /auth/sign-out': row(everyone(200), () => '/api/auth/sign-out'),
  // Whoever comes back from a provider without having gone there is sent to /login.
  'POST /auth/[provider]/callback': row(
    everyone(303),
    () => '/api/auth/apple/callback',
    () => formCall('state=x'),
  ),

  'POST /dogs': row(
    everyone(201),
    () => '/api/dogs',
    async () => ({
      form: formOf({ name: 'Toby', breed: 'Beagle', images: new Blob([await photo()], { type: 'image/jpeg' }) }),
    }),
  ),
  // This server has no key for it; with one everyone may ask (tests/api/detection.test.ts).
  'POST /breed-detection': row(
    everyone(503),
    () => '/api/breed-detection',
    async () => ({ form: formOf({ image: new Blob([await photo()], { type: 'image/jpeg' }) }) }),
  ),
  'PATCH /dogs/[id]': row(onlyOwner(200), (w) => `/api/dogs/${w.dog.id}`, json({ name: 'Tobías' })),
  'DELETE /dogs/[id]': row(onlyOwner(204), (w) => `/api/dogs/${w.dog.id}`),
  'PUT /dogs/[id]/images': row(
    onlyOwner(200),
    (w) => `/api/dogs/${w.dog.id}/images`,
    (w) => ({ form: formOf({ images: w.dog.photo_url }) }),
  ),
  'PUT /dogs/[id]/like': row(members(200), (w) => `/api/dogs/${w.dog.id}/like`),
  'DELETE /dogs/[id]/like': row(members(200), (w) => `/api/dogs/${w.dog.id}/like`),
  'POST /dogs/[id]/comments': row(members(201), (w) => `/api/dogs/${w.dog.id}/comments`, json({ content: 'Hola' })),
  'POST /dogs/[id]/association': row(
    members(200),
    (w) => `/api/dogs/${w.unclaimed.id}/association`,
    (w) => ({ json: { ownershipType: 'owner', token: w.unclaimed.token } }),
  ),
  // Of a dog that somebody else discovered, everyone signed in may say that it is theirs.
  'POST /dogs/[id]/ownership': row(members(204), (w) => `/api/dogs/${w.stray.id}/ownership`),
  // Taking back what one never said is done already.
  'DELETE /dogs/[id]/ownership': row(members(204), (w) => `/api/dogs/${w.found.id}/ownership`),
  'POST /dogs/[id]/ownership/[userId]': row(
    onlyOwner(204),
    (w) => `/api/dogs/${w.found.id}/ownership/${w.other.id}`,
    json({ accept: true }),
  ),
  'DELETE /comments/[id]': row(onlyOwner(204), (w) => `/api/comments/${w.comment}`),

  'PATCH /notifications/[id]': row(
    onlyOwner(200),
    (w) => `/api/notifications/${w.notification}`,
    json({ is_read: true }),
  ),
  'POST /notifications/[id]': row(
    [303, 403, 303, 403, 303],
    (w) => `/api/notifications/${w.notification}`,
    () => formCall('x=1'),
  ),
  'POST /notifications/read-all': row(members(200), () => '/api/notifications/read-all'),

  // This device's browser names a service that is none.
  'POST /push': row(members(422), () => '/api/push', json({ endpoint: 'https://otro.example', keys: {} })),
  'DELETE /push': row(members(204), () => '/api/push'),
  // Whoever holds a token (tests/api/digest.test.ts).
  'POST /digest/unsubscribe': row(
    everyone(404),
    () => '/api/digest/unsubscribe?token=x',
    () => formCall('List-Unsubscribe=One-Click'),
  ),
  'PUT /account/notices': row(
    members(200),
    () => '/api/account/notices',
    json({ likes: true, comments: true, others: false, quiet: null, time_zone: 'Europe/Madrid', digest: true }),
  ),
  'POST /account/notices': row(
    everyone(303),
    () => '/api/account/notices',
    () => formCall('likes=on&time_zone=Europe/Madrid'),
  ),

  'PUT /profile': row(
    members(200),
    () => '/api/profile',
    (w) => ({ json: { alias: `Ana ${w.dog.id.slice(0, 8)}`, emoji: '🐕' } }),
  ),
  // Plain forms answer with a page to go to.
  'POST /profile': row(
    everyone(303),
    () => '/api/profile',
    () => formCall('alias=Ana&emoji=🐕'),
  ),
  'DELETE /account': row(members(204), () => '/api/account', json({ dogs: 'keep' })),
  'POST /account': row(
    everyone(303),
    () => '/api/account',
    () => formCall('dogs=keep&alias=nadie'),
  ),
  'DELETE /account/sessions': row(members(200), () => '/api/account/sessions'),
  'POST /account/sessions': row(
    everyone(303),
    () => '/api/account/sessions',
    () => formCall('x=1'),
  ),
  'DELETE /account/sessions/[id]': row(onlyOwner(204), (w) => `/api/account/sessions/${w.session}`),
  'POST /account/sessions/[id]': row(
    [303, 403, 303, 403, 303],
    (w) => `/api/account/sessions/${w.session}`,
    () => formCall('x=1'),
  ),

  // Nobody reports what is theirs.
  'POST /reports': row(
    [401, 201, 422, 201, 401],
    () => '/api/reports',
    (w) => ({ json: { kind: 'dog', id: w.dog.id, reason: 'spam' } }),
  ),

  // Nobody blocks themselves.
  'PUT /blocks/[id]': row([401, 200, 422, 200, 401], (w) => `/api/blocks/${w.owner.id}`),
  'DELETE /blocks/[id]': row(members(200), (w) => `/api/blocks/${w.owner.id}`),
  'POST /blocks/[id]': row(
    [303, 303, 422, 303, 303],
    (w) => `/api/blocks/${w.owner.id}`,
    () => formCall('que=bloquear'),
  ),
  'POST /decisions/[id]/appeal': row(
    onlyOwner(200),
    (w) => `/api/decisions/${w.decision}/appeal`,
    json({ text: 'No es publicidad.' }),
  ),
  'POST /admin/cases/[id]': row(
    [401, 403, 403, 200, 401],
    (w) => `/api/admin/cases/${w.case}`,
    json({ deed: 'hide', reason: 'Es publicidad.' }),
  ),

  'PUT /admin/members/[id]/verified': row(
    [401, 403, 403, 200, 401],
    (w) => `/api/admin/members/${w.owner.id}/verified`,
    json({ verified: true }),
  ),
  'POST /admin/members/[id]/verified': row(
    [401, 403, 403, 303, 401],
    (w) => `/api/admin/members/${w.owner.id}/verified`,
    () => formCall('verified=1'),
  ),
  'POST /admin/members/[id]/word': row(
    [401, 403, 403, 200, 401],
    (w) => `/api/admin/members/${w.owner.id}/word`,
    json({ content: 'Hola' }),
  ),
}

function formCall(body: string): Call {
  return { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
}

interface Context {
  server: TestServer
  db: Db
}
const matrix = suite<Context>('matrix')

matrix.before(async (t) => {
  t.server = await startServer({ ADMIN_EMAIL: ADMIN })
  t.db = openDatabase(join(t.server.dataDir, 'perrario.db'))
})
matrix.after(async (t) => {
  await t.db.destroy()
  await t.server.dispose()
})

/** Each try comes from an address of its own: the limits on mails and adds are tested elsewhere. */
async function attempt({ server, db }: Context, name: string, role: Role, extra: Record<string, string> = {}) {
  const { path, send } = MATRIX[name]!
  const world = await matrixWorld(db, server.dataDir, ADMIN)
  const sent = (await send?.(world)) ?? {}
  const answer = await call(server, path(world), {
    ...sent,
    method: name.split(' ')[0]!,
    cookie: world.cookies[role],
    headers: { ...sent.headers, ...extra },
  })
  return { answer, world }
}

for (const [name, { statuses }] of Object.entries(MATRIX))
  matrix(name, async (t) => {
    const found: number[] = []
    for (const role of ROLES) found.push((await attempt(t, name, role)).answer.status)
    assert.equal(found, [...statuses], `${name} by ${ROLES.join(', ')}`)
  })

/** Their own state or token is their proof (decisions.md, origin exceptions). */
const FROM_ELSEWHERE = ['POST /auth/[provider]/callback', 'POST /digest/unsubscribe']

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'Content-Type': 'application/json' }

for (const name of Object.keys(MATRIX).filter((name) => !FROM_ELSEWHERE.includes(name)))
  matrix(`${name}, sent by another site`, async (t) => {
    const foreign: Record<string, string>[] = [
      { Origin: 'https://otro.example', ...FORM },
      { Origin: 'https://otro.example', ...JSON_TYPE },
      { Origin: 'null', ...FORM },
      { 'Sec-Fetch-Site': 'cross-site', ...JSON_TYPE },
      { 'Sec-Fetch-Site': 'same-site', ...FORM },
    ]
    const [method] = name.split(' ')
    const world = await matrixWorld(t.db, t.server.dataDir, ADMIN)
    const before = await everythingOf(t.db, world)
    for (const headers of foreign) {
      const role = name.includes('/admin/') ? 'admin' : 'owner'
      const { status, body } = await call(t.server, MATRIX[name]!.path(world), {
        method: method!,
        cookie: world.cookies[role],
        body:
          headers['Content-Type'] === JSON_TYPE['Content-Type'] ? '{"name":"X","dogs":"delete"}' : 'name=X&dogs=delete',
        headers,
      })
      assert.equal([status, body.detail], [403, 'La petición viene de otro sitio.'], JSON.stringify(headers))
    }
    assert.equal(await everythingOf(t.db, world), before)
  })

/** What a deed could have changed. A session that has ended goes by itself when it is shown. */
async function everythingOf(db: Db, world: MatrixWorld) {
  const now = Math.floor(Date.now() / 1000)
  const id = world.owner.id
  const tables = ['dogs', 'comments', 'dog_likes', 'notifications'] as const
  const rows: unknown[] = []
  for (const table of tables)
    rows.push(await db.selectFrom(table).selectAll().where('user_id', '=', id).orderBy('id').execute())
  rows.push(await db.selectFrom('profiles').selectAll().where('id', '=', id).execute())
  const open = db.selectFrom('sessions').selectAll().where('user_id', '=', id).where('expires_at', '>', now)
  rows.push(await open.orderBy('id').execute())
  return rows
}

matrix('a refused deed changes nothing', async (t) => {
  const deeds = ['PATCH /dogs/[id]', 'DELETE /dogs/[id]', 'DELETE /comments/[id]', 'PATCH /notifications/[id]']
  for (const name of deeds) {
    const world = await matrixWorld(t.db, t.server.dataDir, ADMIN)
    const before = await everythingOf(t.db, world)
    for (const role of ['anonymous', 'other', 'admin', 'expired'] as const) {
      const sent = (await MATRIX[name]!.send?.(world)) ?? {}
      const cookie = world.cookies[role]
      await call(t.server, MATRIX[name]!.path(world), { ...sent, method: name.split(' ')[0]!, cookie })
    }
    assert.equal(await everythingOf(t.db, world), before, name)
  }
})

matrix('refusals are problem+json with a sentence', async (t) => {
  const { answer } = await attempt(t, 'PATCH /dogs/[id]', 'other')
  assert.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(answer.body, {
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: 'Solo su dueño o su descubridor puede editar este perro.',
  })
})

matrix('every mutation there is stands in the matrix', () => {
  const there: string[] = []
  for (const path of listFiles(['src/pages/api'], ['.ts']))
    for (const [, method] of readSource(path).matchAll(/(?:as|const) (POST|PUT|PATCH|DELETE)\b/g))
      there.push(`${method} ${path.replace('src/pages/api', '').replace(/(\/index)?\.ts$/, '')}`)
  assert.ok(there.length > 20)
  assert.equal(there.toSorted(), Object.keys(MATRIX).toSorted())
})

matrix.run()
