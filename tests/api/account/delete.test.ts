import { existsSync } from 'node:fs'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { accountHelpers } from '#tests/support/account/account-helpers.ts'
import { assert, assertProblem, call, signIn, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const { newMember, who, post, newDog, photoFile } = accountHelpers(server)

const api = suite('api/account/delete')

const WRONG_ALIAS = 'Escribe tu alias tal como aparece en tu perfil.'

api(
  'DELETE with the dogs erases dogs, photos, likes and texts, makes addresses 410 and ends every session',
  async () => {
    const ana = await newMember()
    const luis = await newMember()
    const [toby, lobo] = [await newDog(ana.cookie), await newDog(luis.cookie, 'Lobo')]
    const other = await createSession(server.db, ana.id)
    await call(server, `/api/dogs/${lobo.id}/like`, { method: 'PUT', cookie: ana.cookie })
    await call(server, `/api/dogs/${lobo.id}/comments`, {
      method: 'POST',
      json: { content: 'Hola' },
      cookie: ana.cookie,
    })
    const { status, body, headers } = await call(server, '/api/account', {
      method: 'DELETE',
      cookie: ana.cookie,
      json: { dogs: 'delete', alias: (await who(ana.cookie)).alias, now: true },
    })
    assert.equal([status, body], [204, undefined])
    assert.match(headers.get('set-cookie')!, 'perrario=deleted')
    for (const cookie of [ana.cookie, `perrario=${other.token}`]) assert.is(await who(cookie), null)
    assert.is((await call(server, toby.path)).status, 410)
    assert.is((await call(server, `/api/dogs/${toby.id}`)).status, 404)
    assert.is((await call(server, `/usuario/${ana.id}`)).status, 404)
    for (const { url } of toby.images) assert.not.ok(existsSync(photoFile(url)), url)
    const { likes, comments } = (await call(server, `/api/dogs/${lobo.id}`)).body.dog
    assert.equal([likes, comments], [0, 0])
    for (const { url } of lobo.images) assert.ok(existsSync(photoFile(url)))
  },
)

api('DELETE without the dogs leaves them without an owner, and the address can register again', async () => {
  const { id, email, cookie } = await newMember()
  const luna = await newDog(cookie, 'Luna')
  const remove = (json: unknown) => call(server, '/api/account', { method: 'DELETE', cookie, json })
  for (const json of [{}, { dogs: 'todos' }, { dogs: null }, []])
    assert.is((await remove(json)).status, 422, JSON.stringify(json))
  assertProblem(await remove({}), 422, 'Elige qué hacemos con tus perros.', {
    dogs: 'Elige qué hacemos con tus perros.',
    alias: WRONG_ALIAS,
  })
  assertProblem(await remove({ dogs: 'keep', alias: 'Otra' }), 422, WRONG_ALIAS, { alias: WRONG_ALIAS })
  assertProblem(await remove({ dogs: 'keep' }), 422, WRONG_ALIAS, { alias: WRONG_ALIAS })
  assert.is((await remove({ dogs: 'keep', alias: (await who(cookie)).alias, now: true })).status, 204)
  const { dog } = (await call(server, `/api/dogs/${luna.id}`)).body
  assert.equal([dog.user_id, dog.owner_id, dog.discoverer_id], [null, null, null])
  assert.is((await call(server, luna.path)).status, 200)
  assert.ok(existsSync(photoFile(luna.images[0]!.url)))
  const again = await signIn(server, email)
  assert.is.not(again.id, id)
  assert.is((await who(again.cookie)).email, email)
})

api('the form without script asks for the alias, then redirects home signed out', async () => {
  const { cookie } = await newMember()
  const { alias } = await who(cookie)
  for (const [fields, error] of [
    [{ dogs: 'keep' }, 'alias'],
    [{ dogs: 'keep', alias: 'Otra' }, 'alias'],
    [{ alias }, 'perros'],
  ] as [Record<string, string>, string][]) {
    const { status, headers } = await post('/api/account', cookie, fields)
    assert.equal([status, headers.get('location')], [303, `/perfil/cuenta?error=${error}#eliminar`])
  }
  assert.match((await call(server, '/perfil/cuenta?error=alias', { cookie })).body, WRONG_ALIAS)
  assert.match(
    (await call(server, '/perfil/cuenta?error=perros', { cookie })).body,
    'Elige qué hacemos con tus perros.',
  )
  assert.ok(await who(cookie))
  const { status, headers } = await post('/api/account', cookie, {
    dogs: 'keep',
    alias: alias.toUpperCase(),
    now: 'si',
  })
  assert.equal([status, headers.get('location')], [303, '/'])
  assert.match(headers.get('set-cookie')!, 'perrario=deleted')
  assert.is(await who(cookie), null)
})

api.after(() => server.dispose())
