import { issueSecret } from '#features/secrets/secrets.server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, assertMatches, call, contentOf, detailOf, redirectOf, serverSuite } from '#tests/support/suites.ts'

const alerts = serverSuite('api/lost/alerts')

const PATH = '/api/lost-alerts'
const PAGE = '/perfil/avisos'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const post = async (server: TestServer, cookie: string, fields: Record<string, string>) => {
  const { status, headers } = await call(server, '/api/profile/home-zone', { method: 'POST', cookie, fields })
  memory = headers
    .getSetCookie()
    .map((each) => each.split(';')[0]!)
    .find((each) => each.startsWith('perrario-entrada='))
  return [status, decodeURIComponent(headers.get('location') ?? '')]
}
/** The cookie with what was typed, of the last form. */
let memory: string | undefined
const NONE = { zone: null, radius_km: null, breaks_quiet: false, by_mail: false, by_push: false }

alerts('a member sets, reads and forgets their alerts', async ({ server }) => {
  const { cookie } = await signIn(server, 'ana@ejemplo.es')
  const read = async () => (await call(server, PATH, { cookie })).body
  assert.equal(await read(), NONE)
  const put = (json: unknown) => call(server, PATH, { method: 'PUT', cookie, json })
  const saved = { zone: 'Getafe, Madrid', radius_km: 5, breaks_quiet: true, by_mail: true, by_push: true }
  assert.equal((await put({ ...saved, zone: 'getafe' })).body, saved)
  for (const [json, field, detail] of [
    [{ zone: 'Nadaquever' }, 'zone', 'No conocemos ese lugar. Prueba con el nombre del pueblo o del barrio.'],
    [{ zone: 'Andalucía' }, 'zone', 'Ese lugar es demasiado grande. Elige un pueblo o un barrio.'],
    [{}, 'zone', 'Escribe tu pueblo o tu barrio.'],
    [{ zone: 'Getafe', radius_km: 3 }, 'radius_km', 'Elige una distancia de la lista.'],
    [{ zone: 'Getafe', by_mail: 1 }, 'by_mail', 'Elige sí o no para cada aviso.'],
  ] as const) {
    const { status, body } = await put(json)
    assert.equal([status, body.detail, body.errors], [422, detail, { [field]: detail }])
  }
  assert.equal(await read(), saved)
  assert.is((await call(server, PATH, { method: 'DELETE', cookie })).status, 204)
  assert.equal(await read(), NONE)
})

alerts('the form works without script, and says what is wrong over what was typed', async ({ server }) => {
  const { cookie } = await signIn(server, 'bea@ejemplo.es')
  const page = async (path = PAGE) => (await call(server, path, { cookie })).body as string
  await call(server, '/api/profile/home-zone', { method: 'PUT', cookie, json: { zone: 'Leganés' } })
  assert.match(await page(), 'value="Leganés, Madrid"', 'the zone they call home is offered')
  const refused = await post(server, cookie, { zone: 'Nadaquever', radius_km: '5' })
  assert.equal(refused, [303, `${PAGE}?error=lugar#mi-zona`])
  const withTyped = `${cookie}; ${memory}`
  const shown = (await call(server, refused[1] as string, { cookie: withTyped })).body as string
  assertMatches(shown, 'No conocemos ese lugar.', 'value="Nadaquever"')
  assert.not.match(await page(refused[1] as string), 'Nadaquever', 'it is in no address')
  assert.equal(await post(server, cookie, { zone: 'Getafe', radius_km: '7' }), [303, `${PAGE}?error=distancia#mi-zona`])
  assert.equal(await post(server, cookie, { zone: 'Getafe', radius_km: '20', by_mail: 'on' }), [
    303,
    `${PAGE}?hecho=guardada#mi-zona`,
  ])
  assert.match(await page(), /<option value="20" selected/)
  assert.equal((await call(server, PATH, { cookie })).body, {
    zone: 'Getafe, Madrid',
    radius_km: 20,
    breaks_quiet: false,
    by_mail: true,
    by_push: false,
  })
  assert.equal(await post(server, cookie, { zone: 'Getafe', radius_km: 'no' }), [303, `${PAGE}?hecho=guardada#mi-zona`])
  assert.equal((await call(server, PATH, { cookie })).body, NONE, 'the zone stays without them')
  assert.equal(await post(server, cookie, { zone: '', accion: 'quitar' }), [303, `${PAGE}?hecho=quitada#mi-zona`])
  assert.match(await page(`${PAGE}?error=constructor&hecho=constructor`), 'Avísame')
})

alerts('visitors are told to sign in, and the old address leads to the one place of alerts', async ({ server }) => {
  assert.equal(redirectOf(await call(server, PAGE)), [302, '/login'])
  assert.equal(redirectOf(await call(server, '/perdidos/avisos')), [301, '/perfil/avisos#perdidos'])
  assert.is((await call(server, PATH)).status, 401)
  assert.equal(await post(server, '', { zone: 'Getafe' }), [303, '/login'])
})

alerts('a mail’s link asks first; its button and mail programs end the mails', async ({ server }) => {
  const { id, cookie } = await signIn(server, 'eva@ejemplo.es')
  await call(server, PATH, { method: 'PUT', cookie, json: { zone: 'Getafe', by_mail: true } })
  const token = await issueSecret(server.db, 'lost-mails', { user_id: id }, Date.now())
  const byMail = async () => (await call(server, PATH, { cookie })).body.by_mail
  const link = `/baja?token=${token}`
  assert.is((await call(server, `/perdidos/avisos${link}`)).headers.get('location'), link, 'of mails from before')
  const asked = await call(server, link)
  assert.match(asked.body as string, 'No recibir más emails')
  assert.is(asked.headers.get('referrer-policy'), 'same-origin')
  assert.equal(redirectOf(await call(server, `${PATH}/unsubscribe?token=${token}`)), [303, link])
  assert.is(await byMail(), true)
  const send = (which: string, body: string) =>
    call(server, `${PATH}/unsubscribe?token=${which}`, {
      method: 'POST',
      body,
      headers: { ...FORM, Origin: 'https://correo.example' },
    })
  assert.equal(contentOf(await send(token, 'List-Unsubscribe=One-Click')), [200, { unsubscribed: true }])
  assert.is(await byMail(), false)
  assert.is((await send(token, 'boton=si')).headers.get('location'), link)
  assert.match((await call(server, link)).body as string, 'Hecho')
  assert.equal(detailOf(await send('otro', 'List-Unsubscribe=One-Click')), [404, 'Este enlace no vale.'])
  assert.is((await call(server, '/baja?token=otro')).status, 404)
})

alerts('a lost dog is in the bell within seconds, and leaves it when it is home', async ({ server }) => {
  const { cookie } = await signIn(server, 'noa@ejemplo.es')
  await call(server, PATH, { method: 'PUT', cookie, json: { zone: 'Getafe', radius_km: 2 } })
  const [owner, lost] = await seed(server.db, member(), dog({ name: 'Nube' }))
  const id = await addLostCase(server.db, { dog_id: lost.id, owner_id: owner.id })
  const bell = async () => (await call(server, '/api/notifications', { cookie })).body.notifications
  const until = async (count: number) => {
    for (let waited = 0; waited < 30_000; waited += 250) {
      const lines = await bell()
      if (lines.length === count) return lines
      await new Promise((done) => setTimeout(done, 250))
    }
    throw new Error(`never ${count} lines`)
  }
  const [line] = await until(1)
  assert.equal([line.title, line.topic, line.path], ['Perro perdido cerca', 'lost', lost.path])
  assert.match(line.content, 'Se ha perdido Nube cerca de Getafe, Madrid, a menos de 2 km de tu zona.')
  await server.db.deleteFrom('lost_cases').where('id', '=', id).execute()
  await until(0)
})
