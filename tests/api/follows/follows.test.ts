import { jpeg } from '#tests/support/dogs/dogs-api.ts'
import { signInMember } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, call, contentOf, detailOf, formOf, redirectOf, serverSuite, signedIn } from '#tests/support/suites.ts'

const follows = serverSuite('api/follows/follows', {}, signedIn('ana', 'luis'))

const postForm = (server: TestServer, path: string, fields: Record<string, string>, cookie?: string) =>
  call(server, path, { method: 'POST', fields, cookie })
const get = async (server: TestServer, path: string, cookie?: string): Promise<string> => {
  const { status, body } = await call(server, path, { cookie })
  assert.is(status, 200, path)
  return body
}
/** The state of the page's button: whether a press follows. */
const buttonOf = (html: string, key: string) =>
  new RegExp(`data-follow="${key}" value="([01])"`).exec(html)?.[1] ?? 'none'

follows('PUT and DELETE follow and stop, however often', async ({ server, ana, luis }) => {
  const path = `/api/follows/member/${luis.id}`
  for (const [method, following] of [
    ['PUT', true],
    ['PUT', true],
    ['DELETE', false],
    ['DELETE', false],
  ] as const) {
    assert.equal(contentOf(await call(server, path, { method, cookie: ana.cookie })), [200, { following }])
  }
})

follows('what cannot be followed is refused by a sentence', async ({ server, ana }) => {
  for (const [path, status, detail] of [
    [`member/${ana.id}`, 422, 'No puedes seguirte a ti.'],
    [`member/${UNKNOWN_ID}`, 404, 'Esa persona ya no está en Perrario.'],
    ['breed/un-gato', 404, 'No conocemos esa raza.'],
    ['zone/99', 404, 'No conocemos esa zona. Elige una provincia.'],
    ['dog/beagle', 404, 'Solo se puede seguir a personas, razas y zonas.'],
  ] as const) {
    const answer = await call(server, `/api/follows/${path}`, { method: 'PUT', cookie: ana.cookie })
    assert.equal(detailOf(answer), [status, detail], path)
  }
  assert.is((await call(server, '/api/follows/breed/beagle', { method: 'PUT' })).status, 401)
})

follows(
  'the button of a breed’s page is each reader’s own, on the page that they share',
  async ({ server, ana, luis }) => {
    const state = async (cookie?: string) => buttonOf(await get(server, '/razas/boxer', cookie), 'breed:boxer')
    for (let i = 0; i < 2; i++)
      assert.equal([await state(), await state(ana.cookie), await state(luis.cookie)], ['1', '1', '1'])
    await call(server, '/api/follows/breed/boxer', { method: 'PUT', cookie: ana.cookie })
    for (let i = 0; i < 2; i++)
      assert.equal([await state(), await state(ana.cookie), await state(luis.cookie)], ['1', '0', '1'])
    const etag = async (cookie: string) => (await call(server, '/razas/boxer', { cookie })).headers.get('etag')
    const before = await etag(ana.cookie)
    await call(server, '/api/follows/breed/boxer', { method: 'DELETE', cookie: ana.cookie })
    assert.is.not(await etag(ana.cookie), before)
    assert.is(await state(ana.cookie), '1')
  },
)

follows('forms do the same without script, and lead back to their page', async ({ server, ana, luis }) => {
  const path = `/api/follows/member/${luis.id}`
  const key = `member:${luis.id}`
  const page = `/usuario/${luis.id}`
  assert.equal(redirectOf(await postForm(server, path, { seguir: '1' }, ana.cookie)), [303, page])
  assert.is(buttonOf(await get(server, page, ana.cookie), key), '0')
  assert.match(await get(server, '/perfil', luis.cookie), 'Te sigue una persona.')
  const list = await get(server, '/perfil/siguiendo', luis.cookie)
  assert.not.match(list, ana.alias + '</a>')
  assert.match(list, 'Te sigue una persona. Solo ves el nombre de quienes también sigues tú.')
  const left = await postForm(server, path, { seguir: '0', desde: 'lista' }, ana.cookie)
  assert.is(left.headers.get('location'), '/perfil/siguiendo')
  assert.is(buttonOf(await get(server, page, ana.cookie), key), '1')
  assert.match(await get(server, '/perfil', luis.cookie), 'Aún no te sigue nadie.')
  assert.not.match(await get(server, '/perfil/siguiendo', luis.cookie), 'Solo ves el nombre')
  const zone = await postForm(server, '/api/follows/zone', { zona: '28' }, ana.cookie)
  assert.is(zone.headers.get('location'), '/perfil/siguiendo')
  assert.is(buttonOf(await get(server, '/perfil/siguiendo', ana.cookie), 'zone:28'), '0')
  await call(server, '/api/follows/zone/28', { method: 'DELETE', cookie: ana.cookie })
})

follows('a refused form leads to its sentence', async ({ server, ana }) => {
  for (const [path, sentence] of [
    [`/api/follows/member/${ana.id}`, 'No puedes seguirte a ti.'],
    [`/api/follows/member/${UNKNOWN_ID}`, 'Esa persona ya no está en Perrario.'],
    ['/api/follows/zone', 'No conocemos esa zona. Elige una provincia.'],
  ] as const) {
    const { status, headers } = await postForm(server, path, { seguir: '1' }, ana.cookie)
    assert.is(status, 303, path)
    assert.match(await get(server, headers.get('location')!, ana.cookie), sentence)
  }
})

follows('an address with a bad cursor leads to the list from its start', async ({ server, ana }) => {
  for (const [path, start] of [
    ['/perfil/siguiendo?cursor=x', '/perfil/siguiendo'],
    ['/perfil/siguiendo?ver=mutuos&cursor=x', '/perfil/siguiendo?ver=mutuos'],
    ['/?tab=following&cursor=x', '/?tab=following'],
  ] as const) {
    assert.equal(redirectOf(await call(server, path, { cookie: ana.cookie })), [302, start], path)
  }
})

follows(
  'a visitor’s press leads to the sign-in, after which the profile follows and leads back',
  async ({ server, luis, ana }) => {
    const page = `/usuario/${luis.id}`
    assert.is(buttonOf(await get(server, page), `member:${luis.id}`), '1')
    const posted = await postForm(server, `/api/follows/member/${luis.id}`, { seguir: '1' })
    assert.equal(redirectOf(posted), [303, '/login'])
    const cookie = posted.headers.getSetCookie()[0]!.split(';')[0]!
    const signedIn = await call(server, '/perfil', { cookie: `${cookie}; ${ana.cookie}` })
    assert.match(signedIn.body, `href="${page}">Volver a ${luis.alias}</a>`)
    assert.is(buttonOf(await get(server, page, ana.cookie), `member:${luis.id}`), '0')
    assert.match(signedIn.headers.getSetCookie().join(), /perrario-entrada=deleted|perrario-entrada=;/)
    assert.is((await call(server, '/perfil', { cookie })).status, 200, 'a visitor stays')
    await call(server, `/api/follows/member/${luis.id}`, { method: 'DELETE', cookie: ana.cookie })
  },
)

follows('«Siguiendo» shows the dogs, and says what to do where there are none', async ({ server, ana, luis }) => {
  assert.match(await get(server, '/?tab=following'), 'Los perros de quien tú sigas')
  assert.match(await get(server, '/?tab=following', ana.cookie), 'Aún no sigues nada')
  await call(server, `/api/follows/member/${luis.id}`, { method: 'PUT', cookie: ana.cookie })
  assert.match(await get(server, '/?tab=following', ana.cookie), 'Todavía no hay perros')
  const form = formOf({ name: 'Rufo', breed: 'Beagle', relationship: 'owner', images: jpeg })
  assert.is((await call(server, '/api/dogs', { method: 'POST', form, cookie: luis.cookie })).status, 201)
  assert.match(await get(server, '/?tab=following', ana.cookie), 'Rufo')
  assert.match(await get(server, '/?tab=following', luis.cookie), 'Aún no sigues nada')
  await call(server, `/api/blocks/${ana.id}`, { method: 'PUT', cookie: luis.cookie })
  assert.match(await get(server, '/?tab=following', ana.cookie), 'Aún no sigues nada')
  assert.is((await call(server, `/api/follows/member/${luis.id}`, { method: 'PUT', cookie: ana.cookie })).status, 403)
})

follows('the switches are saved, and are on for clients that do not know them', async ({ server, ana }) => {
  const old = { likes: true, comments: true, others: false, quiet: null, time_zone: 'Europe/Madrid', digest: true }
  const saved = await call(server, '/api/account/notices', { method: 'PUT', cookie: ana.cookie, json: old })
  assert.equal(saved.body, { ...old, follows: true, follows_digest: true, memories: true })
  await postForm(
    server,
    '/api/account/notices',
    { time_zone: 'Europe/Madrid', has_digest: '1', follows: 'on' },
    ana.cookie,
  )
  const { body } = await call(server, '/api/account/notices', { cookie: ana.cookie })
  assert.equal([body.follows, body.follows_digest], [true, false])
})

follows('a form beyond the limit leads to its sentence', async ({ server }) => {
  const { cookie } = await signInMember(server, 'eva@ejemplo.es')
  for (let i = 0; i < 120; i++) await call(server, '/api/follows/breed/beagle', { method: 'DELETE', cookie })
  const { status, headers } = await postForm(server, '/api/follows/breed/beagle', { seguir: '1' }, cookie)
  assert.equal([status, headers.get('location')], [303, '/perfil/siguiendo?aviso=muchos'])
  assert.match(await get(server, '/perfil/siguiendo?aviso=muchos', cookie), 'Demasiadas peticiones.')
  assert.is((await call(server, '/api/follows/breed/beagle', { method: 'PUT', cookie })).status, 429)
})
