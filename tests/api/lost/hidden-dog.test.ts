import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { answered, assert, call, detailOf, type Dog, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface World extends ServerWorld {
  /** The owner, the discoverer, and who has nothing to do with it. */
  ana: TestMember
  luis: TestMember
  eva: TestMember
  toby: Dog
}
const hidden = serverSuite<World>('api/lost/hidden-dog')
hidden.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
  t.eva = await signInMember(t.server, 'eva@ejemplo.es')
})
hidden.before.each(async (t) => {
  const { db } = t.server

  const [toby] = await seed(db, dog({ name: 'Toby', owner_id: t.ana.id, discoverer_id: t.luis.id }))
  await addLostCase(db, { dogId: toby.id, ownerId: t.ana.id })
  await db.transaction().execute((trx) => hideDog(trx, toby.id, 'admin'))
  t.toby = toby
})

const end = ({ server, toby }: World, who: TestMember, id = toby.id) =>
  call(server, `/api/dogs/${id}/lost`, { method: 'DELETE', cookie: who.cookie, json: { ending: 'home', thanks: true } })
const page = ({ server, toby }: World, who: TestMember, query = '') =>
  call(server, `/perdidos/${toby.id}${query}`, { cookie: who.cookie })
const post = ({ server, toby }: World, who: TestMember, fields: Record<string, string>) =>
  call(server, `/perdidos/${toby.id}`, { method: 'POST', cookie: who.cookie, body: new URLSearchParams(fields) })
const countCases = async ({ server, toby }: World) => {
  return (await server.db.selectFrom('lost_cases').select('id').where('dog_id', '=', toby.id).execute()).length
}

hidden('the owner of a hidden dog ends their search, and nobody else learns of it', async (t) => {
  for (const who of [t.luis, t.eva]) {
    assert.equal(detailOf(await end(t, who)), [404, 'El perro que buscas no existe o ha sido eliminado.'])
    assert.is((await page(t, who)).status, 404)
    assert.is((await post(t, who, { accion: 'casa' })).status, 404)
  }
  assert.is((await end(t, t.eva, crypto.randomUUID())).status, 404)
  assert.is(await countCases(t), 1)
  assert.is((await end(t, t.ana)).status, 204)
  assert.is(await countCases(t), 0)
  assert.is((await end(t, t.ana)).status, 404, 'there is none any more')
  assert.is((await page(t, t.ana)).status, 404)
})

hidden('the page of the hidden dog leads its owner to the end of the search', async (t) => {
  const { server, ana, luis, toby } = t
  const link = `href="/perdidos/${toby.id}"`
  assert.match((await call(server, toby.path, { cookie: ana.cookie })).body, link)
  assert.not.match((await call(server, toby.path, { cookie: luis.cookie })).body, link)
  const { status, body } = await page(t, ana)
  assert.is(status, 200)
  for (const text of ['Buscamos a Toby', 'Su ficha está oculta', 'Sí, está en casa', 'Sí, retirar el aviso'])
    assert.match(body, text)
  assert.not.match(body, 'Guardar los cambios')
  for (const ending of ['casa', 'otro'])
    for (const who of [luis, t.eva])
      assert.is((await page(t, who, `?hecho=${ending}`)).status, 404, 'who ended nothing')
  const { status: ended, headers } = await post(t, ana, { accion: 'otro' })
  assert.equal([ended, headers.get('location')], [303, `/perdidos/${toby.id}?hecho=otro`])
  assert.is(await countCases(t), 0)
  assert.match((await page(t, ana, '?hecho=otro')).body, 'Hemos retirado el aviso')
  assert.not.match((await call(server, toby.path, { cookie: ana.cookie })).body, link)
})

hidden('nothing but the end is taken while the dog is hidden', async (t) => {
  for (const accion of ['guardar', 'sigue', '']) {
    const refused = await answered(422, post(t, t.ana, { accion, zone: 'Getafe', since: '2026-11-20T10:30' }))
    assert.match(refused.body, 'Mientras tanto solo puedes terminar la búsqueda.')
  }
  const put = { method: 'PUT', cookie: t.ana.cookie, json: { since: Date.now(), zone: 'Getafe' } }
  assert.is((await call(t.server, `/api/dogs/${t.toby.id}/lost`, put)).status, 404)
  assert.is(await countCases(t), 1)
})

hidden('a dog that comes back after the end is not lost, and its page gives thanks', async (t) => {
  const { server, ana, toby } = t
  assert.is((await post(t, ana, { accion: 'casa', thanks: 'on' })).status, 303)
  await server.db.transaction().execute((trx) => showDog(trx, toby.id))
  const { body } = await call(server, toby.path)
  assert.match(body, '¡En casa!')
  assert.not.match(body, 'Se busca')
})
