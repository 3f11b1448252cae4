import { answered, assert, assertMatches, call, dog, seed, serverSuite, signInMember } from '#tests/support/suites.ts'

const api = serverSuite('api/dogs/landing')

api('only the owner and the discoverer of a dog are answered with its landing', async ({ server }) => {
  const owner = await signInMember(server, 'ana@ejemplo.es')
  const finder = await signInMember(server, 'eva@ejemplo.es')
  const other = await signInMember(server, 'leo@ejemplo.es')
  const [first, mixed] = await seed(
    server.db,
    dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca, Huesca', owner_id: owner.id, discoverer_id: finder.id }),
    dog({ name: 'Luna', breed: 'Mezcla de todo', owner_id: other.id, discoverer_id: null }),
  )
  const landing = (id: string, cookie?: string) => call(server, `/fragments/cromo/${id}`, { cookie })

  const own = await answered(200, landing(first.id, owner.cookie))
  assert.match(own.headers.get('cache-control') ?? '', /no-store/)
  assertMatches(own.body, /Beagle, 1 de \d+/, /landing-no">\d{3}</, /Primera de su raza/, /Añadir otro/)
  assert.match(own.body, /data-zone="Jaca, Huesca"/)
  assert.match((await landing(first.id, finder.cookie)).body, /Otro perro de este paseo/)
  assert.is((await landing(mixed.id, other.cookie)).status, 200)
  for (const [id, cookie] of [
    [first.id, other.cookie],
    [first.id, undefined],
    ['no-existe', owner.cookie],
    [crypto.randomUUID(), owner.cookie],
  ] as const) {
    const refused = await answered(404, landing(id, cookie))
    assert.not.ok(refused.body)
    assert.match(refused.headers.get('cache-control') ?? '', /no-store/)
  }
})
