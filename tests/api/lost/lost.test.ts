import { call, formOf } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { assert, assertMatches, dog, redirectOf, seed, serverSuite, type ServerWorld } from '#tests/support/suites.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'

interface Context extends ServerWorld {
  ana: TestMember
  eva: TestMember
}
const lost = serverSuite<Context>('api/lost/lost', { SITE_URL: 'http://perrario.example', TRUST_PROXY: '1' })
lost.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.eva = await signInMember(t.server, 'eva@ejemplo.es')
})

const addDog = async ({ server, ana }: Context, name: string) =>
  (await seed(server.db, dog({ name, owner_id: ana.id })))[0]
const HOUR_AGO = () => Date.now() - 3_600_000
const put = ({ server, ana }: Context, id: string, json: object, who: TestMember = ana) =>
  call(server, `/api/dogs/${id}/lost`, { method: 'PUT', cookie: who.cookie, json })
const end = ({ server, ana }: Context, id: string, json: object) =>
  call(server, `/api/dogs/${id}/lost`, { method: 'DELETE', cookie: ana.cookie, json })
const read = async ({ server }: Context, path: string, who?: TestMember) =>
  (await call(server, path, { cookie: who?.cookie })).body as string
const post = ({ server, ana }: Context, id: string, fields: Record<string, string>) =>
  call(server, `/perdidos/${id}`, {
    method: 'POST',
    cookie: ana.cookie,
    fields,
  })

lost('a lost dog has a band on its page and a mark on its card, for everybody, until it is at home', async (t) => {
  const { server, ana, eva } = t
  const toby = await addDog(t, 'Toby')
  // Kept pages, which the case makes others.
  for (const who of [undefined, eva, ana]) for (const path of [toby.path, '/perros']) await read(t, path, who)
  assert.match(await read(t, toby.path, ana), `href="/perdidos/${toby.id}"`)
  assert.not.match(await read(t, toby.path, eva), `href="/perdidos/${toby.id}"`)
  const { status, body } = await put(t, toby.id, {
    since: HOUR_AGO(),
    zone: 'getafe',
    help: 'Lleva un <b>.',
    chip: false,
  })
  assert.equal([status, body.lost.zone, body.lost.point], [200, 'Getafe, Madrid', null])
  for (const who of [undefined, eva, ana]) {
    const page = await read(t, toby.path, who)
    assert.match(
      page,
      /<b>Se busca a Toby\.<\/b> <span>Falta desde el \d+ de [a-z]+ (de \d{4} )?a las? \d+:\d\d, en Getafe, Madrid\./,
    )
    assertMatches(page, 'Lleva un &lt;b&gt;.', 'No lleva chip.', `href="/perdidos/${toby.id}/visto"`)
    assert.match(await read(t, '/perros', who), /lost-mark".*Se ha perdido/)
  }
  assert.equal((await call(server, `/api/dogs/${toby.id}`)).body.dog.lost, {
    since: body.lost.since,
    zone: 'Getafe, Madrid',
  })
  assert.is((await end(t, toby.id, { ending: 'home', thanks: true })).status, 204)
  for (const who of [undefined, eva, ana]) {
    const page = await read(t, toby.path, who)
    assert.not.match(page, 'Se busca a Toby')
    assert.match(page, /<section class="lost-band home-band" aria-label="¡En casa!">/)
    assert.match(page, '<b>¡En casa!</b> Toby ya ha vuelto. Gracias a quienes ayudaron.')
    assert.not.match(await read(t, '/perros', who), 'lost-mark')
  }
})

lost('what helps is folded where it asks for money or leads elsewhere, and stays out of the feed', async (t) => {
  const toby = await addDog(t, 'Toby')
  const texts = async (help: string) => {
    assert.is((await put(t, toby.id, { since: HOUR_AGO(), zone: 'Getafe', help })).status, 200)
    return [await read(t, toby.path), await read(t, '/perdidos.atom')] as [string, string]
  }
  for (const help of ['Manda un Bizum y te digo dónde está', 'Mira https://ejemplo.xyz/toby']) {
    const [page, feed] = await texts(help)
    assert.match(
      page,
      /<details class="lost-fold">\s*<summary>[^<]* Ábrelo si quieres\.<\/summary>\s*<p class="lost-words" dir="auto">M/,
    )
    assert.match(feed, 'Toby')
    assert.not.match(feed, help)
  }
  // Whoever stands before the dog calls its people.
  for (const help of ['No la persigas', 'Llama al 600 11 22 33']) {
    const [page, feed] = await texts(help)
    assert.match(page, `<p class="lost-words" dir="auto">${help}</p>`)
    assert.not.match(page, 'lost-fold')
    assert.match(feed, help)
  }
  await end(t, toby.id, { ending: 'other' })
})

lost('wrong fields are named, and wrong people refused', async (t) => {
  const luna = await addDog(t, 'Luna')
  for (const [json, field] of [
    [{}, 'since'],
    [{ since: 'ayer', zone: 'Getafe' }, 'since'],
    [{ since: Date.now() + 86_400_000, zone: 'Getafe' }, 'since'],
    [{ since: HOUR_AGO() }, 'zone'],
    [{ since: HOUR_AGO(), zone: 'Nadaquever' }, 'zone'],
    [{ since: HOUR_AGO(), zone: 7 }, 'zone'],
    [{ since: HOUR_AGO(), lat: 95, lon: 0 }, 'lat'],
    [{ since: HOUR_AGO(), lat: 'norte', lon: 0 }, 'lat'],
    [{ since: HOUR_AGO(), lat: 40.4 }, 'lon'],
    [{ since: HOUR_AGO(), lat: 40.4, lon: -3.7, zone: 'Getafe' }, 'zone'],
    [{ since: HOUR_AGO(), zone: 'Getafe', help: '🐕‍🦺'.repeat(501) }, 'help'],
    [{ since: HOUR_AGO(), zone: 'Getafe', chip: 'sí' }, 'chip'],
  ] as const) {
    const { status, body } = await put(t, luna.id, json)
    assert.equal([status, Object.keys(body.errors)], [422, [field]], JSON.stringify(json).slice(0, 60))
  }
  const longest = { since: HOUR_AGO(), zone: 'Getafe', help: '🐕‍🦺'.repeat(500) }
  assert.is((await put(t, luna.id, longest)).status, 200)
  assert.is((await put(t, luna.id, longest, t.eva)).status, 403)
  assert.is(
    (await end(t, luna.id, { ending: 'robado' })).body.errors.ending,
    'Elige «¡En casa!» o «Ya no lo buscamos».',
  )
  assert.is((await end(t, luna.id, { ending: 'other' })).status, 204)
  assert.not.match(await read(t, luna.path), 'Gracias a quienes ayudaron')
})

lost('a member opens five searches a day, and changes them as they like', async (t) => {
  const bea = await signInMember(t.server, 'bea@ejemplo.es')
  const [toby] = await seed(t.server.db, dog({ owner_id: bea.id }))
  const open = async () => (await put(t, toby.id, { since: HOUR_AGO(), zone: 'Getafe' }, bea)).status
  for (let i = 0; i < 5; i++) {
    assert.is((await put(t, toby.id, { since: HOUR_AGO(), zone: 'Nadaquever' }, bea)).status, 422)
    assert.is(await open(), 200)
    assert.is(await open(), 200, 'a change')
    const json = { ending: 'other' }
    await call(t.server, `/api/dogs/${toby.id}/lost`, { method: 'DELETE', cookie: bea.cookie, json })
  }
  assert.is(await open(), 429)
})

lost('the page’s form works without script, and shows again what was typed', async (t) => {
  const kira = await addDog(t, 'Kira')
  const wrong = await post(t, kira.id, { since: '2026-11-20T10:30', zone: 'Nadaquever', help: 'Cojea.', chip: 'si' })
  assert.is(wrong.status, 422)
  for (const text of ['No conocemos ese lugar', 'value="Nadaquever"', 'Cojea.', 'value="2026-11-20T10:30"'])
    assert.match(wrong.body, text)
  const point = { lat: '40.458731', lon: '-3.791357' }
  const saved = await post(t, kira.id, { since: '2026-11-20T10:30', zone: '', help: 'Cojea.', chip: 'si', ...point })
  assert.equal(redirectOf(saved), [303, `/perdidos/${kira.id}?hecho=guardado`])
  const page = await read(t, `/perdidos/${kira.id}?hecho=guardado`, t.ana)
  for (const text of [
    'Ya buscamos a Kira',
    'value="40.458731"',
    `/perdidos/${kira.id}/avistamientos`,
    'Sí, está en casa',
    'class="lost-photo"',
    'href="https://wa.me/?text=Se+busca+a+Kira.',
    'download="se-busca-',
  ])
    assert.match(page, text)
  assert.is((await post(t, kira.id, { accion: 'sigue' })).headers.get('location'), `/perdidos/${kira.id}?hecho=sigue`)
  const home = await post(t, kira.id, { accion: 'casa', thanks: 'on' })
  assert.is(home.headers.get('location'), `/perdidos/${kira.id}?hecho=casa`)
  const after = await read(t, `/perdidos/${kira.id}?hecho=casa`, t.ana)
  assertMatches(after, '<title>¡Kira está en casa! | Perrario</title>', '<h1>¡Kira está en casa!</h1>')
  assertMatches(after, 'class="lost-photo"', 'Enviar por WhatsApp')
  assert.match(
    after,
    /<p class="status" id="hecho" role="status" tabindex="-1" autofocus>\s*¡Qué alegría![^<]*mensajes\.\s+<a /,
  )
  assert.match(after, /<details class="lost-again">\s*<summary[^>]*>¿Se ha vuelto a perder\?/)
  assert.not.match(after, 'Se ha perdido Kira')
  assert.not.match(await read(t, `/perdidos/${kira.id}`, t.ana), '<details class="lost-again"')
  assert.match(await read(t, kira.path), 'Gracias a quienes ayudaron')
  assert.is((await post(t, kira.id, { accion: 'casa' })).status, 422, 'it is at home already')
})

lost('the owner’s page leads others to the dog, and visitors to the sign-in', async (t) => {
  const nala = await addDog(t, 'Nala')
  const go = async (cookie?: string) =>
    (await call(t.server, `/perdidos/${nala.id}`, { cookie })).headers.get('location')
  assert.equal([await go(), await go(t.eva.cookie)], ['/login', nala.path])
})

lost('a poster has the dog’s address as a QR code and, while it is lost, a short link', async (t) => {
  const rex = await addDog(t, 'Rex')
  assert.not.match(await read(t, `/perro/${rex.id}/cartel`), '/p/')
  const { body } = await put(t, rex.id, { since: HOUR_AGO(), zone: 'Getafe' })
  const poster = await read(t, `/perro/${rex.id}/cartel`)
  assertMatches(poster, `perrario.example/p/${body.lost.code}`, /aria-label="Código QR de su ficha"[^>]*><svg /)
  assert.match(poster, /, Getafe, Madrid<\/textarea>/)
  const follow = async (code = body.lost.code) => {
    const { status, headers } = await call(t.server, `/p/${code}`)
    return [status, headers.get('location')]
  }
  assert.equal(await follow(), [302, rex.path])
  for (const typed of [
    body.lost.code.toUpperCase(),
    `${body.lost.code}.`,
    `%20${body.lost.code}%20`,
    `«${body.lost.code}»`,
  ])
    assert.equal(await follow(typed), [302, rex.path], typed)
  assert.equal(await follow(`${body.lost.code}/`), [301, `/p/${body.lost.code}`])
  await end(t, rex.id, { ending: 'other' })
  assert.equal(await follow(), [404, null])
  assert.is((await call(t.server, '/p/constructor')).status, 404)
})

const addLostDog = async ({ server, ana }: Context) => {
  const [{ id }] = await seed(server.db, dog({ owner_id: ana.id }))
  await addLostCase(server.db, { dog_id: id, owner_id: ana.id })
  return id
}

lost('a change whose body arrives after the end of the case opens no other', async (t) => {
  const { server, ana } = t
  const id = await addLostDog(t)
  const json = JSON.stringify({ since: Date.now() - 60_000, zone: 'Getafe' })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(new TextEncoder().encode(text))
  const changed = fetch(`${server.url}/api/dogs/${id}/lost`, {
    method: 'PUT',
    headers: { Cookie: ana.cookie, 'Content-Type': 'application/json' },
    body: readable,
    duplex: 'half',
  } as RequestInit)
  await write(json.slice(0, 10))
  // The rights are checked before the body is read.
  await new Promise((done) => setTimeout(done, 500))
  const ended = { method: 'DELETE', cookie: ana.cookie, json: { ending: 'other' } }
  assert.is((await call(server, `/api/dogs/${id}/lost`, ended)).status, 204)
  await write(json.slice(10))
  await writer.close()
  assert.is((await changed).status, 404)
})

lost(
  'all networks of one IPv6 site send few sightings of a dog, so that there is room for those of others',
  async (t) => {
    const id = await addLostDog(t)
    const send = async (address: string) => {
      const options = { method: 'POST', form: formOf({ zone: 'Getafe' }), headers: { 'X-Forwarded-For': address } }
      return (await call(t.server, `/api/dogs/${id}/sightings`, options)).status
    }
    const statuses: number[] = []
    for (let n = 1; n <= 11; n++) statuses.push(await send(`2001:db8:7:${n}::1`))
    assert.equal(statuses, [...Array<number>(10).fill(201), 429])
    assert.is(await send('2001:db8:8:1::1'), 201)
  },
)

lost("the owner's page judges no more sightings in an hour than the endpoint", async (t) => {
  const { server, ana } = t
  const id = await addLostDog(t)
  const body = new URLSearchParams({ id: crypto.randomUUID(), action: 'refuse' })
  const judge = async () =>
    (await call(server, `/perdidos/${id}/avistamientos`, { method: 'POST', cookie: ana.cookie, body })).status
  const statuses: number[] = []
  for (let n = 0; n < 310; n += 10) statuses.push(...(await Promise.all(Array.from({ length: 10 }, judge))))
  assert.is(statuses.filter((status) => status !== 429).length, 300)
})
