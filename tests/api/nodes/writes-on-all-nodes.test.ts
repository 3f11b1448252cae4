import { paths } from '#lib/paths.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { startNodes, type TestNodes } from '#tests/support/nodes/nodes.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { type Answer, answered, assert, call, type Db, dog, seed, suite } from '#tests/support/suites.ts'

// Two nodes with page caches of their own: who writes sees it at their next request on either, everybody else soon after.

const writes = suite<{ nodes: TestNodes; db: Db; ana: TestMember }>('api/nodes/writes-on-all-nodes')

writes.before(async (t) => {
  t.nodes = await startNodes()
  t.db = openServerDatabase(t.nodes)
  t.ana = await signInMember(t.nodes.nodes[0], 'ana@ejemplo.es')
})
writes.after(async ({ nodes, db }) => {
  await db.destroy()
  await nodes.dispose()
})

const ROUNDS = 10
/** Others see a write within a second; the test machine may be busy. */
const SEEN_BY_OTHERS_MS = 5000

const writtenCookie = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('perrario-written='))
    ?.split(';')[0]

/** A dog of Ana's, and the address of its page. */
async function addDog({ db, ana }: { db: Db; ana: TestMember }): Promise<{ id: string; path: string }> {
  const [{ id }] = await seed(db, dog({ owner_id: ana.id, name: 'Toby' }))
  const address = await db
    .selectFrom('dogs')
    .select(['path_breed', 'path_slug'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, path: paths.dog(address) }
}

for (const [way, carry] of Object.entries({
  cookie: (answer: Answer) => ({ cookie: writtenCookie(answer) }),
  header: (answer: Answer) => ({ headers: { 'Perrario-Written': answer.headers.get('perrario-written') ?? '' } }),
}))
  writes(`who writes on one node sees it on the other at once, by the ${way}`, async (t) => {
    const [here, there] = t.nodes.nodes
    for (let round = 0; round < ROUNDS; round++) {
      const { id, path } = await addDog(t)
      assert.match((await call(there, path)).body, 'Toby')
      assert.match((await call(there, path)).body, 'Toby', 'from its cache')
      const name = `Nuevo${round}`
      const answer = await call(here, `/api/dogs/${id}`, { method: 'PATCH', cookie: t.ana.cookie, json: { name } })
      assert.is(answer.status, 200)
      const renamed = await call(there, path, carry(answer))
      const page = renamed.status === 301 ? await call(there, renamed.headers.get('location')!, carry(answer)) : renamed
      assert.match(page.body, name)
    }
  })

writes('a member who likes and comments on one node sees it on the other at once', async (t) => {
  const [here, there] = t.nodes.nodes
  const bea = await signInMember(here, 'bea@ejemplo.es')
  for (let round = 0; round < ROUNDS; round++) {
    const { id, path } = await addDog(t)
    const isLiked = (page: Answer) => page.body.includes(`data-like="${id}" data-likes="1" aria-pressed="true"`)
    for (let n = 0; n < 2; n++) assert.not.ok(isLiked(await call(there, path, { cookie: bea.cookie })))
    const liked = await answered(200, call(here, `/api/dogs/${id}/like`, { method: 'PUT', cookie: bea.cookie }))
    assert.ok(isLiked(await call(there, path, { cookie: `${bea.cookie}; ${writtenCookie(liked)}` })), `like ${round}`)
    const json = { content: `Comentario ${round}` }
    const commented = await call(here, `/api/dogs/${id}/comments`, { method: 'POST', cookie: bea.cookie, json })
    assert.is(commented.status, 201)
    const page = await call(there, path, { cookie: `${bea.cookie}; ${writtenCookie(commented)}` })
    assert.match(page.body, `Comentario ${round}`)
  }
})

writes('everybody else sees it soon, on either node', async (t) => {
  const [here, there] = t.nodes.nodes
  const { id, path } = await addDog(t)
  for (const node of [here, there]) assert.match((await call(node, path)).body, 'Toby')
  const commented = await call(here, `/api/dogs/${id}/comments`, {
    method: 'POST',
    cookie: t.ana.cookie,
    json: { content: 'Guapísimo de verdad' },
  })
  assert.is(commented.status, 201, JSON.stringify(commented.body))
  const start = Date.now()
  while (!(await call(there, path)).body.includes('Guapísimo de verdad'))
    assert.ok(Date.now() - start < SEEN_BY_OTHERS_MS, 'not within the time')
})

writes('positions that no node gave change nothing', async (t) => {
  const [, there] = t.nodes.nodes
  for (const value of [
    '',
    'x',
    '-1',
    '9'.repeat(19),
    '9'.repeat(40),
    '9.8.7',
    '1.' + '9'.repeat(19),
    '.',
    '1.'.repeat(300),
    '1; DROP TABLE dogs',
    '%00',
  ])
    assert.is((await call(there, '/perros', { cookie: `perrario-written=${value}` })).status, 200, value)
})

writes('a session that ends on one node is over on the other', async ({ nodes: { nodes } }) => {
  const [here, there] = nodes
  const eva = await signInMember(here, 'eva@ejemplo.es')
  assert.is((await call(there, '/api/likes', { cookie: eva.cookie })).status, 200)
  const sessionOf = async () => (await call(there, '/perros', { cookie: eva.cookie })).headers.get('perrario-session')
  for (let n = 0; n < 2; n++) assert.is(await sessionOf(), 'member')
  assert.is((await call(here, '/api/account/sessions', { method: 'DELETE', cookie: eva.cookie })).status, 200)
  assert.is((await call(there, '/api/likes', { cookie: eva.cookie })).status, 401)
  assert.is(await sessionOf(), 'none')
})

writes('a photo that one node stores is delivered by the other', async ({ nodes, ana }) => {
  const [here, there] = nodes.nodes
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: 'Foto', breed: 'Beagle', zone: 'Vigo' })) form.append(name, value)
  const { photo } = await import('#tests/support/photos/sample-photos.ts')
  form.append('images', new Blob([await photo(400)], { type: 'image/jpeg' }), 'foto.jpg')
  const added = await call(here, '/api/dogs', { method: 'POST', cookie: ana.cookie, form })
  assert.is(added.status, 201, JSON.stringify(added.body))
  const url: string = added.body.dog.images[0].url
  const response = await fetch(there.url + url)
  assert.equal([response.status, response.headers.get('content-type')], [200, 'image/jpeg'])
})
