import { listNotifications, markAllRead } from '#features/notifications/notifications.server.ts'
import { notifyAdmin } from '#features/notifications/notify.server.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { assert, type CurrentUser, type Db, dbSuite, member } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'
const bell = dbSuite('unit/contact/review-bell', { admin: member({ email: ADMIN }) })

const tell = (db: Db, count: number, link = '/admin?tab=denuncias&clase=avistamiento') =>
  db
    .transaction()
    .execute((trx) =>
      notifyAdmin(trx, ADMIN, 'review', { title: 'Por revisar', content: `${count} por revisar.`, link }, count),
    )
const linesOf = async (db: Db, { id }: CurrentUser) =>
  (await listNotifications(db, id)).notifications.map(({ content, created_at }) => [content, created_at])

bell('a flood is one unread line a page, with its number, and one push', async ({ db, admin }) => {
  for (let count = 1; count <= 40; count++) await tell(db, count)
  await tell(db, 1, '/admin?tab=denuncias&clase=encontrado')
  assert.equal(await linesOf(db, admin), [
    ['40 por revisar.', 40],
    ['1 por revisar.', 1],
  ])
  assert.is((await listNotifications(db, admin.id)).unread, 2)
  const events = await eventsAfter(db, 0, 1000)
  assert.is(events.filter(({ user_id }) => user_id === admin.id).length, 2)
})

bell('a line that was read is not rung again: the next is a new one', async ({ db, admin }) => {
  await tell(db, 1)
  await markAllRead(db, admin)
  await tell(db, 2)
  assert.is((await linesOf(db, admin)).length, 2)
})

bell('a site without an admin has no bell for it', async ({ db, admin }) => {
  await db.updateTable('users').set({ email: 'otra@ejemplo.es' }).execute()
  await tell(db, 1)
  assert.equal(await linesOf(db, admin), [])
})
