import { addBlock } from '#features/moderation/blocks.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { CONTACT_TEXTS } from '#features/contact/contact.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { call, formOf } from '#tests/support/api.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import {
  answered,
  assert,
  assertMatches,
  detailOf,
  insert,
  redirectOf,
  rowOf,
  serverSuite,
  type ServerWorld,
} from '#tests/support/suites.ts'

interface World extends ServerWorld {
  ana: CurrentUser
  luis: CurrentUser
  /** Of the lost dog's owner, of a finder with account, and of a member who has nothing to do with it. */
  cookie: string
  finder: string
  other: string
  dogId: string
  caseId: string
}
const messages = serverSuite<World>('api/contact/messages', { TRUST_PROXY: '1' })
messages.before(async (t) => {
  const [ana, toby, luis] = await seed(
    t.server.db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby' }),
    member({ alias: 'Luis', email: 'luis.secreto@ejemplo.es' }),
  )
  Object.assign(t, { ana, luis, dogId: toby.id })
  t.caseId = await addLostCase(t.server.db, { dogId: toby.id, ownerId: ana.id })
  t.cookie = (await signIn(t.server, t.ana.email!)).cookie
  t.finder = (await signIn(t.server, t.luis.email!)).cookie
  t.other = (await signIn(t.server, 'eva@ejemplo.es')).cookie
})

const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('perrario-hallazgos='))
    ?.split(';')[0]
const report = ({ server, dogId }: World, from: number, options: { cookie?: string; key?: string } = {}) =>
  call(server, `/api/dogs/${dogId}/sightings`, {
    method: 'POST',
    form: formOf({ zone: 'Getafe', ago: '15' }),
    ...(options.cookie && { cookie: options.cookie }),
    headers: {
      'X-Forwarded-For': `198.51.100.${from}`,
      ...(options.key && { 'Idempotency-Key': options.key }),
    },
  })
const act = ({ server }: World, path: string, cookie: string | undefined, fields: Record<string, string>) =>
  call(server, path, { method: 'POST', cookie, fields, headers: { Origin: server.url } })
const write = (
  { server }: World,
  id: string,
  cookie: string | undefined,
  text: string,
  headers: Record<string, string> = {},
) => call(server, `/api/messages/${id}`, { method: 'POST', cookie, json: { text }, headers })
const read = ({ server }: World, id: string, cookie?: string) => call(server, `/api/messages/${id}`, { cookie })

/** The owner presses «Escribir a quien lo vio». @returns the conversation's id */
async function open(t: World, sighting: string): Promise<string> {
  const { status, headers } = await act(t, `/perdidos/${t.dogId}/avistamientos`, t.cookie, {
    id: sighting,
    action: 'write',
  })
  const location = headers.get('location')!
  assert.equal([status, location.slice(0, 10)], [303, '/mensajes/'])
  return location.slice(10)
}

messages('either side ends a conversation with one press, and nobody writes in it any more', async (t) => {
  for (const [n, isFinder] of [true, false].entries()) {
    const sent = await report(t, 30 + n)
    const device = cookieOf(sent.headers)!
    const id = await open(t, sent.body.id)
    const ender = isFinder ? device : t.cookie
    assert.match((await call(t.server, `/mensajes/${id}`, { cookie: ender })).body, 'Terminar la conversación')
    assert.is((await act(t, `/mensajes/${id}`, t.other, { action: 'end' })).status, 404)
    assert.is((await write(t, id, device, 'Hola')).status, 201)
    assert.is((await act(t, `/mensajes/${id}`, ender, { action: 'end' })).status, 303)
    assert.is(await open(t, sent.body.id), id, 'nor does another press begin a new one')
    for (const cookie of [device, t.cookie]) {
      const refused = await write(t, id, cookie, 'Otro más')
      assert.equal(detailOf(refused), [409, 'Esta conversación ha terminado: ya nadie puede escribir en ella.'])
      assert.is((await act(t, `/mensajes/${id}`, cookie, { action: 'send', text: 'Y otro' })).status, 409)
      assert.is((await read(t, id, cookie)).body.stop, 'ended')
      const page = await call(t.server, `/mensajes/${id}`, { cookie })
      assert.match(page.body, 'ya nadie puede escribir en ella')
      assert.not.match(page.body, /<textarea|Terminar la conversación/)
    }
  }
})

messages('an owner and a finder without account write to each other', async (t) => {
  const { server, cookie, finder, other } = t
  const sent = await report(t, 1)
  assert.is(sent.status, 201, JSON.stringify(sent.body))
  const device = cookieOf(sent.headers)!
  const stranger = cookieOf((await report(t, 2)).headers)!
  assert.is.not(device, stranger)

  assert.match((await call(server, `/perdidos/${t.dogId}/avistamientos`, { cookie })).body, 'Escribir a quien lo vio')
  const id = await open(t, sent.body.id)
  assert.is(await open(t, sent.body.id), id)
  const first = await write(t, id, cookie, '¿Dónde lo viste? <b>Gracias</b>')
  assert.is(first.status, 201, JSON.stringify(first.body))
  assert.is(first.headers.get('cache-control'), 'private, no-store')

  const own = await read(t, id, device)
  assert.equal([own.status, own.headers.get('cache-control')], [200, 'private, no-store'])
  assert.equal(
    [own.body.side, own.body.dog, own.body.other, own.body.stop, own.body.messages[0].mine],
    ['finder', 'Toby', 'Ana', null, false],
  )
  const page = await call(server, `/mensajes/${id}`, { cookie: device })
  assert.is(page.headers.get('cache-control'), 'private, no-store')
  assertMatches(page.body, '¿Dónde lo viste? &lt;b&gt;Gracias', /noindex/, /<strong>Ana<\/strong>/)
  assert.match((await call(server, '/mensajes', { cookie: device })).body, `/mensajes/${id}`)

  // Its own form.
  const form = await act(t, `/mensajes/${id}`, device, { action: 'send', text: 'En el parque. Hazme un bizum' })
  assert.equal(redirectOf(form), [303, `/mensajes/${id}?hecho=enviado#hecho`])
  const after = await call(server, `/mensajes/${id}?hecho=enviado`, { cookie: device })
  assert.match(
    after.body,
    /<\/ol>\s*<p class="status" id="hecho" role="status" tabindex="-1" autofocus>\s*Mensaje enviado\./,
  )
  assert.match((await call(server, '/mensajes', { cookie })).body, 'Sin leer')
  const told = await call(server, `/mensajes/${id}`, { cookie })
  assert.match(told.body, /<details class="message-fold[^>]*>\s*<summary>Este mensaje habla de dinero/)
  assertMatches(told.body, /<strong>Tú<\/strong>/, /<strong>Quien avisó<\/strong>/)
  assert.is((await read(t, id, cookie)).body.messages[1].warning, 'money')

  // Nobody else.
  for (const [reader, post] of [
    [stranger, 404],
    [finder, 404],
    [other, 404],
    [undefined, 404],
  ] as const) {
    assert.is((await read(t, id, reader)).status, 404)
    assert.is((await write(t, id, reader, 'Hola')).status, post)
    assert.is((await act(t, `/mensajes/${id}`, reader, { action: 'send', text: 'Hola' })).status, 404)
    const missing = await answered(404, call(server, `/mensajes/${id}`, { cookie: reader }))
    assert.match(missing.body, 'Aquí no hay mensajes')
    assert.not.ok((await call(server, '/mensajes', { cookie: reader })).body.includes(id))
  }
  // Two sightings of one device lead to one conversation.
  const again = await report(t, 3, { cookie: device })
  assert.is(await open(t, again.body.id), id)
})

messages('a finder with account is told in the bell, and neither side sees more than a name', async (t) => {
  const { server, cookie, finder, ana, luis } = t
  const sent = await report(t, 4, { cookie: finder })
  assert.is(cookieOf(sent.headers), undefined)
  const id = await open(t, sent.body.id)
  assert.is(
    (await act(t, `/api/messages/${id}`, cookie, { text: 'Gracias' })).headers.get('location'),
    `/mensajes/${id}?hecho=enviado#hecho`,
  )
  const bell = await call(server, '/api/notifications', { cookie: finder })
  assert.match(JSON.stringify(bell.body), `/mensajes/${id}`)
  assert.not.match(JSON.stringify(bell.body), 'Gracias')
  await write(t, id, finder, 'Está en la plaza')
  const addresses = [ana.email!, luis.email!, ana.id, luis.id, t.caseId, sent.body.id]
  for (const reader of [cookie, finder]) {
    const answer = JSON.stringify((await read(t, id, reader)).body)
    for (const address of addresses) assert.not.ok(answer.includes(address), address)
    const page = await call(server, `/mensajes/${id}`, { cookie: reader })
    const main = /<main[\s\S]*<\/main>/.exec(page.body)![0]
    for (const address of addresses) assert.not.ok(main.includes(address), address)
    const keys = Object.keys((await read(t, id, reader)).body).toSorted()
    assert.equal(keys, ['about', 'dog', 'id', 'kind', 'messages', 'other', 'side', 'stop'])
  }
})

messages('a request that is sent twice is one message, and a refused text is shown again', async (t) => {
  const { cookie } = t
  const sent = await report(t, 5)
  const device = cookieOf(sent.headers)!
  const id = await open(t, sent.body.id)
  const key = { 'Idempotency-Key': 'una-vez' }
  const one = await write(t, id, device, 'Una', key)
  assert.equal((await write(t, id, device, 'Una', key)).body, one.body)
  assert.is.not((await write(t, id, cookie, 'Otra', key)).body.id, one.body.id)
  assert.is((await read(t, id, cookie)).body.messages.length, 2)
  assert.is((await write(t, id, device, 'Una', { 'Idempotency-Key': '' })).status, 422)
  assert.is((await write(t, id, device, ' ')).status, 422)
  const long = await answered(422, act(t, `/mensajes/${id}`, device, { action: 'send', text: 'largo '.repeat(90) }))
  assertMatches(long.body, 'El mensaje no puede tener más de 500 caracteres.', 'largo largo')
})

messages('a sighting that is sent again opens the conversation on the device that sends it', async (t) => {
  const key = 'k'.repeat(36)
  const lost = await report(t, 6, { key })
  const sent = await report(t, 6, { key })
  assert.is(sent.body.id, lost.body.id)
  const device = cookieOf(sent.headers)!
  const id = await open(t, sent.body.id)
  assert.is((await read(t, id, device)).status, 200)
  assert.is((await read(t, id, cookieOf(lost.headers))).status, 404)
  // The conversation hangs on the second.
  assert.is(cookieOf((await report(t, 6, { key })).headers), undefined)
})

messages('a block, a ban and the end of the case each end the writing', async (t) => {
  const { server, cookie, finder, luis, ana } = t
  const sent = await report(t, 7, { cookie: finder })
  const id = await open(t, sent.body.id)
  await addBlock(server.db, ana, luis.id)
  assert.is((await write(t, id, finder, 'Hola')).status, 403)
  assert.match((await call(server, `/mensajes/${id}`, { cookie: finder })).body, 'uno de los dos ha bloqueado al otro')
  await server.db.deleteFrom('blocks').execute()
  await ban(server.db, luis.id, { until: null, reason: 'No' })
  assert.is((await write(t, id, finder, 'Hola')).status, 403)
  await server.db.deleteFrom('bans').execute()
  assert.is(
    (await act(t, `/perdidos/${t.dogId}/avistamientos`, finder, { id: sent.body.id, action: 'write' })).status,
    404,
  )
  await server.db.deleteFrom('lost_cases').execute()
  assert.is((await read(t, id, finder)).status, 404)
  assert.is((await call(server, `/mensajes/${id}`, { cookie })).status, 404)
  t.caseId = await addLostCase(server.db, { dogId: t.dogId, ownerId: ana.id })
})

messages('nobody writes more than sixty messages in an hour', async (t) => {
  const device = cookieOf((await report(t, 8)).headers)!
  const { server, ana, dogId, caseId } = t
  const { secret_hash } = await rowOf(server.db, 'sightings_all', { case_id: caseId })
  const thread = crypto.randomUUID()
  const row = { id: thread, lost_case_id: caseId, found_id: null, member_id: ana.id, finder_id: null, secret_hash }
  await insert(server.db, 'contact_threads', { ...row, created_at: 1, latest_at: 1 })
  const id = thread
  assert.ok(dogId)
  const from = { 'X-Forwarded-For': '198.51.100.90' }
  for (let i = 0; i < 60; i++) assert.is((await write(t, id, device, `Mensaje ${i}`, from)).status, 201)
  assert.equal(detailOf(await write(t, id, device, 'Uno más', from)), [429, CONTACT_TEXTS.many])
})

// Last: it ends the case of all of them.
messages(
  'a finder without account reads that the dog is at home, and that the conversation went with its search',
  async (t) => {
    const { server, cookie, dogId } = t
    const device = cookieOf((await report(t, 99)).headers)!
    const list = async () => (await call(server, '/mensajes', { cookie: device })).body as string
    assert.match(await list(), 'Todavía no hay mensajes')
    const end = { method: 'DELETE', cookie, json: { ending: 'home', thanks: true } }
    assert.is((await call(server, `/api/dogs/${dogId}/lost`, end)).status, 204)
    const ended = await list()
    assertMatches(ended, 'Aquí ya no hay mensajes', 'Ya está en casa Toby, y los mensajes se borraron con el aviso.')
    assert.not.match(ended, 'Todavía no hay mensajes')
    assert.match((await call(server, '/mensajes')).body, 'Todavía no hay mensajes')
    await server.db.updateTable('lost_history').set({ thanked_at: null }).execute()
    assert.match(await list(), 'Ha terminado la búsqueda')
  },
)
