import { type Call, call } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { answered, assert, assertMatches, redirectOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

type Context = ServerWorld & Record<'ana' | 'luis', TestMember>
const api = serverSuite<Context>('api/dogs/delete-form')

api.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
})

const FORM: Call = { method: 'POST', fields: {} }
const seedDog = async (t: Context, fields: Parameters<typeof dog>[0]) =>
  (await seed(t.server.db, dog({ name: 'Toby & <Lola>', ...fields })))[0]
const formPage = (t: Context, id: string, who: TestMember | null) =>
  call(t.server, `/perro/${id}/eliminar`, { cookie: who?.cookie })

for (const role of ['owner_id', 'discoverer_id'] as const)
  api(`${role}: the dog’s page links to the form, the form deletes, and the profile confirms it`, async (t) => {
    const toby = await seedDog(t, { owner_id: null, [role]: t.ana.id })
    const link = `href="/perro/${toby.id}/eliminar"`
    const dogPage = async (path: string, who: TestMember | null) =>
      (await call(t.server, path, { cookie: who?.cookie })).body.includes(link)
    for (const path of [toby.path, `/perro/${toby.id}`]) {
      const shown = [await dogPage(path, t.ana), await dogPage(path, t.luis), await dogPage(path, null)]
      assert.equal(shown, [true, false, false], path)
    }

    const page = await formPage(t, toby.id, t.ana)
    assert.equal([page.status, page.headers.get('cache-control')], [200, 'no-store'])
    assertMatches(page.body, /<meta name="robots" content="noindex"/, `action="/api/dogs/${toby.id}"`)
    assert.match(page.body, 'Se borran para siempre su ficha, sus fotos, sus comentarios y sus likes.')

    const sent = await answered(303, call(t.server, `/api/dogs/${toby.id}`, { ...FORM, cookie: t.ana.cookie }))
    const profile = await call(t.server, sent.headers.get('location')!, { cookie: t.ana.cookie })
    assert.match(profile.body, 'El perro ya no está en el álbum.')
    assert.is((await call(t.server, toby.path)).status, 410)
    assert.is((await formPage(t, toby.id, t.ana)).status, 404)

    // A second press of the button.
    const again = await call(t.server, `/api/dogs/${toby.id}`, { ...FORM, cookie: t.ana.cookie })
    assert.equal(redirectOf(again), [303, `/perro/${toby.id}/eliminar`])
  })

api('other members are refused, and the dog stays', async (t) => {
  const toby = await seedDog(t, { owner_id: t.ana.id })
  assert.equal(
    [(await formPage(t, toby.id, null)).status, (await formPage(t, toby.id, null)).headers.get('location')],
    [302, '/login'],
  )
  assert.match((await answered(403, formPage(t, toby.id, t.luis))).body, 'Este perro no es tuyo')
  assert.is((await formPage(t, UNKNOWN_ID, t.luis)).status, 404)
  assert.is((await formPage(t, 'nadie', t.luis)).status, 404)

  assert.equal(redirectOf(await call(t.server, `/api/dogs/${toby.id}`, FORM)), [303, '/login'])
  assert.is((await call(t.server, `/api/dogs/${toby.id}`, { ...FORM, cookie: t.luis.cookie })).status, 403)
  const json = await call(t.server, `/api/dogs/${toby.id}`, { method: 'POST', json: {}, cookie: t.ana.cookie })
  assert.is(json.status, 415)
  assert.is((await call(t.server, toby.path)).status, 200)
})

api('the page shows no text about a deleted dog from a link', async (t) => {
  const { body } = await call(t.server, '/perfil?eliminado=Llama+al+600+000+000', { cookie: t.ana.cookie })
  assert.match(body, 'El perro ya no está en el álbum.')
  assert.not.match(body, '600 000 000')
})
