import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { answered, assert, call, type Call, detailOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

type Context = ServerWorld & Record<'ana' | 'eva' | 'luis', TestMember>
const api = serverSuite<Context>('api/dogs/ownership')

api.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.eva = await signInMember(t.server, 'eva@ejemplo.es')
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
})

/** A dog that Luis discovered. */
const discovered = async (t: Context) => (await seed(t.server.db, dog({ name: 'Toby', discoverer_id: t.luis.id })))[0]
const owner = async (t: Context, id: string) => (await call(t.server, `/api/dogs/${id}`)).body.dog.owner_id
const ask = (t: Context, id: string, who: TestMember | null, extra: Call = {}) =>
  call(t.server, `/api/dogs/${id}/ownership`, { method: 'POST', cookie: who?.cookie, ...extra })
const answer = (t: Context, id: string, who: TestMember | null, json: unknown, of = t.ana.id) =>
  call(t.server, `/api/dogs/${id}/ownership/${of}`, { method: 'POST', cookie: who?.cookie, json })
const form = (text: string): Call => ({
  body: text,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
})

api('a requested and confirmed dog belongs to the requester', async (t) => {
  const toby = await discovered(t)
  assert.is((await ask(t, toby.id, t.ana)).status, 204)
  assert.is((await answer(t, toby.id, t.luis, { accept: true })).status, 204)
  assert.is(await owner(t, toby.id), t.ana.id)
  const { body } = await call(t.server, '/api/notifications', { cookie: t.ana.cookie })
  const line = body.notifications.find((n: { title: string }) => n.title === '¡Es tu perro!')
  assert.equal(
    [line.type, line.content, line.path],
    ['other', `${t.luis.alias} ha confirmado que Toby es tuyo.`, toby.path],
  )
})

api('only entitled members may request, withdraw and answer', async (t) => {
  const toby = await discovered(t)
  const statuses = async (action: (who: TestMember | null) => Promise<{ status: number }>) => {
    const all = []
    for (const who of [null, t.eva, t.luis]) all.push((await action(who)).status)
    return all
  }
  await ask(t, toby.id, t.ana)
  assert.equal(await statuses((who) => answer(t, toby.id, who, { accept: true })), [401, 403, 204])
  const other = await discovered(t)
  assert.equal(await statuses((who) => ask(t, other.id, who)), [401, 204, 409])
  const takeBack = (who: TestMember | null) =>
    call(t.server, `/api/dogs/${other.id}/ownership`, { method: 'DELETE', cookie: who?.cookie })
  assert.equal(await statuses(takeBack), [401, 204, 204])
  assert.is((await answer(t, other.id, t.luis, { accept: true }, t.eva.id)).status, 404)
  // The asker is not the one to answer.
  await ask(t, other.id, t.ana)
  assert.is((await answer(t, other.id, t.ana, { accept: true })).status, 403)
  assert.is(await owner(t, other.id), null)
})

api('unknown dogs, invalid answers and late answers are refused', async (t) => {
  const toby = await discovered(t)
  await ask(t, toby.id, t.ana)
  assert.is((await ask(t, UNKNOWN_ID, t.ana)).status, 404)
  assert.is((await ask(t, 'toby', t.ana)).status, 404)
  assert.is((await answer(t, UNKNOWN_ID, t.luis, { accept: true })).status, 404)
  assert.is((await answer(t, toby.id, t.luis, { accept: true }, 'ana')).status, 404)
  assert.is((await answer(t, toby.id, t.luis, { accept: true }, UNKNOWN_ID)).status, 404)
  for (const json of [{}, { accept: 'quizá' }, { accept: 1 }, []]) {
    const { body } = await answered(422, answer(t, toby.id, t.luis, json))
    if (!Array.isArray(json)) assert.is(body.detail, 'Di si confirmas la petición o la rechazas.')
  }
  await answer(t, toby.id, t.luis, { accept: true })
  assert.equal(detailOf(await answer(t, toby.id, t.luis, { accept: true })), [409, 'Este perro ya tiene dueño.'])
  assert.is((await ask(t, toby.id, t.eva)).status, 409)
})

api('another site is refused', async (t) => {
  const toby = await discovered(t)
  const Origin = 'https://otra.example'
  assert.is((await ask(t, toby.id, t.ana, { headers: { Origin } })).status, 403)
  const forged = form('accept=true')
  assert.is((await ask(t, toby.id, t.ana, { ...forged, headers: { ...forged.headers, Origin } })).status, 403)
})

api('forms return to the dog’s page, which shows the error', async (t) => {
  const toby = await discovered(t)
  const path = `/api/dogs/${toby.id}/ownership`
  const post = async (who: TestMember | null, text: string, to = path) => {
    const { status, headers } = await call(t.server, to, { method: 'POST', cookie: who?.cookie, ...form(text) })
    return [status, headers.get('location')]
  }
  assert.equal(await post(null, ''), [303, '/login'])
  assert.equal(await post(t.ana, ''), [303, `${toby.path}#personas`])
  const page = async (who: TestMember | null, search = '') =>
    (await call(t.server, toby.path + search, { cookie: who?.cookie })).body.replace(/\s+/g, ' ') as string
  assert.match(await page(t.ana), 'Has dicho que es tu perro.')
  assert.equal(await post(t.ana, 'withdraw=1'), [303, `${toby.path}#personas`])
  assert.match(await page(t.ana), /<button[^>]*>Es mi perro<\/button>/)
  await post(t.ana, '')
  assert.match(await page(t.luis), 'dice que es su perro')
  assert.not.match(await page(t.eva), 'dice que es su perro')
  assert.not.match(await page(null), 'Es mi perro')
  assert.equal(await post(t.eva, 'accept=true', `${path}/${t.ana.id}`), [303, `${toby.path}?propiedad=403#personas`])
  assert.equal(await post(t.luis, '', `${path}/${t.ana.id}`), [303, `${toby.path}?propiedad=422#personas`])
  assert.match(await page(t.luis, '?propiedad=422'), 'Di si confirmas la petición o la rechazas.')
  assert.equal(await post(t.luis, 'accept=false', `${path}/${t.ana.id}`), [303, `${toby.path}#personas`])
  assert.match(await page(t.ana), 'no ha confirmado que sea tu perro.')
  assert.equal(await post(t.ana, ''), [303, `${toby.path}?propiedad=409#personas`])
  assert.equal(await post(t.ana, '', `/api/dogs/${UNKNOWN_ID}/ownership`), [303, `/perro/${UNKNOWN_ID}`])
})

api('requests for the same dog are limited to six a day', async (t) => {
  const toby = await discovered(t)
  const statuses = []
  for (let i = 0; i < 7; i++) statuses.push((await ask(t, toby.id, t.eva)).status)
  assert.equal(statuses, [204, 204, 204, 204, 204, 204, 429])
})
