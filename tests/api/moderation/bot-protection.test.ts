import { REVIEWS_PER_DAY } from '#features/moderation/moderation.ts'
import { type Answer, call, type Call, formOf } from '#tests/support/api.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { answered, assert, redirectOf, signIn, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer({ TRUST_PROXY: '1', RENDERS_PER_MINUTE: '10', VISITOR_DOGS_PER_DAY: '2' })
const ana = await signIn(server, 'ana@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')
const jpeg = new Blob([await photo()], { type: 'image/jpeg' })
const unreadable = new Blob([textFile], { type: 'image/jpeg' })

const protection = suite('api/moderation/bot-protection')
protection.after(() => server.dispose())

/** A call that comes from `ip`. */
const callFrom = (ip: string, path: string, { headers = {}, ...options }: Call = {}) =>
  call(server, path, { ...options, headers: { 'X-Forwarded-For': ip, ...headers } })
const addDog = (ip: string, fields: Parameters<typeof formOf>[0] = {}, options: Call = {}) =>
  callFrom(ip, '/api/dogs', {
    method: 'POST',
    form: formOf({ name: 'Toby', breed: 'Beagle', images: jpeg, ...fields }),
    ...options,
  })
const dogs = async () => (await callFrom('203.0.113.200', '/api/dogs?limit=1')).body.stats.dogs

function assertRefused({ status, body, headers }: Answer, wanted: number, detail: string) {
  assert.is(status, wanted, JSON.stringify(body))
  assert.match(headers.get('content-type')!, 'application/problem+json')
  assert.is(body.detail, detail)
  if (wanted === 429) assert.ok(Number(headers.get('retry-after')) > 0)
}

const HONEYPOT_MESSAGE =
  'Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Aquí sigue todo: vuelve a pulsar «Añadir perro».'
const TOO_FAST_MESSAGE =
  '¡Qué rapidez! Para no confundirte con un programa, espera un par de segundos y vuelve a pulsar «Añadir perro»: aquí sigue todo.'
const DAILY_LIMIT_MESSAGE =
  'Desde tu conexión ya se han añadido muchos perros hoy. Entra con tu cuenta para añadir más.'

protection('a filled honeypot adds no dog, for any sender; an empty one does', async () => {
  const before = await dogs()
  assertRefused(await addDog('192.0.2.1', { hueso: 'https://ejemplo.es' }), 422, HONEYPOT_MESSAGE)
  assertRefused(await addDog('192.0.2.1', { hueso: 'x' }, { cookie: ana.cookie }), 422, HONEYPOT_MESSAGE)
  assert.is(await dogs(), before)
  assert.is((await addDog('192.0.2.1', { hueso: '' })).status, 201)
})

protection('a visitor’s form submitted within two seconds of opening must be sent again', async () => {
  const before = await dogs()
  for (const said of ['0', '1999', 'pronto']) {
    const refused = await addDog('192.0.2.2', { open_for_ms: said })
    assertRefused(refused, 429, TOO_FAST_MESSAGE)
    assert.is(refused.headers.get('retry-after'), '2')
  }
  assert.is(await dogs(), before)
  assert.is((await addDog('192.0.2.2', { open_for_ms: '2000' })).status, 201)
  // Members have more to lose than a moment, and programs that follow the contract have no form.
  assert.is((await addDog('192.0.2.2', { open_for_ms: '0' }, { cookie: ana.cookie })).status, 201)
  assert.is((await addDog('192.0.2.2')).status, 201)
})

protection('a network’s visitors add a limited number of dogs a day, and refused ones do not count', async () => {
  const home = (n: number) => `2001:db8:7:7::${n}`
  for (let i = 1; i <= 4; i++) assert.is((await addDog(home(i), { images: unreadable })).status, 422)
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await answered(201, addDog(home(1), {}, { headers }))
  assert.is((await addDog(home(2))).status, 201)
  assertRefused(await addDog(home(3)), 429, DAILY_LIMIT_MESSAGE)
  assert.equal((await addDog(home(4), {}, { headers })).body, first.body, 'the answer that got lost comes again')
  assert.is((await addDog(home(3), {}, { cookie: ana.cookie })).status, 201)
  assert.is((await addDog('2001:db8:7:8::1')).status, 201)
})

protection('a member has a daily quota of what goes to quarantine, by whatever call', async () => {
  const SALE = 'Se vende por 300 euros'
  const send = (path: string, options: Call) => callFrom('192.0.2.7', path, { cookie: luis.cookie, ...options })
  const { id, images } = (await addDog('192.0.2.7', {}, { cookie: luis.cookie })).body.dog
  const addSale = () => addDog('192.0.2.7', { description: SALE }, { cookie: luis.cookie })
  for (let n = 0; n < REVIEWS_PER_DAY; n++) {
    const { body } = await answered(201, addSale())
    assert.is((await send(`/api/dogs/${body.dog.id}`, { method: 'DELETE' })).status, 204)
  }
  const detail = 'Hoy ya has enviado muchos textos que tenemos que revisar. Mañana podrás enviar más.'
  assertRefused(await addSale(), 429, detail)
  // A doubted comment is public at once.
  const comment = { method: 'POST', json: { content: SALE } } as const
  assert.is((await send(`/api/dogs/${id}/comments`, comment)).status, 201)
  assertRefused(await send(`/api/dogs/${id}`, { method: 'PATCH', json: { description: SALE } }), 429, detail)
  const form = formOf({ images: images[0].url, alts: SALE })
  assertRefused(await send(`/api/dogs/${id}/images`, { method: 'PUT', form }), 429, detail)
  assert.is((await send(`/api/dogs/${id}`, { method: 'PATCH', json: { description: 'Bueno' } })).status, 200)
})

protection(
  'a network has a quarter of what visitors’ dogs may wait for the admin, and all of them have no more',
  async () => {
    await using site = await startServer({ TRUST_PROXY: '1', HOLD_ANONYMOUS: 'on', VISITOR_DOGS_TO_REVIEW: '4' })
    const member = await signIn(site, 'eva@ejemplo.es')
    const add = (ip: string, images = jpeg, cookie = '') =>
      call(site, '/api/dogs', {
        method: 'POST',
        form: formOf({ name: 'Toby', breed: 'Beagle', images }),
        headers: { 'X-Forwarded-For': ip },
        ...(cookie && { cookie }),
      })
    assert.is((await add('2001:db8:7:1::1', unreadable)).status, 422)
    assert.is((await add('2001:db8:7:1::1')).status, 201)
    assertRefused(await add('2001:db8:7:2::1'), 429, DAILY_LIMIT_MESSAGE)
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) assert.is((await add(ip)).status, 201)
    assertRefused(
      await add('192.0.2.4'),
      429,
      'Ya hay muchos perros por revisar. Entra con tu cuenta para añadir el tuyo.',
    )
    assert.is((await add('2001:db8:7:2::1', jpeg, member.cookie)).status, 201)
  },
)

protection('reads of the API count per network, IPv6 by its /64, and their refusal has Retry-After', async () => {
  const read = (n: number | string) => callFrom(`2001:db8:1:1::${n}`, n === 7 ? '/api/session' : '/api/dogs?limit=1')
  for (let n = 1; n <= 20; n++) assert.is((await read(n)).status, 200)
  assertRefused(await read('ffff'), 429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.')
  assert.is((await callFrom('2001:db8:1:2::1', '/api/dogs?limit=1')).status, 200)
})

protection('a route’s limit counts per member, from every network, and does not affect another route', async () => {
  const save = ({ cookie }: { cookie: string }, ip: string) =>
    callFrom(ip, '/api/profile', { method: 'PUT', cookie, json: { alias: '', emoji: '🐶' } })
  for (let n = 0; n < 30; n++) assert.is((await save(ana, `198.51.100.${n}`)).status, 422)
  assertRefused(
    await save(ana, '198.51.100.200'),
    429,
    'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
  )
  assert.is((await save(luis, '198.51.100.200')).status, 422)
  const other = await callFrom('198.51.100.200', '/api/notifications/read-all', { method: 'POST', cookie: ana.cookie })
  assert.is(other.status, 200, 'other routes stay open to her')
})

protection('the share target accepts sixty requests a minute of a network and never reads their body', async () => {
  const share = (ip: string) => callFrom(ip, '/compartir', { method: 'POST', form: formOf({ fotos: jpeg }) })
  for (let n = 0; n < 60; n++) {
    assert.equal(redirectOf(await share(`2001:db8:9:9::${n.toString(16)}`)), [303, '/?compartido=no#anadir-perro'])
  }
  assertRefused(
    await share('2001:db8:9:9::abcd'),
    429,
    'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
  )
  assert.is((await share('2001:db8:9:a::1')).status, 303)
})
