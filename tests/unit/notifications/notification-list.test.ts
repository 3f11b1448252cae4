import { loadActivity } from '#features/account/activity/activity.server.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { badgeText } from '#features/notifications/notifications.ts'
import {
  countUnread,
  listNotifications,
  markAllRead,
  markRead,
  storeNotification,
} from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { freshDb } from '#tests/support/db.ts'
import { bell as listBell, bellTitles } from '#tests/support/notifications/bell.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, assertNone, type Db, dbSuite, onlyOnSqlite, pick, pluck, refusal } from '#tests/support/suites.ts'

const test = dbSuite('unit/notifications/notification-list', {
  ana: member({ alias: 'Ana' }),
  toby: dog({ name: 'Toby' }),
  luis: member({ alias: 'Luis' }),
  eva: member({ alias: 'Eva' }),
})

const lines = async (db: Db, id: string) => pick(await listBell(db, { id }), 'type', 'title', 'content', 'is_read')
const bell = async (db: Db, id: string) =>
  (await eventsAfter(db, 0, 1000)).filter((e) => e.user_id === id).map((e) => JSON.parse(e.data))

test('likes of one dog share one notification, which is updated', async ({ db, ana, toby, luis, eva }) => {
  await like(db, luis, toby.id, 1000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Luis le gusta Toby', false]])
  await like(db, eva, toby.id, 2000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevos likes', 'A Eva y 1 más les gusta Toby', false]])
  assert.is(await countUnread(db, ana.id), 1)
  assert.is((await listNotifications(db, ana.id)).notifications[0]!.path, '/beagle/toby')
  assert.equal(
    (await bell(db, ana.id)).map((e) => [e.unread, e.notification.content]),
    [[1, 'A Eva y 1 más les gusta Toby']],
    'what the line said before is told no more',
  )
})

test('a read notification becomes unread when another member likes the dog', async ({ db, ana, toby, luis, eva }) => {
  await like(db, luis, toby.id)
  await markAllRead(db, ana)
  await like(db, eva, toby.id)
  assert.is(await countUnread(db, ana.id), 1)
})

test('a member who unlikes and likes again notifies nobody a second time', async ({ db, ana, toby, luis, eva }) => {
  await like(db, eva, toby.id, 1000)
  await like(db, luis, toby.id, 2000)
  await markAllRead(db, ana)
  await unlike(db, luis, toby.id)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Eva le gusta Toby', true]])
  await like(db, luis, toby.id, 3000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevos likes', 'A Luis y 1 más les gusta Toby', true]])
})

test('removing the last like deletes its notification', async ({ db, ana, toby, luis }) => {
  await like(db, luis, toby.id)
  await unlike(db, luis, toby.id)
  assert.equal(await lines(db, ana.id), [])
  assert.is((await bell(db, ana.id)).at(-1).unread, 0)
})

test('once read, a notification counts the likers since', async ({ db, ana, toby, luis, eva }) => {
  const [leo, mar] = await seed(db, member({ alias: 'Leo' }), member({ alias: 'Mar' }))
  await like(db, luis, toby.id, 1000)
  await like(db, eva, toby.id, 2000)
  await markAllRead(db, ana)
  await like(db, leo, toby.id, 3000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Leo le gusta Toby', false]])
  await like(db, mar, toby.id, 4000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevos likes', 'A Mar y 1 más les gusta Toby', false]])
  await unlike(db, mar, toby.id)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Leo le gusta Toby', false]])
})

test('an unlike leaves nothing in the bell, the counter or the stream', async ({ db, ana, toby, luis, eva }) => {
  await like(db, luis, toby.id, 1000)
  await markAllRead(db, ana)
  await like(db, eva, toby.id, 2000)
  assert.is(await countUnread(db, ana.id), 1)
  await unlike(db, eva, toby.id, 3000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Luis le gusta Toby', true]])
  assert.is(await countUnread(db, ana.id), 0)
  assert.equal(pluck((await loadActivity(db, ana.id, 3000)).likes, 'alias'), ['Luis'])
  const told = await eventsAfter(db, 0, 1000)
  assertNone(told, ({ data }) => data.includes('Eva') || (data.includes(eva.id) && data.includes('"liked":true')))
  assert.is((await bell(db, ana.id)).at(-1).unread, 0)
  await like(db, eva, toby.id, 4000)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Eva le gusta Toby', false]])
})

test('nobody is notified of their own actions', async ({ db, ana, toby, luis }) => {
  await like(db, ana, toby.id)
  await addComment(db, ana, toby.id, 'Mi perro')
  assert.equal(await lines(db, ana.id), [])
  await like(db, luis, toby.id)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Luis le gusta Toby', false]])
})

test('owner and discoverer are both notified of a comment, with its first words', async ({ db, ana, luis, eva }) => {
  const [luna] = await seed(db, dog({ name: 'Luna', owner_id: ana.id, discoverer_id: luis.id }))
  await addComment(db, eva, luna.id, `¡Qué  guapa!\n${'😀'.repeat(100)}`)
  for (const { id } of [ana, luis])
    assert.equal(await lines(db, id), [
      ['comment', 'Nuevo comentario', `Eva ha comentado en Luna: «¡Qué guapa! ${'😀'.repeat(68)}…»`, false],
    ])
})

test('what one member writes about one dog is one notification, pushed once until it is read', async (t) => {
  const { db, ana, toby, luis, eva } = t
  const ids: string[] = []
  for (let n = 1; n <= 40; n++) ids.push((await addComment(db, luis, toby.id, `Número ${n}`, n)).id)
  await addComment(db, eva, toby.id, 'Y yo', 50)
  const first = ['comment', 'Nuevo comentario', 'Eva ha comentado en Toby: «Y yo»', false]
  const line = (content: string) => ['comment', 'Nuevo comentario', `Luis ha comentado en Toby: ${content}`, false]
  assert.equal(await lines(db, ana.id), [first, line('«Número 40» (40 veces)')])
  assert.is(await countUnread(db, ana.id), 2)
  await deleteComment(db, luis, ids.pop()!)
  assert.equal(await lines(db, ana.id), [first, line('«Número 39» (39 veces)')], 'it quotes the one before')
  await markAllRead(db, ana)
  await addComment(db, luis, toby.id, 'De nuevo', 60)
  assert.equal((await lines(db, ana.id))[0], line('«De nuevo»'), 'once read, it counts anew')
})

test('forty requests of one member about one dog are one line, whatever their kind', async (t) => {
  const { db, ana, toby, luis } = t
  const fields = { userId: ana.id, type: 'other', title: 'Petición', dogId: toby.id, actorId: luis.id } as const
  for (let n = 1; n <= 40; n++) await storeNotification(db, { ...fields, content: `Número ${n}.` }, n)
  assert.equal(await lines(db, ana.id), [['other', 'Petición', 'Número 40. (40 veces)', false]])
})

test('no other line takes the place of a new device or a lost dog, for a week', async ({ db, ana }) => {
  const now = Date.now()
  const other = (title: string, at: number, isUrgent = false) =>
    storeNotification(db, { userId: ana.id, title, content: 'Hola', isUrgent }, at)
  await other('Hace mucho', now - 8 * DAY_MS, true)
  const device = await other('Dispositivo nuevo', now - DAY_MS, true)
  for (let n = 0; n < 60; n++) await other(`Aviso ${n}`, now - n)
  const titles = () => bellTitles(db, ana)
  assert.equal([(await titles())[0], (await titles()).length], ['Dispositivo nuevo', 50])
  assert.not.ok((await titles()).includes('Hace mucho'))
  await markRead(db, ana, device)
  assert.is((await titles())[0], 'Aviso 0')
})

test('a dog without a name is «el perro sin nombre», and one without members notifies nobody', async (t) => {
  const { db, ana, luis } = t
  const [nameless, stray] = await seed(db, dog({ name: '???', owner_id: ana.id }), dog({ owner_id: null }))
  await like(db, luis, nameless.id)
  await like(db, luis, stray.id)
  assert.equal(await lines(db, ana.id), [['like', 'Nuevo like', 'A Luis le gusta el perro sin nombre', false]])
})

test('notifications are marked as read singly or all, and only one’s own', async ({ db, ana, luis }) => {
  for (const n of [1, 2, 3]) await storeNotification(db, { userId: ana.id, title: `Aviso ${n}`, content: 'Hola' }, n)
  const { notifications: shown, unread } = await listNotifications(db, ana.id)
  assert.equal([shown.map((line) => line.title), unread], [['Aviso 3', 'Aviso 2', 'Aviso 1'], 3])
  const readUnread = async () => (await bell(db, ana.id)).at(-1)!.unread
  assert.is(await readUnread(), 3)
  const id = shown[0]!.id
  assert.equal([await markRead(db, ana, id), await readUnread()], [{ unread: 2 }, 2])
  assert.equal(await markRead(db, ana, id), { unread: 2 })
  assert.equal(await refusal(markRead(db, luis, id)), [403, 'Esta notificación no es tuya.'])
  assert.equal(await refusal(markRead(db, null, id)), [401, 'Inicia sesión para continuar.'])
  assert.equal(await refusal(markRead(db, ana, 'x')), [404, 'Esta notificación ya no existe.'])
  assert.equal(await markAllRead(db, ana), { unread: 0 })
  assert.equal(await markAllRead(db, ana), { unread: 0 })
  assert.equal([(await bell(db, ana.id)).length, await readUnread()], [5, 0])
})

test('the bell has the newest fifty', async ({ db, ana }) => {
  for (let n = 1; n <= 60; n++) await storeNotification(db, { userId: ana.id, title: `Aviso ${n}`, content: 'Hola' }, n)
  const { notifications: shown, unread } = await listNotifications(db, ana.id)
  assert.equal([shown.length, shown[0]!.title, shown.at(-1)!.title, unread], [50, 'Aviso 60', 'Aviso 11', 60])
})

test('the badge is capped, never below 0', () => {
  assert.equal([-3, 0, 1, 99, 100, 5000].map(badgeText), ['0', '0', '1', '99', '99+', '99+'])
})

onlyOnSqlite(test)('no query of a like or of the bell scans a table', async ({ db, ana, toby, luis }) => {
  const plans = await explainQueries(db, async (listening) => {
    await like(listening, luis, toby.id)
    await unlike(listening, luis, toby.id)
    await addComment(listening, luis, toby.id, 'Hola')
    await listNotifications(listening, ana.id)
    await markAllRead(listening, ana)
  })
  assert.ok(plans.length > 15)
  assert.equal(findSlowSteps(plans), [])
})

test('a rename leaves notifications of members whose alias has the same beginning', async () => {
  for (const other of ['Luis Uno', 'Luis y Eva', 'Luis le gusta', 'Luisa']) {
    const db = freshDb()
    const [ana, toby, luis, like1, like2] = await seed(
      db,
      member({ alias: 'Ana' }),
      dog({ name: 'Toby' }),
      member({ alias: 'Luis' }),
      member({ alias: other }),
      member({ alias: 'Eva' }),
    )
    await like(db, luis, toby.id, 1000)
    await like(db, like1, toby.id, 2000)
    await updateProfile(db, luis, { alias: 'Malo', emoji: '🐶' })
    assert.is((await lines(db, ana.id))[0]![2], `A ${other} y 1 más les gusta Toby`)
    await unlike(db, like1, toby.id)
    await like(db, like2, toby.id, 3000)
    await like(db, luis, toby.id, 4000)
    await updateProfile(db, like2, { alias: 'Eva Dos', emoji: '🐶' })
    assert.match(String((await lines(db, ana.id))[0]![2]), /^A (Luis|Malo|Eva Dos) y 1 más les gusta Toby$/)
  }
})
