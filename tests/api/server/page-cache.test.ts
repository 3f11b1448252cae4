import { photo } from '#tests/support/photos/sample-photos.ts'
import { accountDeletionBody } from '#tests/support/seed.ts'
import {
  addDog,
  ADMIN,
  fetchPage,
  fetchRaw,
  fetchRendered,
  pageCacheSuite,
  type World,
} from '#tests/support/page-cache-suite.ts'
import { assert, call, formOf, signInMember } from '#tests/support/suites.ts'

const cache = pageCacheSuite('api/server/page-cache')

/** Every kind of page, in the states that writes change. */
const pagesOf = ({ ana, dog }: World) => [
  '/',
  '/perros',
  '/perros?sort=votes-desc',
  '/perros?breed=beagle',
  '/perros?breed=galgo-espanol',
  '/perros?view=map',
  '/?tab=mine',
  '/razas',
  '/razas?vista=lista',
  '/razas/imprimir',
  '/razas/beagle',
  '/razas/galgo-espanol',
  '/comunidad',
  '/insignias',
  dog.path,
  `/perro/${dog.id}`,
  `/perro/${dog.id}/cartel`,
  '/beagle/no-hay-tal',
  '/perro/3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b12',
  `/usuario/${ana.id}`,
  `/usuario/${ana.id}?tab=likes`,
  `/usuario/${ana.id}?tab=razas`,
]

cache('after every kind of write each page is what Astro would render now', async (t) => {
  const { server, ana, dog } = t
  const bea = await signInMember(server, 'bea@ejemplo.es')
  let luna: World['dog'] | undefined
  const patch = (json: object) => call(server, `/api/dogs/${dog.id}`, { method: 'PATCH', cookie: ana.cookie, json })
  let comment = ''
  const admin = await signInMember(server, ADMIN)
  let thing = ''
  const accuse = (kind: string, id: string) => {
    thing = id
    return call(server, '/api/reports', { method: 'POST', cookie: ana.cookie, json: { kind, id, reason: 'spam' } })
  }
  const decide = async (deed: string) => {
    const { id, version } = await server.db
      .selectFrom('cases')
      .select(['id', 'edited_at as version'])
      .where('thing_id', '=', thing)
      .executeTakeFirstOrThrow()
    const json = { deed, reason: 'Un motivo.', version }
    const { status } = await call(server, `/api/admin/cases/${id}`, { method: 'POST', cookie: admin.cookie, json })
    assert.is(status, 200)
  }
  const writes: [string, () => Promise<unknown>][] = [
    ['a first look', async () => {}],
    ['a like', () => call(server, `/api/dogs/${dog.id}/like`, { method: 'PUT', cookie: ana.cookie })],
    ['somebody else’s like', () => call(server, `/api/dogs/${dog.id}/like`, { method: 'PUT', cookie: bea.cookie })],
    ['a like taken back', () => call(server, `/api/dogs/${dog.id}/like`, { method: 'DELETE', cookie: ana.cookie })],
    [
      'a comment',
      async () => {
        const json = { content: '¡Qué orejas!' }
        const { body } = await call(server, `/api/dogs/${dog.id}/comments`, {
          method: 'POST',
          cookie: bea.cookie,
          json,
        })
        comment = body.comment.id
      },
    ],
    [
      'another alias',
      () =>
        call(server, '/api/profile', { method: 'PATCH', cookie: bea.cookie, json: { alias: 'Beatriz', emoji: '🐩' } }),
    ],
    ['a comment taken back', () => call(server, `/api/comments/${comment}`, { method: 'DELETE', cookie: bea.cookie })],
    ['another description', () => patch({ description: 'Duerme mucho.' })],
    ['another weight', () => patch({ weight: 12 })],
    [
      'a second dog',
      async () => void (luna = await addDog(server, bea.cookie, { name: 'Luna', breed: 'Galgo español' })),
    ],
    ['a report of a dog', () => accuse('dog', luna!.id)],
    ['a hidden dog', () => decide('hide')],
    ['a dog let out again', () => decide('restore')],
    ['a report of a profile', () => accuse('profile', bea.id)],
    ['a hidden profile', () => decide('hide')],
    ['a profile let out again', () => decide('restore')],
    ['another breed', () => patch({ breed: 'Galgo español' })],
    [
      'another photo',
      async () =>
        call(server, `/api/dogs/${dog.id}/images`, {
          method: 'PUT',
          cookie: ana.cookie,
          form: formOf({ images: new Blob([await photo()]) }),
        }),
    ],
    ['a new name', () => patch({ name: 'Tobías' })],
    ['a dog that goes', () => call(server, `/api/dogs/${luna!.id}`, { method: 'DELETE', cookie: bea.cookie })],
    [
      'an account that goes',
      async () => {
        const json = await accountDeletionBody(server, bea.cookie, 'keep')
        assert.is((await call(server, '/api/account', { method: 'DELETE', cookie: bea.cookie, json })).status, 204)
      },
    ],
  ]
  const stale: string[] = []
  for (const [what, write] of writes) {
    await write()
    for (const path of [...pagesOf(t), ...(luna ? [luna.path] : [])]) {
      const [kept, now] = [await fetchPage(server, path), await fetchRendered(server, path)]
      if (kept.body !== now) stale.push(`${path} after ${what}`)
    }
  }
  assert.equal(stale, [])
  dog.path = (await call(server, `/api/dogs/${dog.id}`)).body.dog.path
})

cache('no member’s data is in a visitor’s page, nor the reverse', async ({ server, ana, dog }) => {
  for (const path of ['/', '/perros', '/razas', '/comunidad', dog.path, `/usuario/${ana.id}`]) {
    const member = await call(server, path, { cookie: ana.cookie })
    assert.match(member.body, `data-member="${ana.id}"`, path)
    assert.is(member.headers.get('cache-control'), 'private, no-cache')
    assert.is(member.headers.get('perrario-session'), 'member')
    const visitor = await fetchPage(server, path)
    assert.match(visitor.body, /<body data-member>/, path)
    assert.not.match(visitor.body, ana.email)
    const etag = member.headers.get('etag') ?? 'W/"none"'
    assert.is.not(visitor.headers.get('etag'), etag)
    assert.is((await fetchPage(server, path, { 'If-None-Match': etag })).status, 200)
    assert.equal([visitor.headers.get('cache-control'), visitor.headers.get('perrario-session')], ['no-cache', 'none'])
    assert.is(visitor.headers.get('set-cookie'), null)
    assert.match((await call(server, path, { cookie: ana.cookie })).body, `data-member="${ana.id}"`, path)
  }
})

cache('an unknown address is a cached 404 until a dog gets it', async ({ server, ana }) => {
  const path = '/galgo-espanol/estrella'
  for (let n = 0; n < 2; n++) assert.is((await fetchPage(server, path)).status, 404)
  const estrella = await addDog(server, ana.cookie, { name: 'Estrella', breed: 'Galgo español' })
  assert.is(estrella.path, path)
  const { status, body } = await fetchPage(server, path)
  assert.is(status, 200)
  assert.match(body, 'Estrella')
  const { status: moved, headers } = await fetchPage(server, `${path}-1`)
  assert.equal([moved, headers.get('location')], [301, path])
  await call(server, `/api/dogs/${estrella.id}`, { method: 'DELETE', cookie: ana.cookie })
  assert.is((await fetchPage(server, path)).status, 410)
})

cache('Host, forwarded headers and unknown query parameters are in no cached page', async ({ server, dog }) => {
  const plain = (await fetchPage(server, dog.path)).body
  const games = {
    Host: 'malo.example',
    'X-Forwarded-Host': 'malo.example',
    'X-Forwarded-Proto': 'ftp',
    'X-Original-URL': '/x',
  }
  for (const path of [`${dog.path}?malo=<script>malo</script>&x=malo.example`, dog.path]) {
    assert.not.match(await fetchRaw(server, path, games), 'malo')
  }
  assert.is((await fetchPage(server, dog.path)).body, plain)
  await call(server, `/api/dogs/${dog.id}`, { method: 'GET' })
  // Nor does the first request of a page that is not cached yet.
  assert.not.match(await fetchRaw(server, '/razas/lebrel-afgano?malo=1', games), 'malo')
  assert.not.match((await fetchPage(server, '/razas/lebrel-afgano')).body, 'malo')
})
