import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { assert, assertProblem, call, contentOf, dog, pluck, seed, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()

const api = suite('api/dogs/list')

api('GET lists pages with statistics, filtered and sorted', async () => {
  await seed(
    server.db,
    ...Array.from({ length: 7 }, (_, i) => dog({ breed: 'Kuvasz', size: 'gigante', weight: 40 + (i % 3), age: i + 1 })),
  )
  const get = async (query: string) => (await call(server, `/api/dogs?${query}`)).body
  const first = await get('breed=Kuvasz&size=gigante&sort=weight-desc&limit=5')
  assert.equal(pluck(first.dogs, 'weight'), [42, 42, 41, 41, 40])
  assert.equal([first.stats.dogs, first.stats.weightMax, first.stats.weightMin, first.stats.ageMax], [7, 42, 40, 84])
  const second = await get(`breed=kuvasz&size=GIGANTE&sort=weight-desc&limit=5&cursor=${first.nextCursor}`)
  assert.equal([second.dogs.length, second.nextCursor], [2, null])
  assert.equal((await get('breed=dragon')).dogs, [])
  assert.is((await get('breed=&size=&sort=&limit=1')).dogs.length, 1)
  assert.match((await call(server, '/api/dogs')).headers.get('cache-control')!, 'no-store')
})

api('GET refuses invalid parameters', async () => {
  const { nextCursor } = (await call(server, '/api/dogs?limit=1')).body
  for (const [query, sentence] of [
    ['sort=nombre', 'Orden no válido.'],
    ['size=enorme', 'Tamaño no válido.'],
    ['limit=0', 'El límite debe estar entre 1 y 100.'],
    ['limit=101', 'El límite debe estar entre 1 y 100.'],
    ['limit=abc', 'El límite debe estar entre 1 y 100.'],
    ['limit=1e1', 'El límite debe estar entre 1 y 100.'],
    ['cursor=abc', 'La página pedida no existe.'],
    [`sort=votes-asc&cursor=${nextCursor}`, 'La página pedida no existe.'],
  ] as const)
    assertProblem(await call(server, `/api/dogs?${query}`), 422, sentence)
})

api('GET breeds returns every name for the picker and is cacheable', async () => {
  const answer = await call(server, '/api/breeds')
  assert.is(answer.body.breeds.length, totalBreeds)
  assert.equal(answer.body.breeds[0], { slug: 'affenpinscher', name: 'Affenpinscher' })
  assert.match(answer.headers.get('cache-control')!, /public, max-age=\d+/)
  const etag = answer.headers.get('etag')!
  const again = await call(server, '/api/breeds', { headers: { 'If-None-Match': `W/${etag}` } })
  assert.equal(contentOf(again), [304, undefined])
})

api.after(() => server.dispose())
