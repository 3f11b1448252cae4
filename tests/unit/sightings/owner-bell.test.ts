import { listNotifications, markAllRead } from '#features/notifications/notifications.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, dbSuite, dog, member, seed, type WorldOf } from '#tests/support/suites.ts'

const bell = dbSuite('unit/sightings/owner-bell', {}, async ({ db }) => {
  const now = Date.now()
  const [ana, toby, luna] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), dog({ name: 'Luna' }))
  const ids: [toby: string, luna: string] = [toby.id, luna.id]
  for (const dogId of ids) await addLostCase(db, { dogId, ownerId: ana.id, since: now - 20 * HOUR_MS })
  return { now, ana, ids }
})
type World = WorldOf<typeof bell>

const see = (t: World, dogId: string) => {
  const input = { at: t.now, point: null, zone: 'Getafe, Madrid', words: '' }
  return addSighting(t.db, { dogId, input, photo: null, userId: null, network: '192.0.2.7' }, ++t.now)
}
const lines = async ({ db, ana }: World) =>
  (await listNotifications(db, ana.id)).notifications.map(({ title, content }) => [title, content])

bell(
  'several sightings of a dog are one unread line, which counts them; those of another dog are another',
  async (t) => {
    const [toby, luna] = t.ids
    await see(t, toby)
    assert.equal(await lines(t), [['Un avistamiento', 'Toby: alguien cuenta un avistamiento. Mira dónde y cuándo.']])
    await see(t, toby)
    await see(t, luna)
    await see(t, toby)
    assert.equal(await lines(t), [
      ['Otro avistamiento', 'Toby: ya hay 3 avistamientos. Mira dónde y cuándo.'],
      ['Un avistamiento', 'Luna: alguien cuenta un avistamiento. Mira dónde y cuándo.'],
    ])
    assert.is((await listNotifications(t.db, t.ana.id)).unread, 2)
  },
)

bell('one that comes after the line was read is a line of its own', async (t) => {
  await see(t, t.ids[0])
  await markAllRead(t.db, t.ana)
  await see(t, t.ids[0])
  assert.equal(await lines(t), [
    ['Otro avistamiento', 'Toby: ya hay 2 avistamientos. Mira dónde y cuándo.'],
    ['Un avistamiento', 'Toby: alguien cuenta un avistamiento. Mira dónde y cuándo.'],
  ])
})

bell('each is pushed', async (t) => {
  await createSession(t.db, t.ana.id)
  const { id: session_id } = await t.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
  await t.db
    .insertInto('push_subscriptions')
    .values({ id: 'p', user_id: t.ana.id, session_id, endpoint: 'https://x', p256dh: 'x', auth: 'x', created_at: 1 })
    .execute()
  await see(t, t.ids[0])
  await t.db.deleteFrom('push_queue').execute()
  await see(t, t.ids[0])
  assert.is((await t.db.selectFrom('push_queue').select('notification_id').execute()).length, 1)
})
