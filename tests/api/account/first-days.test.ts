import type { TestServer } from '#tests/support/server.ts'
import { assert, call, detailOf, dog, redirectOf, seed, serverSuite, signIn } from '#tests/support/suites.ts'

const days = serverSuite('api/account/first-days')

const PATH = '/api/account/first-days'
const postForm = (server: TestServer, cookie: string, step: string) =>
  call(server, PATH, { method: 'POST', cookie, fields: { step } })
days(
  'who has no dog is invited once, who shows one is asked for an alias, which a plain form dismisses',
  async ({ server }) => {
    const { id, cookie } = await signIn(server, 'nueva@ejemplo.es')
    const profile = async (query = '') => (await call(server, `/perfil${query}`, { cookie })).body as string
    assert.is((await profile()).match(/Pega tu primer perro/g)!.length, 1)
    assert.not.match(await profile(), 'Elige tu alias')
    assert.not.match(await profile('?tab=razas'), 'Pega tu primer perro')
    await seed(server.db, dog({ name: 'Toby', owner_id: id }))
    assert.not.match(await profile(), 'Pega tu primer perro')
    assert.match(await profile(), 'Elige tu alias y tu emoji')
    await postForm(server, cookie, 'todo lo que haya')
    assert.match(await profile(), 'Elige tu alias y tu emoji', 'what is no step changes nothing')
    assert.equal(redirectOf(await postForm(server, cookie, 'alias')), [303, '/perfil'])
    assert.not.match(await profile(), 'Elige tu alias')
  },
)

days('programs dismiss by JSON; visitors and what is no step are refused', async ({ server }) => {
  const { cookie } = await signIn(server, 'programa@ejemplo.es')
  assert.is((await call(server, PATH, { method: 'POST', json: { step: 'all' }, cookie })).status, 204)
  const refused = await call(server, PATH, { method: 'POST', json: { step: 'otro' }, cookie })
  assert.equal(detailOf(refused), [422, 'Ese paso no existe.'])
  assert.is((await call(server, PATH, { method: 'POST', json: { step: 'all' } })).status, 401)
  assert.is((await postForm(server, '', 'all')).headers.get('location'), '/login')
})

days('an empty profile and an empty album say what to do next', async ({ server }) => {
  const { cookie } = await signIn(server, 'vacia@ejemplo.es')
  for (const path of ['/perfil', '/perfil?tab=razas', '/?tab=mine']) {
    const { body } = await call(server, path, { cookie })
    assert.match(body, /href="\/reto"[^>]*>\s*Jugar el reto de hoy/, path)
    assert.match(body, '/retratos/podenco-andaluz.svg', path)
  }
})
