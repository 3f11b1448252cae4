import { challengeAt } from '#features/challenges/challenge.server.ts'
import { breedFacts } from '#features/challenges/breed-facts.server.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import type { DogFacts } from '#features/challenges/facts.ts'
import { refreshBadges } from '#tests/support/jobs.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, type DogSeed, seed } from '#tests/support/seed.ts'
import { assert, assertMatches, call, redirectOf, serverSuite, type TestServer } from '#tests/support/suites.ts'

const badges = serverSuite<{ ana: TestMember; bea: TestMember }>('api/badges/badges')
badges.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.bea = await signInMember(t.server, 'bea@ejemplo.es')
})

/** Fields of a dog that does this week's challenge. */
function fittingDog(): DogSeed {
  const { theme } = challengeAt(Date.now())!
  const story = 'Llegó de una protectora con tres meses y una oreja de cada color. '.repeat(3)
  for (const breed of breedFacts().values())
    for (const size of ['mediano', 'mini', 'pequeño', 'grande', 'gigante'] as const)
      for (const [zone, province] of [
        ['Madrid', '28'],
        ['Palma', '07'],
        ['Toledo', '45'],
        ['Vigo', '36'],
      ] as const)
        for (const age of [1, 12]) {
          const facts: DogFacts = {
            breed,
            size,
            province,
            descriptionChars: story.length,
            isAdopted: true,
            ageMonths: age === 1 ? 1 : 144,
          }
          if (theme.fits(facts))
            return {
              breed: breedBySlug(breed.slug)!.nombre_castellano,
              size,
              zone,
              description: story,
              is_adopted: true,
              age,
              age_unit: age === 1 ? 'meses' : 'años',
            }
        }
  throw new Error(`nothing fits ${theme.id}`)
}

const addDog = async (server: TestServer, owner_id: string, fields: DogSeed) =>
  (await seed(server.db, dog({ owner_id, ...fields })))[0]
const refresh = (server: TestServer) => refreshBadges(server.db)
const read = async (server: TestServer, path: string, cookie?: string): Promise<string> => {
  const { status, body } = await call(server, path, { ...(cookie && { cookie }) })
  assert.is(status, 200, path)
  return body as string
}

badges('visitors read which badges there are, and members how far they are', async ({ server, ana }) => {
  const visitor = await read(server, '/insignias')
  assert.match(visitor, 'El primer mestizo')
  assert.not.match(visitor, '<progress')
  assert.match(await read(server, '/insignias', ana.cookie), '0 de 10 razas')
  const { id } = await addDog(server, ana.id, { breed: 'Beagle' })
  const own = await read(server, '/insignias', ana.cookie)
  assertMatches(own, '1 de 10 razas', /La primera de su raza[^]*?Es tuya desde el/)
  assert.is(await read(server, '/insignias'), visitor)
  await server.db.deleteFrom('dogs_all').where('id', '=', id).execute()
  assert.match(await read(server, '/insignias', ana.cookie), '0 de 10 razas')
})

badges('a badge is on the profile for everybody as long as its dog is', async ({ server, ana }) => {
  const profile = `/usuario/${ana.id}`
  const { id } = await addDog(server, ana.id, { breed: 'Mestizo' })
  for (const isRefreshed of [false, true]) {
    if (isRefreshed) await refresh(server)
    assert.match(await read(server, profile), '<b>El primer mestizo</b>')
    assert.match(await read(server, '/perfil', ana.cookie), '<b>El primer mestizo</b>')
  }
  await server.db.updateTable('dogs_all').set({ breed: 'Beagle', breed_slug: 'beagle' }).where('id', '=', id).execute()
  for (const isRefreshed of [false, true]) {
    if (isRefreshed) await refresh(server)
    assert.not.match(await read(server, profile), '<b>El primer mestizo</b>')
    assert.not.match(await read(server, '/perfil', ana.cookie), '<b>El primer mestizo</b>')
  }
  await server.db.deleteFrom('dogs_all').where('id', '=', id).execute()
})

badges('who adds a dog that fits has done the challenge, until the dog goes', async ({ server, ana, bea }) => {
  const { theme } = challengeAt(Date.now())!
  assertMatches(await read(server, '/insignias'), theme.title, 'Nadie todavía. Puedes estrenarlo.')
  const { id, path } = await addDog(server, ana.id, { ...fittingDog(), name: 'Retador' })
  assert.match(await read(server, '/insignias', ana.cookie), '¡Hecho! La insignia ya es tuya.')
  await refresh(server)
  for (const cookie of [undefined, ana.cookie, bea.cookie])
    for (const page of ['/comunidad', '/insignias'])
      assert.match(await read(server, page, cookie), `href="/usuario/${ana.id}"`, page)
  assert.match(await read(server, '/insignias'), `href="${path}"`)
  assert.match(await read(server, `/usuario/${ana.id}`), `<b>${theme.title}</b>`)
  await call(server, `/api/blocks/${ana.id}`, { method: 'PUT', cookie: bea.cookie })
  assert.not.match(await read(server, '/insignias', bea.cookie), 'Retador')
  await call(server, `/api/blocks/${ana.id}`, { method: 'DELETE', cookie: bea.cookie })
  await server.db.deleteFrom('dogs_all').where('id', '=', id).execute()
  assert.match(await read(server, '/insignias'), 'Nadie todavía. Puedes estrenarlo.')
})

badges('a cursor that is none, or of another week, leads to the start', async ({ server }) => {
  for (const cursor of ['xyz', btoa(JSON.stringify(['challenge 99', 1, 'x'])).replaceAll('=', '')]) {
    assert.equal(redirectOf(await call(server, `/insignias?cursor=${cursor}`)), [302, '/insignias'])
  }
})

badges('the old address of the challenge leads to its place on the page of badges', async ({ server }) => {
  assert.equal(redirectOf(await call(server, '/comunidad/semana')), [301, '/insignias#semana'])
})
