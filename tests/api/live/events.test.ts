import { openEventStream } from '#tests/support/live/event-stream.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, call, detailOf, dog, seed, serverSuite, signInMember, type TestServer } from '#tests/support/suites.ts'

const events = serverSuite('api/live/events')

const dogOf = async (server: TestServer, owner_id: string) =>
  (await seed(server.db, dog({ name: 'Toby', owner_id })))[0]
/** The third one has Toby. */
async function threeOf(server: TestServer, ...names: [string, string, string]) {
  const sign = (n: 0 | 1 | 2) => signInMember(server, `${names[n]}@ejemplo.es`)
  const [ana, luis, eva] = [await sign(0), await sign(1), await sign(2)]
  return { ana, luis, eva, toby: await dogOf(server, eva.id) }
}

events('a like reaches every stream, its notification the dog’s owner alone', async ({ server }) => {
  const [ana, luis] = [await signInMember(server, 'ana@ejemplo.es'), await signInMember(server, 'luis@ejemplo.es')]
  const toby = await dogOf(server, ana.id)
  const url = `${server.url}/api/events`
  const [hers, nobodys] = [await openEventStream(url, { Cookie: ana.cookie }), await openEventStream(url)]
  await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie: luis.cookie })
  await hers.until((told) => told.length === 2)
  await nobodys.until((told) => told.length === 1)
  const { data } = nobodys.told[0]!
  assert.equal([data.dog_id, data.user_id, data.liked, data.likes, data.owner_id], [toby.id, luis.id, true, 1, ana.id])
  const bell = hers.told.find((event) => event.type === 'notification')!.data
  assert.equal([bell.unread, bell.notification.content], [1, `A ${luis.alias} le gusta Toby`])
  hers.close()
  nobodys.close()
})

events('events of a blocked member do not reach the blocker, nor the reverse', async ({ server }) => {
  const { ana, luis, eva, toby } = await threeOf(server, 'ana', 'luis', 'quien-lee')
  await call(server, `/api/blocks/${luis.id}`, { method: 'PUT', cookie: ana.cookie })
  const url = `${server.url}/api/events`
  const hers = await openEventStream(url, { Cookie: ana.cookie })
  const his = await openEventStream(url, { Cookie: luis.cookie })
  const evas = await openEventStream(url, { Cookie: eva.cookie })
  const say = (who: { cookie: string }, content: string) =>
    call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: who.cookie, json: { content } })
  await say(luis, 'De Luis')
  await say(ana, 'De Ana')
  await say(eva, 'De Eva')
  const words = ({ told }: typeof hers) => told.flatMap(({ data }) => data.comment?.content ?? [])
  for (const stream of [hers, his, evas]) await stream.until(() => words(stream).includes('De Eva'))
  assert.equal(
    [words(hers), words(his), words(evas)],
    [
      ['De Ana', 'De Eva'],
      ['De Luis', 'De Eva'],
      ['De Luis', 'De Ana', 'De Eva'],
    ],
  )
  for (const stream of [hers, his, evas]) stream.close()
  await call(server, `/api/blocks/${luis.id}`, { method: 'DELETE', cookie: ana.cookie })
})

events('a block holds for both members’ open streams at once', async ({ server }) => {
  const { ana, luis, eva, toby } = await threeOf(server, 'abierta', 'abierto', 'tercera')
  const url = `${server.url}/api/events`
  const hers = await openEventStream(url, { Cookie: ana.cookie })
  const his = await openEventStream(url, { Cookie: luis.cookie })
  const say = (who: { cookie: string }, content: string) =>
    call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: who.cookie, json: { content } })
  await call(server, `/api/blocks/${luis.id}`, { method: 'PUT', cookie: ana.cookie })
  await say(luis, 'De Luis')
  await say(ana, 'De Ana')
  await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie: luis.cookie })
  await say(eva, 'De Eva')
  const words = ({ told }: typeof hers) => told.flatMap(({ data }) => data.comment?.content ?? [])
  for (const stream of [hers, his]) await stream.until(() => words(stream).includes('De Eva'))
  assert.equal(
    [words(hers), words(his)],
    [
      ['De Ana', 'De Eva'],
      ['De Luis', 'De Eva'],
    ],
  )
  assert.not(hers.told.some(({ type, data }) => type === 'like' && data.user_id === luis.id))
  hers.close()
  his.close()
})

events('an unlike names its member to nobody else, live and in the history', async ({ server }) => {
  const [ana, luis] = [await signInMember(server, 'ana@ejemplo.es'), await signInMember(server, 'luis@ejemplo.es')]
  const toby = await dogOf(server, ana.id)
  const open = (headers: Record<string, string>) =>
    Promise.all(
      [headers, { ...headers, Cookie: luis.cookie }].map((all) => openEventStream(`${server.url}/api/events`, all)),
    )
  const live = await open({})
  const start = live[0]!.lastId()
  const path = `/api/dogs/${toby.id}/like`
  await call(server, path, { method: 'PUT', cookie: luis.cookie })
  for (const stream of live) await stream.until((told) => told.length > 0)
  await call(server, path, { method: 'DELETE', cookie: luis.cookie })
  await call(server, path, { method: 'PUT', cookie: ana.cookie })
  const replayed = await open({ 'Last-Event-ID': String(start) })
  const likes = ({ told }: (typeof live)[0]) =>
    told
      .filter(({ type, data }) => type === 'like' && data.dog_id === toby.id)
      .map(({ data }) => [data.user_id, data.liked, data.likes])
  const [given, last] = [
    [luis.id, true, 1],
    [ana.id, true, 1],
  ]
  const [anyones, own] = [
    ['', false, 0],
    [luis.id, false, 0],
  ]
  // The history has forgotten the like itself.
  for (const [[nobodys, luiss], before] of [
    [live, [given]],
    [replayed, []],
  ] as const) {
    for (const stream of [nobodys!, luiss!]) await stream.until(() => likes(stream).at(-1)?.[0] === ana.id)
    assert.equal(likes(nobodys!), [...before, anyones, last])
    assert.equal(likes(luiss!), [...before, anyones, own, last])
  }
  for (const stream of [...live, ...replayed]) stream.close()
})

events('a like of a blocked member reaches neither the blocker nor the reverse', async ({ server }) => {
  const { ana, luis, eva, toby } = await threeOf(server, 'ana', 'luis', 'quien-lee')
  await call(server, `/api/blocks/${luis.id}`, { method: 'PUT', cookie: ana.cookie })
  const url = `${server.url}/api/events`
  const live = [await openEventStream(url, { Cookie: ana.cookie }), await openEventStream(url, { Cookie: luis.cookie })]
  const start = String(live[0]!.lastId())
  for (const { cookie } of [luis, ana, eva]) await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie })
  const replayed = [
    await openEventStream(url, { Cookie: ana.cookie, 'Last-Event-ID': start }),
    await openEventStream(url, { Cookie: luis.cookie, 'Last-Event-ID': start }),
  ]
  const likers = ({ told }: (typeof live)[0]) =>
    told.filter(({ type, data }) => type === 'like' && data.dog_id === toby.id).map(({ data }) => data.user_id)
  for (const [anas, luiss] of [live, replayed]) {
    for (const stream of [anas!, luiss!]) await stream.until(() => likers(stream).includes(eva.id))
    assert.equal(likers(anas!), [ana.id, eva.id])
    assert.equal(likers(luiss!), [luis.id, eva.id])
  }
  for (const stream of [...live, ...replayed]) stream.close()
  await call(server, `/api/blocks/${luis.id}`, { method: 'DELETE', cookie: ana.cookie })
})

events('adding, changing, commenting on and deleting a dog publish events', async ({ server }) => {
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const toby = await dogOf(server, ana.id)
  const reader = await openEventStream(`${server.url}/api/events`)
  const said = await call(server, `/api/dogs/${toby.id}/comments`, {
    method: 'POST',
    cookie: ana.cookie,
    json: { content: 'Hola' },
  })
  // A dog deleted before its event was published has no event.
  await reader.until((told) => told.length === 1)
  await call(server, `/api/comments/${said.body.comment.id}`, { method: 'DELETE', cookie: ana.cookie })
  await call(server, `/api/dogs/${toby.id}`, { method: 'PATCH', cookie: ana.cookie, json: { name: 'Tobías' } })
  await reader.until((told) => told.length === 3)
  await call(server, `/api/dogs/${toby.id}`, { method: 'DELETE', cookie: ana.cookie })
  await reader.until((told) => told.length === 4)
  assert.equal(
    reader.told.map(({ type, data }) => [type, data.action, data.comments ?? data.name]),
    [
      ['comment', 'added', 1],
      ['comment', 'removed', 0],
      ['dog', 'changed', 'Tobías'],
      ['dog', 'removed', undefined],
    ],
  )
  assert.equal(reader.told[0]!.data.comment, said.body.comment)
  reader.close()
})

events('no event is lost over a restart of the server', async ({ server }) => {
  const [ana, luis] = [await signInMember(server, 'ana@ejemplo.es'), await signInMember(server, 'luis@ejemplo.es')]
  const eva = await signInMember(server, 'eva-vuelve@ejemplo.es')
  const toby = await dogOf(server, ana.id)
  const url = `${server.url}/api/events`
  const reader = await openEventStream(url, { Cookie: ana.cookie })
  const seen = reader.lastId()
  const ended = reader.ended
  const stopping = server.restart()
  await ended
  await stopping
  await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie: luis.cookie })
  await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie: eva.cookie })
  const again = await openEventStream(url, { Cookie: ana.cookie, 'Last-Event-ID': String(seen) })
  // Her notification of both likes, with its present text.
  await again.until((told) => told.length === 3)
  assert.equal(
    again.told.flatMap(({ data }) => data.notification?.content ?? []),
    [`A ${eva.alias} y 1 más les gusta Toby`],
  )
  assert.equal(
    again.told.filter((event) => event.type === 'like').map((event) => event.data.user_id),
    [luis.id, eva.id],
  )
  again.close()
})

events('the bell over HTTP lists, marks one or all as read, and requires its member', async ({ server }) => {
  const [ana, luis] = [await signInMember(server, 'eva@ejemplo.es'), await signInMember(server, 'luis@ejemplo.es')]
  for (let n = 0; n < 2; n++) {
    await call(server, `/api/dogs/${(await dogOf(server, ana.id)).id}/like`, { method: 'PUT', cookie: luis.cookie })
  }
  const list = await call(server, '/api/notifications', { cookie: ana.cookie })
  assert.equal([list.status, list.body.unread, list.body.notifications.length], [200, 2, 2])
  const [first] = list.body.notifications
  assert.equal(Object.keys(first).sort(), [
    'content',
    'created_at',
    'dog_id',
    'id',
    'is_read',
    'path',
    'photo',
    'title',
    'type',
    'user_id',
  ])
  const path = `/api/notifications/${first.id}`
  const patch = (cookie?: string, json?: unknown) => call(server, path, { method: 'PATCH', cookie, json })
  assert.is((await call(server, '/api/notifications')).status, 401)
  assert.is((await patch()).status, 401)
  assert.is((await patch(luis.cookie)).status, 403)
  const wrong = await patch(ana.cookie, { is_read: false })
  assert.equal(detailOf(wrong), [422, 'Una notificación solo se puede marcar como leída.'])
  assert.equal((await patch(ana.cookie, { is_read: true })).body, { unread: 1 })
  assert.equal((await patch(ana.cookie)).body, { unread: 1 })
  const unknown = `/api/notifications/${UNKNOWN_ID}`
  assert.is((await call(server, unknown, { method: 'PATCH', cookie: ana.cookie })).status, 404)
  const all = '/api/notifications/read-all'
  assert.is((await call(server, all, { method: 'POST' })).status, 401)
  assert.equal((await call(server, all, { method: 'POST', cookie: ana.cookie })).body, { unread: 0 })
  const foreign = { method: 'POST', cookie: ana.cookie, headers: { Origin: 'https://otro.example' } }
  assert.is((await call(server, all, foreign)).status, 403)
})
