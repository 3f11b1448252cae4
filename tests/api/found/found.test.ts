import type { CurrentUser } from '#lib/auth/current-user.ts'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import {
  answered,
  assert,
  assertMatches,
  contentOf,
  redirectOf,
  serverSuite,
  type ServerWorld,
} from '#tests/support/suites.ts'

interface World extends ServerWorld {
  ana: CurrentUser
  /** Of the lost dog's owner, and of a member who has nothing to do with it. */
  cookie: string
  other: string
  dogId: string
  jpeg: Blob
}
const found = serverSuite<World>('api/found/found', { TRUST_PROXY: '1', ADMIN_EMAIL: 'admin@ejemplo.es' })
found.before(async (t) => {
  const [ana, toby] = await seed(t.server.db, member({ alias: 'Ana' }), dog({ name: 'Toby' }))
  Object.assign(t, { ana, dogId: toby.id })
  await addLostCase(t.server.db, { dogId: toby.id, ownerId: ana.id })
  t.cookie = (await signIn(t.server, t.ana.email!)).cookie
  t.other = (await signIn(t.server, 'luis@ejemplo.es')).cookie
  t.jpeg = new Blob([await photo()], { type: 'image/jpeg' })
})

const PLACE = { lat: '40.31234', lon: '-3.71234' }
/** The place, and what only the finder reads. */
const SECRETS = ['40.3123', '3.7123', 'Cojea mucho', 'Collar turquesa']

const send = (
  { server, jpeg }: World,
  fields: Record<string, string | Blob>,
  { from = 1, cookie, headers = {} }: { from?: number; cookie?: string; headers?: Record<string, string> } = {},
) =>
  call(server, '/api/found', {
    method: 'POST',
    form: formOf({ photo: jpeg, ...fields }),
    cookie,
    headers: { 'X-Forwarded-For': `198.51.100.${from}`, ...headers },
  })
const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('perrario-hallazgos='))!
    .split(';')[0]!
const act = ({ server }: World, path: string, cookie: string | undefined, fields: Record<string, string>) =>
  call(server, path, { method: 'POST', cookie, fields, headers: { Origin: server.url } })
/** The answer that waits for the finder. */
const claimIn = (page: string) =>
  /name="claim" value="([0-9a-f-]{36})"[^>]*>\s*<button[^>]*value="accept"/.exec(page)![1]!

found('a finder without account and an owner find each other', async (t) => {
  const { server, cookie, other } = t
  const sent = await send(t, { ...PLACE, collar: 'Collar turquesa', words: 'Cojea mucho', question: '¿Y la cicatriz?' })
  assert.is(sent.status, 201, JSON.stringify(sent.body))
  const { id, path } = sent.body
  assert.equal(sent.body, { id, path: `/encontrados/${id}` })
  const device = cookieOf(sent.headers)

  const own = await call(server, path, { cookie: device })
  assert.equal([own.status, own.headers.get('cache-control')], [200, 'private, no-store'])
  assert.match(own.body, /Toby<\/a>; se perdió\s+a menos de 5 km/)
  // Nobody can notify them: the page says how to come back.
  assertMatches(own.body, /solo se abre en este dispositivo/, new RegExp(`${path}\\s*</a>`), /Que le lean el chip/)
  assert.match(own.body, /noindex/)

  const picture = `/api/found/${id}/photo`
  const told = await answered(200, call(server, path, { cookie }))
  assertMatches(told.body, /¿Y la cicatriz\?/, /Getafe/)
  for (const secret of SECRETS) assert.not.ok(told.body.includes(secret), secret)
  for (const [reader, status] of [
    [device, 200],
    [cookie, 200],
    [other, 404],
    [undefined, 404],
  ] as const) {
    assert.is((await call(server, path, { cookie: reader })).status, status)
    const shown = await fetch(server.url + picture, { headers: reader ? { Cookie: reader } : {} })
    assert.is(shown.status, status)
    if (status === 200) assert.is(shown.headers.get('cache-control'), 'private, no-store')
  }

  // Who was not told answers nothing, and an owner decides and closes nothing.
  assert.is((await act(t, path, other, { action: 'claim', answer: 'Es mío' })).status, 404)
  assert.is((await act(t, path, undefined, { action: 'close' })).status, 404)
  assert.is((await act(t, path, cookie, { action: 'close' })).status, 404)
  assert.is((await act(t, path, cookie, { action: 'claim', answer: ' ' })).status, 422)
  for (const answer of ['En la oreja', 'En el rabo']) {
    assert.is((await act(t, path, cookie, { action: 'claim', answer })).status, 303)
    assert.is((await act(t, path, cookie, { action: 'claim', answer })).status, 409)
    const { body } = await call(server, path, { cookie: device })
    assert.ok(body.includes(answer))
    const claim = claimIn(body)
    assert.is((await act(t, path, cookie, { action: 'accept', claim })).status, 404)
    assert.is((await act(t, path, device, { action: 'refuse', claim })).status, 303)
    assert.is((await act(t, path, device, { action: 'accept', claim })).status, 409)
  }
  const claimed = await act(t, path, cookie, { action: 'claim', answer: 'En la pata' })
  assert.equal(redirectOf(claimed), [303, `${path}?hecho=respondido#hecho`])
  const said = await call(t.server, `${path}?hecho=respondido`, { cookie })
  assert.match(said.body, /id="hecho" role="status" tabindex="-1" autofocus>\s*Respuesta enviada\./)
  const claim = claimIn((await call(server, path, { cookie: device })).body)
  const accepted = await answered(303, act(t, path, device, { action: 'accept', claim }))
  const threads = await server.db.selectFrom('contact_threads').selectAll().execute()
  assert.equal([threads.length, threads[0]!.found_id, threads[0]!.member_id], [1, id, t.ana.id])
  assert.ok(cookieOf(accepted.headers).includes(threads[0]!.id))
  assert.match((await call(server, path, { cookie })).body, /Cree que es tuyo/)
  const talk = `/mensajes/${threads[0]!.id}`
  for (const reader of [cookie, device]) {
    assert.match((await call(server, path, { cookie: reader })).body, `href="${talk}"`)
    const { body } = await answered(200, call(server, talk, { cookie: reader }))
    assertMatches(body, 'Mensajes por un perro encontrado', `href="${path}"`)
  }
  for (const reader of [other, undefined]) assert.is((await call(server, talk, { cookie: reader })).status, 404)

  assert.is((await act(t, path, device, { action: 'close' })).status, 303)
  assert.is((await call(server, path, { cookie })).status, 404)
  assert.equal(await server.db.selectFrom('contact_threads').select('id').execute(), [])
})

found('an owner has three tries', async (t) => {
  const sent = await send(t, { zone: 'Getafe' }, { from: 2 })
  const { path } = sent.body
  const device = cookieOf(sent.headers)
  for (let i = 0; i < 3; i++) {
    assert.is((await act(t, path, t.cookie, { action: 'claim', answer: `Intento ${i}` })).status, 303)
    const claim = claimIn((await call(t.server, path, { cookie: device })).body)
    assert.is((await act(t, path, device, { action: 'refuse', claim })).status, 303)
  }
  const fourth = await answered(409, act(t, path, t.cookie, { action: 'claim', answer: 'Otro' }))
  assert.match(fourth.body, /Ya has respondido 3 veces/)
})

found('an owner and a finder without account report each other, and the admin decides in the queue', async (t) => {
  const { server, cookie } = t
  const sent = await send(t, { zone: 'Getafe', words: 'Cobro por devolverlo' }, { from: 8 })
  const { id, path } = sent.body
  const device = cookieOf(sent.headers)
  await act(t, path, cookie, { action: 'claim', answer: 'Dámelo ya' })
  const claim = claimIn((await call(server, path, { cookie: device })).body)
  assert.is((await act(t, path, cookie, { action: 'report', reason: 'x' })).status, 422)
  assert.is((await act(t, path, t.other, { action: 'report', reason: 'money' })).status, 404)
  assert.is((await act(t, path, device, { action: 'report', claim, reason: 'other' })).status, 303)
  assert.is((await act(t, path, cookie, { action: 'report', reason: 'money' })).status, 303)
  assert.match((await call(server, path, { cookie })).body, 'Lo has denunciado. Lo estamos revisando.')
  assert.match((await call(server, path, { cookie: device })).body, 'La has denunciado. La estamos revisando.')

  const admin = (await signIn(server, 'admin@ejemplo.es')).cookie
  const old = await fetch(`${server.url}/admin/encontrados`, { redirect: 'manual' })
  assert.equal(redirectOf(old), [301, '/admin?tab=denuncias&clase=encontrado'])
  const page = await answered(200, call(server, '/admin?tab=denuncias', { cookie: admin }))
  for (const words of ['Cobro por devolverlo', 'Pide dinero', 'Dámelo ya']) assert.match(page.body, words)
  const photoStatus = async () =>
    (await fetch(`${server.url}/api/found/${id}/photo`, { headers: { Cookie: admin } })).status
  assert.is(await photoStatus(), 200)
  for (const [of, kind, decision] of [
    [claim, 'answer', 'delete'],
    [id, 'found', 'keep'],
    [id, 'found', 'keep'],
  ])
    assert.is((await act(t, `/api/admin/reviews/${of}`, admin, { kind: kind!, decision: decision! })).status, 303)
  assert.is(await photoStatus(), 404, 'what is decided is no business of theirs')
  assert.match((await call(server, path, { cookie: device })).body, 'Hemos eliminado esta respuesta.')
  for (const kind of ['encontrado', 'respuesta'])
    assert.match((await call(server, `/admin?tab=denuncias&clase=${kind}`, { cookie: admin })).body, 'No hay ninguno.')
})

found('a notice that is none is refused, and nothing of it is stored', async (t) => {
  const count = async () => (await t.server.db.selectFrom('found_notices_all').select('id').execute()).length
  const before = await count()
  for (const [fields, detail] of [
    [{ lat: '39.5', lon: '1.0' }, /cae en el mar/],
    [{ ...PLACE, found_at: new Date(Date.now() + 3_600_000).toISOString() }, /Esa hora aún no ha llegado/],
    [{ ...PLACE, found_at: '2020-01-01T00:00:00Z' }, /más de 60 días/],
    [{ ...PLACE, photo: '' }, /Añade una foto/],
    [{ ...PLACE, photo: new Blob(['no es una foto, de verdad']) }, /no es una foto que podamos leer/],
    [{}, /Di dónde lo has encontrado/],
    [{ zone: 'Xyzzyplugh' }, /No conocemos ese lugar/],
    [{ zone: 'Getafe', size: 'enorme' }, /Elige un tamaño/],
    [{ zone: 'Getafe', question: 'x'.repeat(121) }, /La pregunta no puede/],
    [{ ...PLACE, hueso: 'x' }, /un campo que nadie ve/],
  ] as const) {
    const { status, body } = await send(t, fields, { from: 3 })
    assert.is(status, 422, JSON.stringify(body))
    assert.match(body.detail, detail)
  }
  assert.is(await count(), before)
})

found('the sixth notice of a day is refused', async (t) => {
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await send(t, { zone: 'Getafe' }, { from: 4 })).status)
  assert.equal(statuses, [...Array(5).fill(201), 429])
})

found('the same key sends one notice, which the second answer opens too', async (t) => {
  const options = { from: 5, headers: { 'Idempotency-Key': crypto.randomUUID() } }
  const first = await send(t, PLACE, options)
  const second = await send(t, PLACE, options)
  assert.equal([first.status, second.body], [201, first.body])
  assert.is((await call(t.server, first.body.path, { cookie: cookieOf(second.headers) })).status, 200)
  assert.is((await send(t, PLACE, { from: 5, headers: { 'Idempotency-Key': 'corta' } })).status, 422)
})

found('from another network the same key leads to the notice without opening it', async (t) => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await send(t, PLACE, { from: 15, headers })
  const thief = await send(t, PLACE, { from: 16, headers })
  assert.equal(contentOf(thief), [201, first.body])
  assert.equal(thief.headers.getSetCookie(), [])
  assert.is((await call(t.server, first.body.path, { cookie: cookieOf(first.headers) })).status, 200)
})

found('two presses of the plain form are one notice', async (t) => {
  const clave = crypto.randomUUID()
  const press = (words: string) =>
    call(t.server, '/encontrados', {
      method: 'POST',
      form: formOf({ photo: t.jpeg, zone: 'Getafe', words, clave }),
      headers: { 'X-Forwarded-For': '198.51.100.77', Origin: t.server.url },
    })
  const [first, second] = await Promise.all([press('Junto al río'), press('Junto al río')])
  assert.equal([first!.status, second!.status], [303, 303])
  assert.is(first!.headers.get('location'), second!.headers.get('location'))
  // «Atrás» leads to the form with its old key.
  assert.is.not((await press('Otro perro')).headers.get('location'), first!.headers.get('location'))
})

found('the plain form leads to the notice, and a member’s account opens it', async (t) => {
  const post = (fields: Record<string, string | Blob>, cookie?: string) =>
    call(t.server, '/encontrados', {
      method: 'POST',
      form: formOf(fields),
      cookie,
      headers: { Origin: t.server.url, 'X-Forwarded-For': '198.51.100.6' },
    })
  assert.match((await call(t.server, '/encontrados')).body, /He encontrado un perro[^]*entra antes<\/a>/)
  assert.not.match((await call(t.server, '/encontrados', { cookie: t.other })).body, 'entra antes')
  const sent = await post({ zone: 'Getafe', ago: '30', photo: t.jpeg }, t.other)
  assert.is(sent.status, 303, String(sent.body).slice(0, 500))
  const path = sent.headers.get('location')!
  assert.match(path, /\?hecho=enviado$/)
  const own = await answered(200, call(t.server, path, { cookie: t.other }))
  assert.match(own.body, /id="hecho" role="status" tabindex="-1" autofocus>\s*Aviso enviado\./)
  assert.match(own.body, /Se abre con tu cuenta en cualquier dispositivo/)
  assert.is((await call(t.server, path)).status, 404)
  assert.match((await answered(422, post({ zone: 'Getafe' }))).body, /Añade una foto del perro/)
})

found('no public page or answer says where it was found', async (t) => {
  await send(t, { ...PLACE, collar: 'Collar turquesa', words: 'Cojea mucho' }, { from: 7 })
  for (const path of ['/', '/perros', '/perdidos', '/encontrados', `/api/dogs/${t.dogId}`, '/api/notifications'])
    for (const cookie of [undefined, t.other, t.cookie]) {
      const { body } = await call(t.server, path, { cookie })
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      for (const secret of SECRETS) assert.not.ok(text.includes(secret), `${path}: ${secret}`)
    }
})
