import { WRITES } from '#tests/support/matrix/writes.ts'
import { type Role, ROLES, type Statuses } from '#tests/support/matrix/roles.ts'
import { methodOf, routeOf } from '#tests/support/matrix/rows.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { sample } from '#tests/support/sample.ts'
import { assert, call, type Db, serverDbSuite, type ServerDbWorld } from '#tests/support/suites.ts'

// Every call that changes something by everyone who may not, and by two of those who may (in a whole run by all): the right status, and no
// other. Whether every route has a row is asked in reads-by-role.test.ts.

const ADMIN = 'admin@ejemplo.es'

interface Context extends ServerDbWorld {
  /** What no refused request may change. */
  untouched?: MatrixWorld
}
const matrix = serverDbSuite<Context>('api/access/writes-by-role', { ADMIN_EMAIL: ADMIN, TRUST_PROXY: '1' })

/** Each try comes from an address of its own: the limits on mails and adds are tested elsewhere. */
let attempts = 0
const address = () => ({ 'X-Forwarded-For': `10.0.${++attempts >> 8}.${attempts & 255}` })

async function attempt({ server, db }: Context, name: string, role: Role, given?: MatrixWorld) {
  const { path, send } = WRITES[name]!
  const world = given ?? (await createMatrixWorld(db, server.dataDir, ADMIN))
  const sent = (await send?.(world, role)) ?? {}
  return call(server, path(world), {
    ...sent,
    method: methodOf(name).replace('ALL', 'POST'),
    cookie: await world.cookieOf(role),
    headers: { ...sent.headers, ...address() },
  })
}

/** Those who are to be refused share a world, of which nothing of the owner's may change. A ban would change it. */
const refusedIn = (statuses: Statuses): Role[] =>
  ROLES.filter((role) => statuses[role] >= 400 && role !== 'bannedOwner')

for (const [index, [name, { statuses }]] of Object.entries(WRITES).entries())
  matrix(name, async (t) => {
    const found: Partial<Record<Role, number>> = {}
    const refused = refusedIn(statuses)
    const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
    for (const role of refused) await world.cookieOf(role)
    const before = await readEverything(t.db, world)
    for (const role of refused) found[role] = (await attempt(t, name, role, world)).status
    const after = await readEverything(t.db, world)
    // Each in a world of its own, which takes most of the time; the first is another one in each test.
    const others = ROLES.filter((role) => !refused.includes(role))
    const tried = sample([...others.slice(index % others.length), ...others.slice(0, index % others.length)], 2)
    for (const role of tried) found[role] = (await attempt(t, name, role)).status
    assert.equal(found, Object.fromEntries([...refused, ...tried].map((role) => [role, statuses[role]])))
    assert.equal(after, before)
  })

/** Their own state or token is their proof, or they change nothing (docs/product.md §23.3). */
const CROSS_ORIGIN_ROUTES = [
  'POST /api/auth/[provider]/callback',
  'POST /api/unsubscribe',
  'POST /api/digest/unsubscribe',
  'POST /api/lost-alerts/unsubscribe',
  'POST /api/message-mails/unsubscribe',
  'POST /compartir',
]

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const FOREIGN: Record<string, string>[] = [
  { Origin: 'https://otro.example', ...FORM },
  { Origin: 'https://otro.example', ...JSON_TYPE },
  { Origin: 'null', ...FORM },
  { 'Sec-Fetch-Site': 'cross-site', ...JSON_TYPE },
  { 'Sec-Fetch-Site': 'same-site', ...FORM },
]

for (const name of Object.keys(WRITES).filter((name) => !name.includes(' · ') && !CROSS_ORIGIN_ROUTES.includes(name)))
  matrix(`${name}: a request from another site is refused and changes nothing`, async (t) => {
    // One for all of these tests, since each asserts that it changes nothing.
    const world = (t.untouched ??= await createMatrixWorld(t.db, t.server.dataDir, ADMIN))
    const cookie = await world.cookieOf(/\/admin\/|\/razas\//.test(name) ? 'admin' : 'owner')
    const before = await readEverything(t.db, world)
    for (const headers of FOREIGN) {
      const isJson = headers['Content-Type'] === JSON_TYPE['Content-Type']
      const { status, body } = await call(t.server, WRITES[name]!.path(world), {
        method: methodOf(name).replace('ALL', 'POST'),
        cookie,
        body: isJson ? '{"name":"X","dogs":"delete"}' : 'name=X&dogs=delete',
        headers,
      })
      assert.equal([status, body.detail], [403, 'La petición viene de otro sitio.'], JSON.stringify(headers))
    }
    assert.equal(await readEverything(t.db, world), before)
  })

/** What an action could have changed of the owner's data. An expired session is deleted when it is used. */
async function readEverything(db: Db, world: MatrixWorld) {
  const now = Math.floor(Date.now() / 1000)
  const id = world.owner.id
  const tables = [
    'dogs_all',
    'comments_all',
    'dog_likes_all',
    'notifications_all',
    'blocks',
    'breed_opinions_all',
  ] as const
  const rows: unknown[] = []
  for (const table of tables) rows.push(await db.selectFrom(table).selectAll().where('user_id', '=', id).execute())
  const dogs = db.selectFrom('dogs_all').select('id').where('user_id', '=', id)
  rows.push(await db.selectFrom('dog_images_all').selectAll().where('dog_id', 'in', dogs).execute())
  rows.push(await db.selectFrom('profiles_all').selectAll().where('id', '=', id).execute())
  rows.push(await db.selectFrom('ownership_requests_all').selectAll().where('dog_id', '=', world.found.id).execute())
  rows.push(await db.selectFrom('opinion_requests').selectAll().where('dog_id', '=', world.dog.id).execute())
  rows.push(await db.selectFrom('decision_people').selectAll().where('user_id', '=', id).execute())
  const open = db.selectFrom('sessions').selectAll().where('user_id', '=', id).where('expires_at', '>', now)
  rows.push(await open.orderBy('id').execute())
  return rows
}

matrix('the matrix has more than 150 refusals', () => {
  const refused = Object.values(WRITES).flatMap(({ statuses }) => refusedIn(statuses))
  assert.ok(refused.length > 150, `${refused.length} refusals`)
})

matrix('refusals are problem+json with a sentence', async (t) => {
  const sentences = async (name: string, role: Role) => {
    const { headers, body } = await attempt(t, name, role)
    assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
    return [body.title, body.detail]
  }
  assert.equal(await sentences('PATCH /api/dogs/[id]', 'visitor'), ['Unauthorized', 'Error: Usuario no autenticado'])
  assert.equal(await sentences('PATCH /api/dogs/[id]', 'member'), [
    'Forbidden',
    'Solo su dueño o su descubridor puede editar este perro.',
  ])
  assert.equal(await sentences('PUT /api/dogs/[id]/like', 'visitor'), ['Unauthorized', 'Inicia sesión para continuar.'])
  assert.equal(await sentences('PUT /api/dogs/[id]/like', 'banned'), [
    'Forbidden',
    'Tu cuenta no puede publicar en Perrario. Puedes seguir leyendo, y descargar o eliminar tus datos.',
  ])
  for (const role of ['blocked', 'blocker'] as const)
    assert.equal(await sentences('PUT /api/dogs/[id]/like', role), [
      'Forbidden',
      'No puedes hacerlo: uno de los dos ha bloqueado al otro.',
    ])
})

matrix('pages refuse writes that have no row, and change nothing', async (t) => {
  const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
  const cookie = await world.cookieOf('owner')
  const before = await readEverything(t.db, world)
  const posts = Object.keys(WRITES).map(routeOf)
  for (const path of [
    '/',
    '/perros',
    '/perfil',
    '/perfil/cuenta',
    '/admin',
    '/comunidad',
    '/denunciar',
    world.dog.path,
  ])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.not(posts.includes(`${method} ${path}`))
      await call(t.server, path, { method, cookie, body: 'alias=X&dogs=delete&que=bloquear', headers: FORM })
    }
  assert.equal(await readEverything(t.db, world), before)
})
