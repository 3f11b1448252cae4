import { setTimeout as wait } from 'node:timers/promises'
import { like } from '#features/likes/likes.server.ts'
import { paths } from '#lib/paths.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { type Cable, startCable } from '#tests/support/postgres/cable.ts'
import { createPostgresDatabase, type PostgresDatabase } from '#tests/support/postgres/databases.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { assert, assertNone, call, type Db, detailOf, dog, member, seed, suite, update } from '#tests/support/suites.ts'

// PostgreSQL that is restarted or unreachable: requests are answered with 503 meanwhile, nothing acknowledged is lost, and nothing that
// somebody changed elsewhere in the meantime is shown as it was before.

interface World {
  database: PostgresDatabase
  cable: Cable
  server: TestServer
  /** Past the cable. */
  db: Db
  ana: TestMember
  toby: { id: string; path: string }
}
const unavailable = suite<World>('api/nodes/postgres-unavailable')

unavailable.before(async (t) => {
  t.database = await createPostgresDatabase()
  t.cable = await startCable(t.database.url)
  t.server = await startServer({ DATABASE_URL: t.cable.url, PAGE_CACHE_POLL_MS: '200' })
  const data = { dataDir: t.server.dataDir, databaseUrl: t.database.url }
  t.db = openServerDatabase(data)
  t.ana = await signInMember({ ...t.server, ...data })
  const [{ id }] = await seed(t.db, dog({ owner_id: t.ana.id, name: 'Toby' }))
  const address = t.db.selectFrom('dogs').select(['path_breed', 'path_slug']).where('id', '=', id)
  t.toby = { id, path: paths.dog(await address.executeTakeFirstOrThrow()) }
})
unavailable.after(async (t) => {
  await t.server.dispose()
  await t.db.destroy()
  await t.cable.close()
  await t.database.drop()
})

const RECOVERY_MS = 10_000
/** As without any fault: a second, on a machine that may be busy. */
const SEEN_BY_OTHERS_MS = 3000

async function waitUntilReady({ server }: World): Promise<void> {
  for (const end = Date.now() + RECOVERY_MS; (await call(server, '/healthz')).status !== 200; await wait(50))
    assert.ok(Date.now() < end, 'ready again in time')
}

unavailable('connections that are cut under likes cost answers, and no like that was acknowledged', async (t) => {
  const members = await Promise.all(
    Array.from({ length: 12 }, (_, i) => signInMember(t.server, `socia${i}@ejemplo.es`)),
  )
  const liked = new Set<string>()
  const statuses = new Set<number>()
  const likeOnce = async ({ id, cookie }: TestMember, i: number) => {
    await wait(i * 15)
    const { status, headers } = await call(t.server, `/api/dogs/${t.toby.id}/like`, { method: 'PUT', cookie })
    statuses.add(status)
    if (status === 200) liked.add(id)
    else assert.ok(headers.has('retry-after'), String(status))
  }
  const cuts = (async () => {
    for (let i = 0; i < 3; i++) {
      await wait(50)
      t.cable.cut()
    }
  })()
  await Promise.all([cuts, ...members.map(likeOnce)])
  assertNone([...statuses], (status) => status !== 200 && status !== 503)
  await waitUntilReady(t)
  const stored = await t.db.selectFrom('dog_likes').select('user_id').where('dog_id', '=', t.toby.id).execute()
  const ids = new Set(stored.map(({ user_id }) => user_id))
  assertNone([...liked], (id) => !ids.has(id), 'acknowledged and lost')
  const { votes } = await t.db.selectFrom('dogs').select('votes').where('id', '=', t.toby.id).executeTakeFirstOrThrow()
  assert.is(votes, stored.length)
})

unavailable(
  'while it is unreachable everything is a 503 with a time to come back, and the process lives',
  async (t) => {
    assert.match((await call(t.server, t.toby.path)).body, 'Toby')
    const logged = t.server.output().length
    await t.cable.unplug()
    await wait(600)
    try {
      for (const [path, cookie] of [
        [t.toby.path, undefined],
        ['/perros', undefined],
        ['/perfil', t.ana.cookie],
        ['/perfil', undefined],
        [`/usuario/${t.ana.id}`, undefined],
        ['/api/dogs', undefined],
        ['/api/likes', t.ana.cookie],
        ['/healthz', undefined],
        ['/healthz', undefined],
      ] as const) {
        const { status, headers } = await call(t.server, path, { cookie })
        assert.equal([path, status, headers.get('retry-after')], [path, 503, '5'])
      }
      const added = await call(t.server, `/api/dogs/${t.toby.id}/like`, { method: 'PUT', cookie: t.ana.cookie })
      assert.equal(detailOf(added), [503, 'Ahora mismo no podemos responder. Inténtalo de nuevo en un momento.'])
      assert.is((await call(t.server, '/healthz/live')).status, 200)
    } finally {
      await t.cable.mend()
    }
    await waitUntilReady(t)
    for (
      const end = Date.now() + RECOVERY_MS;
      !/vuelve a responder/.test(t.server.output().slice(logged));
      await wait(50)
    )
      assert.ok(Date.now() < end, t.server.output().slice(logged))
    const lines = t.server.output().slice(logged).split('\n')
    const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length
    assert.is(count(/la base de datos no responde \(/), 1, lines.join('\n'))
    assert.is(count(/la base de datos vuelve a responder$/), 1, lines.join('\n'))
    // Neither a stack, nor a line for each question of the balancer.
    assert.is(count(/^\s+at |\/healthz|Unhandled/), 0, lines.join('\n'))
  },
)

unavailable('what changed while it was unreachable is shown afterwards', async (t) => {
  assert.match((await call(t.server, t.toby.path)).body, 'Toby')
  await t.cable.unplug()
  await update(t.db, 'dogs_all', { id: t.toby.id }, { description: 'Cambiado mientras tanto' })
  const [eva] = await seed(t.db, member())
  await like(t.db, eva, t.toby.id)
  await t.cable.mend()
  await waitUntilReady(t)
  for (const end = Date.now() + SEEN_BY_OTHERS_MS; ; await wait(50)) {
    const { body } = await call(t.server, t.toby.path)
    if (body.includes('Cambiado mientras tanto')) break
    assert.ok(Date.now() < end, 'still as before')
  }
})

unavailable('the log says in one line a time that the database is unavailable, without the password', (t) => {
  assert.match(t.server.output(), 'la base de datos no responde')
  assert.not.match(t.server.output(), 'password')
})
