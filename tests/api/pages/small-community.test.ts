import { assert, assertMatches, assertNoMatch, call, dog, member, seed, serverSuite } from '#tests/support/suites.ts'

const small = serverSuite('api/pages/small-community')

small('a community without dogs says what Perrario is, one of fewer than twelve has no filters', async ({ server }) => {
  const read = async (path = '/') => (await call(server, path)).body as string
  assertMatches(await read(), 'El primer perro puede ser el tuyo', 'No hay perros registrados aún.')
  assert.not.match(await read('/?breed=beagle'), 'El primer perro puede ser el tuyo')
  const addDogs = (count: number) =>
    seed(server.db, member(), ...Array.from({ length: count }, () => dog({ breed: 'Beagle' })))
  await addDogs(11)
  const few = await read()
  assertNoMatch(few, 'El primer perro puede ser el tuyo', '<select')
  assert.match(few, 'Ver en mapa')
  assert.match(await read('/?sort=votes-desc'), '<select')
  await addDogs(1)
  assert.match(await read(), '<select')
})
