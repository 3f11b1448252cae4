import type { TestServer } from '#tests/support/server.ts'
import { assert, assertMatches, call, dog, redirectOf, seed, serverSuite, signIn } from '#tests/support/suites.ts'

const zones = serverSuite('api/nearby/home-zone')

const PATH = '/api/profile/home-zone'
const post = async (server: TestServer, cookie: string, fields: Record<string, string>) => {
  const { status, headers } = await call(server, PATH, { method: 'POST', cookie, fields })
  memory = headers
    .getSetCookie()
    .map((each) => each.split(';')[0]!)
    .find((each) => each.startsWith('perrario-entrada='))
  return [status, decodeURIComponent(headers.get('location') ?? '')]
}
/** The cookie with what was typed, of the last form. */
let memory: string | undefined

zones('a member sets, reads and forgets their zone', async ({ server }) => {
  const { cookie } = await signIn(server, 'ana@ejemplo.es')
  const read = async () => (await call(server, PATH, { cookie })).body
  assert.equal(await read(), { zone: null, province: null, alert: null, digest: false })
  const saved = { zone: 'Getafe, Madrid', province: '28', alert: 25, digest: true }
  const put = (json: unknown) => call(server, PATH, { method: 'PUT', cookie, json })
  assert.equal((await put({ zone: 'getafe', alert: 25 })).body, saved)
  for (const [json, field, detail] of [
    [{ zone: 'Nadaquever' }, 'zone', 'No conocemos ese lugar. Prueba con el nombre del pueblo o de la provincia.'],
    [{}, 'zone', 'Escribe tu pueblo, tu barrio o tu provincia.'],
    [{ zone: 'Getafe', alert: 3 }, 'alert', 'Elige una distancia de la lista.'],
    [
      { zone: 'Bogotá', alert: 'province' },
      'alert',
      'Ese lugar no está en ninguna provincia de España. Elige una distancia.',
    ],
  ] as const) {
    const { status, body } = await put(json)
    assert.equal([status, body.detail, body.errors], [422, detail, { [field]: detail }])
  }
  assert.equal(await read(), saved)
  assert.is((await call(server, PATH, { method: 'DELETE', cookie })).status, 204)
  assert.is((await read()).zone, null)
})

zones('the form works without script, and says what is wrong over what was typed', async ({ server }) => {
  const { cookie } = await signIn(server, 'bea@ejemplo.es')
  const page = async (path = '/perfil/avisos') => (await call(server, path, { cookie })).body as string
  assert.not.match(await page(), 'Quitar mi zona')
  const refused = await post(server, cookie, { zone: 'Nadaquever', alert: 'no' })
  assert.equal(refused, [303, '/perfil/avisos?error=lugar#mi-zona'])
  const withTyped = `${cookie}; ${memory}`
  const shown = (await call(server, refused[1] as string, { cookie: withTyped })).body as string
  assertMatches(shown, 'No conocemos ese lugar.', 'value="Nadaquever"')
  assert.not.match(await page(refused[1] as string), 'Nadaquever', 'it is in no address')
  assert.equal(await post(server, cookie, { zone: 'Getafe', alert: '7' }), [
    303,
    '/perfil/avisos?error=distancia#mi-zona',
  ])
  assert.equal(await post(server, cookie, { zone: 'Getafe', alert: 'province', has_digest: '1' }), [
    303,
    '/perfil/avisos?hecho=guardada#mi-zona',
  ])
  assert.match(await page(), 'value="Getafe, Madrid"')
  assert.match(await page(), /<option value="province" selected/)
  assert.equal((await call(server, PATH, { cookie })).body.digest, false)
  assert.equal(await post(server, cookie, { zone: 'Getafe', accion: 'quitar' }), [
    303,
    '/perfil/avisos?hecho=quitada#mi-zona',
  ])
  assert.match(await page('/perfil/avisos?error=constructor&hecho=constructor'), 'Cerca de mí')
})

zones('visitors are led to the sign-in', async ({ server }) => {
  assert.equal(await post(server, '', { zone: 'Getafe' }), [303, '/login'])
  assert.is((await call(server, '/api/missing-nearby')).status, 401)
  assert.equal(redirectOf(await call(server, '/perfil/avisos')), [302, '/login'])
})

zones('missing breeds are in the API, the own album and the own profile', async ({ server }) => {
  const { id, cookie } = await signIn(server, 'eva@ejemplo.es')
  const { id: other } = await signIn(server, 'otra@ejemplo.es')
  await seed(server.db, dog({ breed: 'Akita Inu', zone: 'Leganés', owner_id: other }))
  const album = async () => (await call(server, '/?tab=mine', { cookie })).body as string
  assert.match(await album(), 'Elegir mi zona')
  assert.equal((await call(server, '/api/missing-nearby', { cookie })).body, { zone: null, breeds: [] })
  await call(server, PATH, { method: 'PUT', cookie, json: { zone: 'Getafe' } })
  const { body } = await call(server, '/api/missing-nearby', { cookie })
  assert.equal([body.zone, body.breeds.length], ['Getafe, Madrid', 1])
  const { last_seen, ...breed } = body.breeds[0]
  assert.equal(breed, { slug: 'akita-inu', name: 'Akita Inu', scope: 'province', dogs: 1, last_zone: 'Leganés' })
  assert.ok(Math.abs(Date.now() - last_seen) < 600_000)
  for (const html of [await album(), (await call(server, '/perfil?tab=razas', { cookie })).body as string]) {
    assertMatches(html, 'En Madrid', 'href="/razas/akita-inu"', 'hoy, Leganés', 'Avísame')
  }
  const { body: visited } = await call(server, `/usuario/${id}?tab=razas`, { cookie })
  assert.not.match(visited as string, 'Getafe', 'the zone is on no page that others see')
})
