import { assertProblem } from '#tests/support/problem.ts'
import { answered, assert, call, dog, seed, signIn, startServer, suite, UNKNOWN_ID } from '#tests/support/suites.ts'

const server = await startServer()
const ana = await signIn(server, 'ana@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')
const MISSING = 'El perro que buscas no existe o ha sido eliminado.'

const newDog = async () => (await seed(server.db, dog({ owner_id: ana.id })))[0].id

/** PUT or DELETE of a member's like. */
const send = (method: 'PUT' | 'DELETE', id: string, cookie?: string, headers = {}) =>
  call(server, `/api/dogs/${id}/like`, { method, cookie, headers })

const api = suite('api/dogs/likes')

api('PUT likes and DELETE unlikes, repeatedly', async () => {
  const id = await newDog()
  for (let i = 0; i < 2; i++) {
    assert.equal((await answered(200, send('PUT', id, ana.cookie))).body, { liked: true, likes: 1 })
  }
  assert.equal((await send('PUT', id, luis.cookie)).body, { liked: true, likes: 2 })
  assert.is((await call(server, `/api/dogs/${id}`)).body.dog.likes, 2)
  for (let i = 0; i < 2; i++) assert.equal((await send('DELETE', id, ana.cookie)).body, { liked: false, likes: 1 })
})

api('GET /api/today counts them for everybody and is cacheable for half a minute', async () => {
  const before = await call(server, '/api/today')
  const id = await newDog()
  await send('PUT', id, luis.cookie)
  for (const cookie of [undefined, ana.cookie]) {
    const { body, headers } = await answered(200, call(server, '/api/today', { cookie }))
    assert.equal(body, { dogs: before.body.dogs + 1, likes: before.body.likes + 1 })
    const [, age] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control')!)!
    assert.ok(Number(age) <= 30)
    assert.is(headers.get('set-cookie'), null)
  }
  await send('DELETE', id, luis.cookie)
  assert.is((await call(server, '/api/today')).body.likes, before.body.likes)
})

api('simultaneous likes from two tabs count once', async () => {
  const id = await newDog()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('PUT', id, ana.cookie)))
  for (const { body } of answers) assert.equal(body, { liked: true, likes: 1 })
})

api('visitors and ended sessions receive 401, and nothing changes', async () => {
  const id = await newDog()
  for (const cookie of [undefined, 'perrario=caducada'])
    for (const method of ['PUT', 'DELETE'] as const)
      assertProblem(await send(method, id, cookie), 401, 'Inicia sesión para continuar.')
  assertProblem(await call(server, '/api/likes'), 401, 'Inicia sesión para continuar.')
  assert.is((await call(server, `/api/dogs/${id}`)).body.dog.likes, 0)
})

api('a page of another origin receives 403, as a form and as JSON', async () => {
  const id = await newDog()
  const foreign = { Origin: 'https://otro.ejemplo' }
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
    for (const method of ['PUT', 'DELETE'] as const)
      assertProblem(
        await send(method, id, ana.cookie, { ...foreign, 'Content-Type': type }),
        403,
        'La petición viene de otro sitio.',
      )
  assertProblem(
    await send('PUT', id, ana.cookie, { 'Sec-Fetch-Site': 'cross-site' }),
    403,
    'La petición viene de otro sitio.',
  )
  assert.is((await call(server, `/api/dogs/${id}`)).body.dog.likes, 0)
})

api('an unknown dog is 404', async () => {
  for (const method of ['PUT', 'DELETE'] as const) {
    assertProblem(await send(method, UNKNOWN_ID, ana.cookie), 404, MISSING)
    assert.is((await send(method, 'x', ana.cookie)).status, 404)
  }
  assertProblem(await call(server, `/api/dogs/${UNKNOWN_ID}/likes`), 404, MISSING)
  assert.is((await call(server, '/api/dogs/x/likes')).status, 404)
})

api('GET likes lists the dog’s likers, newest first, in pages', async () => {
  const id = await newDog()
  assert.equal((await call(server, `/api/dogs/${id}/likes`)).body, { likers: [], nextCursor: null })
  await send('PUT', id, ana.cookie)
  await send('PUT', id, luis.cookie)
  const { body } = await call(server, `/api/dogs/${id}/likes`)
  assert.equal(body.likers.map((liker: { id: string }) => liker.id).sort(), [ana.id, luis.id].sort())
  assert.equal(Object.keys(body.likers[0]).sort(), ['alias', 'emoji', 'id'])
  const first = (await call(server, `/api/dogs/${id}/likes?limit=1`)).body
  const second = (await call(server, `/api/dogs/${id}/likes?limit=1&cursor=${first.nextCursor}`)).body
  assert.equal([...first.likers, ...second.likers], body.likers)
  assert.is(second.nextCursor, null)
  for (const limit of ['0', '101', '1.5', 'x', ''])
    assertProblem(
      await call(server, `/api/dogs/${id}/likes?limit=${limit}`),
      422,
      'El límite debe estar entre 1 y 100.',
    )
  for (const cursor of ['x', 'x'.repeat(501)])
    assertProblem(await call(server, `/api/dogs/${id}/likes?cursor=${cursor}`), 422, 'La página pedida no existe.')
})

api('GET /api/likes lists a member’s own likes, the latest first', async () => {
  const eva = await signIn(server, 'eva@ejemplo.es')
  assert.equal((await call(server, '/api/likes', { cookie: eva.cookie })).body, { liked: [] })
  const id = await newDog()
  await send('PUT', id, eva.cookie)
  const { body, headers } = await call(server, '/api/likes', { cookie: eva.cookie })
  assert.equal(body, { liked: [id] })
  assert.is(headers.get('cache-control'), 'private, no-cache')
})

api('GET /api/likes?dogs= returns the state of these dogs', async () => {
  const leo = await signIn(server, 'leo@ejemplo.es')
  const ids = [await newDog(), await newDog()]
  await send('PUT', ids[0]!, leo.cookie)
  await send('PUT', ids[0]!, ana.cookie)
  await send('PUT', ids[1]!, ana.cookie)
  const ask = (dogs: string) => call(server, `/api/likes?dogs=${dogs}`, { cookie: leo.cookie })
  assert.equal((await ask(`${ids},${UNKNOWN_ID}`)).body, {
    liked: [ids[0]],
    dogs: { [ids[0]!]: { liked: true, likes: 2 }, [ids[1]!]: { liked: false, likes: 1 } },
  })
  const many = Array.from({ length: 101 }, () => crypto.randomUUID()).join()
  for (const dogs of ['', 'x', `${ids[0]},`, many]) assertProblem(await ask(dogs), 422, 'Indica entre 1 y 100 perros.')
})

api.after(() => server.dispose())
