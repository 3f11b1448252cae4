import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const days = suite<{ server: TestServer }>('api/account/first-days')
days.before(async (t) => {
  t.server = await startServer()
})
days.after(({ server }) => server.dispose())

const PATH = '/api/account/first-days'
const postForm = (server: TestServer, cookie: string, step: string) =>
  call(server, PATH, {
    method: 'POST',
    body: new URLSearchParams({ step }),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...(cookie && { Cookie: cookie }) },
  })
const titlesOf = (html: string) =>
  ['Elige tu alias y tu emoji', 'Di por dónde paseas', 'Pega tu primer cromo'].filter((title) => html.includes(title))

days('a new member is led by three steps, which plain forms dismiss one by one', async ({ server }) => {
  const { cookie } = await signIn(server, 'nueva@ejemplo.es')
  const profile = async () => (await call(server, '/perfil', { cookie })).body as string
  assert.is(titlesOf(await profile()).length, 3)
  assert.is(titlesOf((await call(server, '/perfil?tab=razas', { cookie })).body).length, 3)
  const { status, headers } = await postForm(server, cookie, 'zone')
  assert.equal([status, headers.get('location')], [303, '/perfil'])
  assert.equal(titlesOf(await profile()), ['Elige tu alias y tu emoji', 'Pega tu primer cromo'])
  await postForm(server, cookie, 'todo lo que haya')
  assert.is(titlesOf(await profile()).length, 2, 'what is no step changes nothing')
  await postForm(server, cookie, 'all')
  assert.not.match(await profile(), 'Primeros pasos')
})

days('a riddle that is played shows on the profile at once', async ({ server }) => {
  const { cookie } = await signIn(server, 'juega@ejemplo.es')
  const isStarted = async () => !/Jugar el reto\s*<\/a>/.test((await call(server, '/perfil', { cookie })).body)
  assert.is(await isStarted(), false)
  await call(server, '/api/reto/2026-11-02/guesses', { method: 'POST', json: { breed: 'Beagle' }, cookie })
  assert.is(await isStarted(), true)
})

days('programs dismiss by JSON; visitors and what is no step are refused', async ({ server }) => {
  const { cookie } = await signIn(server, 'programa@ejemplo.es')
  assert.is((await call(server, PATH, { method: 'POST', json: { step: 'all' }, cookie })).status, 204)
  assert.not.match((await call(server, '/perfil', { cookie })).body, 'Primeros pasos')
  const refused = await call(server, PATH, { method: 'POST', json: { step: 'otro' }, cookie })
  assert.equal([refused.status, refused.body.detail], [422, 'Ese paso no existe.'])
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

days.run()
