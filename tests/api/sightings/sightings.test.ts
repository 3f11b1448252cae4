import { PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { answered, assert, type CurrentUser, redirectOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface World extends ServerWorld {
  ana: CurrentUser
  cookie: string
  other: string
  dogId: string
  dogPath: string
  jpeg: Blob
}
const sightings = serverSuite<World>('api/sightings/sightings', { ADMIN_EMAIL: 'admin@ejemplo.es', TRUST_PROXY: '1' })
sightings.before(async (t) => {
  const [ana, toby] = await seed(t.server.db, member({ alias: 'Ana' }), dog({ name: 'Toby' }))
  Object.assign(t, { ana, dogId: toby.id, dogPath: toby.path })
  await addLostCase(t.server.db, { dogId: toby.id, ownerId: ana.id })
  t.cookie = (await signIn(t.server, t.ana.email!)).cookie
  t.other = (await signIn(t.server, 'luis@ejemplo.es')).cookie
  t.jpeg = new Blob([await photo()], { type: 'image/jpeg' })
})

const PLACE = { lat: '40.31234', lon: '-3.71234' }
const send = ({ server, dogId }: World, fields: Record<string, string | Blob>, headers: Record<string, string> = {}) =>
  call(server, `/api/dogs/${dogId}/sightings`, { method: 'POST', form: formOf(fields), headers })

sightings('a visitor reports a sighting with a photo, which its owner alone reads', async (t) => {
  const sent = await send(t, { ...PLACE, words: 'Cojea', photo: t.jpeg })
  assert.is(sent.status, 201, JSON.stringify(sent.body))
  assert.equal(sent.body, { id: sent.body.id, received: true })
  const list = await call(t.server, `/api/dogs/${t.dogId}/sightings`, { cookie: t.cookie })
  assert.equal([list.status, list.headers.get('cache-control')], [200, 'no-store'])
  const [first] = list.body.sightings
  assert.is(first.lat, 40.31234)
  const picture = await fetch(t.server.url + first.photo.path, { headers: { Cookie: t.cookie } })
  assert.equal([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
  assert.is(picture.headers.get('cache-control'), 'private, no-store')
  assert.equal([...new Uint8Array(await picture.arrayBuffer()).subarray(0, 3)], [0xff, 0xd8, 0xff])
  assert.is((await call(t.server, first.photo.path, { cookie: t.other })).status, 404)
  assert.is((await call(t.server, first.photo.path)).status, 401)
  assert.is((await call(t.server, `/api/dogs/${t.dogId}/sightings`, { cookie: t.other })).status, 403)
  assert.is((await call(t.server, `/api/dogs/${t.dogId}/sightings`)).status, 401)
})

sightings('a sighting that is none is refused, and nothing of it is stored', async (t) => {
  const count = () => t.server.db.selectFrom('sightings_all').select('id').execute()
  const before = (await count()).length
  const from = (n: number) => ({ 'X-Forwarded-For': `198.51.100.${n}` })
  for (const [fields, detail] of [
    [{ lat: '39.5', lon: '1.0' }, 'Ese punto está en el mar.'],
    [{ ...PLACE, at: new Date(Date.now() + 3_600_000).toISOString() }, 'Esa hora todavía no ha llegado.'],
    [{ ...PLACE, at: '2020-01-01T00:00:00Z' }, 'A esa hora todavía no se había perdido.'],
    [{ ...PLACE, photo: new Blob(['no es una foto, de verdad']) }, /no es una foto que podamos leer/],
    [{ ...PLACE, hueso: 'x' }, /un campo que nadie ve/],
    [{ zone: 'Xyzzyplugh' }, /No conocemos ese sitio/],
  ] as const) {
    const { status, body } = await send(t, fields, from(1))
    assert.is(status, 422, JSON.stringify(body))
    if (typeof detail === 'string') assert.is(body.detail, detail)
    else assert.match(body.detail, detail)
  }
  assert.is((await count()).length, before)
})

sightings('the same key sends one sighting, and a visitor’s is long', async (t) => {
  const headers = { 'Idempotency-Key': crypto.randomUUID(), 'X-Forwarded-For': '198.51.100.2' }
  const first = await send(t, PLACE, headers)
  assert.is(first.status, 201, JSON.stringify(first.body))
  assert.equal((await send(t, PLACE, headers)).body, first.body)
  assert.is((await send(t, PLACE, { ...headers, 'Idempotency-Key': 'corta' })).status, 422)
})

sightings('a flood from one network is refused', async (t) => {
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await send(t, PLACE, { 'X-Forwarded-For': '198.51.100.3' })).status)
  assert.equal(statuses.slice(0, 10), Array(10).fill(201))
  assert.equal(statuses.slice(10), [429, 429])
})

sightings('the plain form answers a page: thanks, or what was wrong', async (t) => {
  const path = `/perdidos/${t.dogId}/visto`
  const post = (fields: Record<string, string | Blob>) =>
    call(t.server, path, {
      method: 'POST',
      form: formOf(fields),
      headers: { Origin: t.server.url, 'X-Forwarded-For': '198.51.100.4' },
    })
  const page = await answered(200, call(t.server, path))
  assert.match(page.body, /¿Has visto a Toby\?/)
  assert.is(page.headers.get('cache-control'), 'no-store')
  const sent = await post({ zone: 'Getafe', ago: '30', photo: t.jpeg })
  assert.is(sent.status, 303, String(sent.body).slice(0, 500))
  assert.is(sent.headers.get('location'), `${path}?hecho=enviado`)
  assert.match((await call(t.server, `${path}?hecho=enviado`)).body, /¡Gracias!/)
  // Without script an iPhone offers the photos too.
  assert.match(page.body, /id="sighting-photo"(?![^>]*capture)/)
  const unreadable = await answered(422, post({ zone: 'Getafe', photo: new Blob(['no es una foto, de verdad']) }))
  assert.match(
    unreadable.body,
    /id="sighting-photo"[^>]*aria-invalid="true"[^>]*aria-describedby="sighting-photo-error/,
  )
  assert.match(unreadable.body, /id="sighting-photo"[^>]*autofocus/)
  assert.match(unreadable.body, /id="sighting-photo-error" role="alert" data-missing="[^"]*">/)
  const heavy = await post({ zone: 'Getafe', photo: new Blob([new Uint8Array(PHOTO_UPLOAD_MAX_BYTES + 1)]) })
  assert.is(heavy.status, 413)
  assert.match(heavy.body, /id="sighting-photo"[^>]*aria-invalid="true"/)
  const refused = await answered(422, post({ zone: '' }))
  assert.match(refused.body, /id="sighting-zone"[^>]*aria-invalid="true"/)
  assert.match(refused.body, /id="sighting-zone-error" role="alert" data-missing="[^"]*">/)
})

sightings('two presses of the plain form are one sighting, and what else it says later another', async (t) => {
  const path = `/perdidos/${t.dogId}/visto`
  const key = /name="clave" value="([^"]+)"/.exec((await call(t.server, path)).body)![1]!
  assert.not.ok((await call(t.server, path)).body.includes(key), 'every form has its own')
  const count = async () => (await t.server.db.selectFrom('sightings_all').select('id').execute()).length
  const press = async (words: string) => {
    const form = formOf({ clave: key, zone: 'Getafe', ago: '0', words, photo: t.jpeg })
    const headers = { Origin: t.server.url, 'X-Forwarded-For': '198.51.100.7' }
    assert.is((await call(t.server, path, { method: 'POST', form, headers })).status, 303)
  }
  const before = await count()
  await Promise.all([press('Va hacia el río'), press('Va hacia el río')])
  assert.is(await count(), before + 1)
  await press('Ha vuelto')
  assert.is(await count(), before + 2)
})

sightings('the owner’s page folds what asks for money, and takes refusals', async (t) => {
  await send(t, { ...PLACE, words: 'Hazme un bizum de 50 euros primero' }, { 'X-Forwarded-For': '198.51.100.5' })
  const path = `/perdidos/${t.dogId}/avistamientos`
  const page = await answered(200, call(t.server, path, { cookie: t.cookie }))
  assert.match(page.body, /<summary>Este mensaje habla de dinero[^]*?Hazme un bizum/)
  // Every control says of which sighting it is, and the exact place is in no address of this site.
  assert.match(page.body, /No es útil o es falso<span class="sr">, avistamiento \d+<\/span>/)
  assert.match(page.body, /Denunciar<span class="sr">, avistamiento \d+<\/span>/)
  assert.match(page.body, 'href="geo:40.31234,-3.71234?q=40.31234,-3.71234"')
  assert.match(page.body, 'href="https://maps.apple.com/?daddr=40.31234,-3.71234" rel="noreferrer nofollow"')
  assert.not.match(page.body, /href="\/[^"]*40\.31/)
  const fields = { id: /id="s-([0-9a-f-]{36})"/.exec(page.body)![1]!, action: 'refuse' }
  const headers = { Origin: t.server.url }
  const judged = await call(t.server, path, { method: 'POST', cookie: t.cookie, fields, headers })
  assert.equal(redirectOf(judged), [303, `${path}?hecho=descartado#hecho`])
  const list = await call(t.server, `${path}?hecho=descartado`, { cookie: t.cookie })
  assert.match(list.body, /Lo has descartado/)
  assert.match(list.body, /id="hecho" role="status" tabindex="-1" autofocus>\s*Avistamiento descartado: ya no cuenta\./)
  assert.is((await call(t.server, path, { cookie: t.other })).status, 403)
  assert.is((await call(t.server, path)).status, 303)
})

sightings('no public page or answer says where it was seen', async (t) => {
  for (const path of [t.dogPath, '/', '/perros', `/api/dogs/${t.dogId}`, `/perdidos/${t.dogId}/visto`])
    for (const cookie of [undefined, t.other]) {
      const { body } = await call(t.server, path, { cookie })
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      for (const secret of ['40.3123', '3.7123', '40.30571', 'Cojea'])
        assert.not.ok(text.includes(secret), `${path}: ${secret}`)
    }
})

sightings('who sent one withdraws it, with the plain form or by its id', async (t) => {
  const headers = { 'X-Forwarded-For': '198.51.100.40', Origin: t.server.url }
  const page = `/perdidos/${t.dogId}/visto`
  const sent = await send(t, { ...PLACE, photo: t.jpeg }, headers)
  const device = sent.headers
    .getSetCookie()
    .find((each) => each.startsWith('perrario-hallazgos='))!
    .split(';')[0]!
  const { id } = sent.body
  const action = `${page}?retirar=${id}`
  assert.ok((await call(t.server, page, { cookie: device })).body.includes(action))
  for (const cookie of [undefined, t.other, t.cookie]) {
    assert.not.ok((await call(t.server, page, { cookie })).body.includes(action))
    assert.is((await call(t.server, action, { method: 'POST', cookie, headers })).status, 404)
    assert.is((await call(t.server, `/api/sightings/${id}`, { method: 'DELETE', cookie, headers })).status, 404)
  }
  const answer = await call(t.server, action, { method: 'POST', cookie: device, fields: {}, headers })
  assert.equal(redirectOf(answer), [303, `${page}?hecho=retirado`])
  const after = await call(t.server, `${page}?hecho=retirado`, { cookie: device })
  assert.match(after.body, 'Lo hemos borrado, con su sitio y su foto.')
  assert.not.ok(after.body.includes(action))

  const own = await call(t.server, `/api/dogs/${t.dogId}/sightings`, {
    method: 'POST',
    cookie: t.other,
    form: formOf(PLACE),
    headers,
  })
  const path = `/api/sightings/${own.body.id}`
  assert.is((await call(t.server, path, { method: 'DELETE', cookie: t.other, headers })).status, 204)
  assert.is((await call(t.server, path, { method: 'DELETE', cookie: t.other, headers })).status, 404)
})
