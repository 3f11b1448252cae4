import { setTimeout as wait } from 'node:timers/promises'
import { transact } from '#db/transact.ts'
import { saveSettings } from '#features/notifications/push/settings.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { hideProfile } from '#features/profiles/hidden-profiles.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { followAlerts, queueAlerts } from '#features/follows/alerts.server.ts'
import { findFollowNews } from '#features/follows/digest-news.server.ts'
import { follow } from '#features/follows/follows.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { digests } from '#features/notifications/digest/digest.server.ts'
import { dequeue, enqueue } from '#features/outbox/jobs.server.ts'
import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { listNotifications, markAllRead } from '#features/notifications/notifications.server.ts'
import { countJobs, mailDue } from '#tests/support/jobs.ts'
import { assert, type Db, dbSuite, dog, member, seed, type WorldOf } from '#tests/support/suites.ts'

const alerts = dbSuite('unit/follows/alerts', { ana: member(), luis: member() })
type World = WorldOf<typeof alerts>

const tell = (db: Db, now = Date.now()) => runDueJobs(db, [followAlerts], { now })
/** Adds a dog as `addDog` does, and tells its followers. */
async function addAndTell({ db }: World, fields: Parameters<typeof dog>[0], now = Date.now()) {
  const [added] = await seed(db, dog({ created_at: now, ...fields }))
  await queueAlerts(db, added.id, now)
  await tell(db, now)
  return added
}
const bellOf = async (db: Db, userId: string) =>
  (await listNotifications(db, userId)).notifications.map(({ content, path, is_read }) => ({ content, path, is_read }))
const UNREAD = { content: 'Hay perros nuevos de lo que sigues.', path: '/?tab=following', is_read: false }

for (const [what, target, fields] of [
  ['a breed', { kind: 'breed', id: 'boxer' }, { breed: 'Bóxer' }],
  ['a zone', { kind: 'zone', id: '28' }, { zone: 'Madrid' }],
] as const)
  alerts(`who follows ${what} is told once until it is read, by no push`, async (t) => {
    const { db, ana, luis } = t
    await follow(db, ana, target)
    for (let i = 0; i < 3; i++) await addAndTell(t, { ...fields, owner_id: luis.id }, Date.now() + i)
    assert.equal(await bellOf(db, ana.id), [UNREAD])
    assert.equal(await db.selectFrom('push_queue').selectAll().execute(), [])
    assert.is(await countJobs(db, followAlerts.name), 0)
    await markAllRead(db, ana)
    await addAndTell(t, { ...fields, owner_id: luis.id }, Date.now() + 9)
    assert.equal(await bellOf(db, ana.id), [UNREAD, { ...UNREAD, is_read: true }])
    assert.equal(await bellOf(db, luis.id), [])
  })

alerts('a dog with many sources tells its follower once, also if they read in between', async (t) => {
  const { db, ana, luis } = t
  await follow(db, ana, { kind: 'member', id: luis.id })
  await follow(db, ana, { kind: 'breed', id: 'boxer' })
  const [added] = await seed(db, dog({ breed: 'Bóxer', owner_id: luis.id }))
  await queueAlerts(db, added.id, 1000)
  await dequeue(db, followAlerts.name, `${added.id} breed boxer`)
  await tell(db, 1000)
  await markAllRead(db, ana)
  await enqueue(db, followAlerts.name, [{ key: `${added.id} breed boxer` }], 1000)
  await tell(db, 1001)
  assert.equal(await bellOf(db, ana.id), [{ ...UNREAD, is_read: true }])
})

alerts('nobody is told of their own dogs, nor of those of members they blocked', async (t) => {
  const { db, ana, luis } = t
  const [eva] = await seed(db, member())
  for (const user of [ana, luis, eva]) await follow(db, user, { kind: 'breed', id: 'boxer' })
  await addBlock(db, eva, luis.id)
  await addAndTell(t, { breed: 'Bóxer', owner_id: luis.id, discoverer_id: ana.id })
  for (const { id } of [ana, luis, eva]) assert.equal(await bellOf(db, id), [])
})

alerts('a dog that is hidden meanwhile, or waited a day, tells nobody', async (t) => {
  const { db, ana, luis } = t
  await follow(db, ana, { kind: 'member', id: luis.id })
  const [hidden, late] = await seed(db, dog({ owner_id: luis.id }), dog({ owner_id: luis.id }))
  await queueAlerts(db, hidden.id)
  await db.transaction().execute((trx) => hideDog(trx, hidden.id, 'admin'))
  await queueAlerts(db, late.id, Date.now() - 25 * 3_600_000)
  await tell(db)
  assert.equal([await bellOf(db, ana.id), await countJobs(db, followAlerts.name)], [[], 0])
})

alerts('who switched it off, or is out of sight, is not told', async (t) => {
  const { db, ana, luis } = t
  const [eva] = await seed(db, member())
  for (const user of [ana, eva]) await follow(db, user, { kind: 'member', id: luis.id })
  await saveSettings(db, ana, { ...DEFAULT_SETTINGS, follows: false })
  await db.transaction().execute((trx) => hideProfile(trx, eva.id, 'deletion'))
  await addAndTell(t, { owner_id: luis.id })
  for (const { id } of [ana, eva]) assert.equal(await bellOf(db, id), [])
})

alerts('hundreds of followers are told in batches, and none twice after an interruption', async (t) => {
  const { db, luis } = t
  const followers = await seed(db, ...Array.from({ length: 230 }, () => member()))
  const rows = followers.map(({ id }) => ({ user_id: id, kind: 'member' as const, target_id: luis.id, created_at: 1 }))
  await db.insertInto('follows').values(rows).execute()
  const [added] = await seed(db, dog({ owner_id: luis.id }))
  await queueAlerts(db, added.id)
  assert.is((await db.selectFrom('notifications').selectAll().execute()).length, 0, 'the action writes none')
  const ending = new AbortController()
  const interrupted = runDueJobs(db, [followAlerts], { signal: ending.signal })
  ending.abort()
  await interrupted.catch(() => {})
  const before = await db.selectFrom('notifications').selectAll().execute()
  assert.ok(before.length < 230)
  await tell(db)
  const told = await db.selectFrom('notifications').select('user_id').execute()
  assert.equal([told.length, new Set(told.map(({ user_id }) => user_id)).size], [230, 230])
})

alerts('an account that is erased during a batch is not told, and keeps nobody from it', async (t) => {
  const { db, ana, luis } = t
  const [eva] = await seed(db, member())
  for (const user of [ana, eva]) await follow(db, user, { kind: 'member', id: luis.id })
  const [added] = await seed(db, dog({ owner_id: luis.id }))
  await queueAlerts(db, added.id)
  const [deleted, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const erasure = transact(db, async (trx) => {
    await trx.deleteFrom('users').where('id', '=', ana.id).execute()
    deleted.resolve()
    await ending.promise
  })
  await deleted.promise
  const sending = tell(db)
  await wait(200)
  ending.resolve()
  await Promise.all([erasure, sending])
  assert.equal(await bellOf(db, eva.id), [UNREAD])
  assert.is((await db.selectFrom('notifications').select('id').execute()).length, 1)
})

alerts('the weekly mail counts others’ new dogs, by a switch of its own', async (t) => {
  const { db, ana, luis } = t
  const monday = Date.parse('2026-11-23T09:00:00Z')
  await follow(db, ana, { kind: 'breed', id: 'boxer' })
  const sent: OutgoingMail[] = []
  const run = (now: number) =>
    mailDue(
      db,
      digests({
        siteUrl: 'https://perrario.example',
        send: async (mail) => void sent.push(mail),
        findNews: findFollowNews,
      }),
      sent,
      now,
    )
  const week = 7 * 86_400_000
  assert.is(await run(monday), 0, 'nothing is new')
  for (const owner of [ana, luis, luis])
    await addAndTell(t, { breed: 'Bóxer', owner_id: owner.id }, monday + week - 3_600_000)
  await run(monday + week)
  assert.equal([sent.length, sent[0]!.subject], [1, 'Tienes un aviso sin ver en Perrario'])
  assert.match(sent[0]!.text, '- Lo que sigues: 2 perros nuevos de las personas, razas y zonas que sigues.')
  assert.match(sent[0]!.text, 'https://perrario.example/?tab=following')
  assert.is(await run(monday + 2 * week), 0, 'they are told once')
  await addAndTell(t, { breed: 'Bóxer', owner_id: luis.id }, monday + 3 * week - 3_600_000)
  await saveSettings(db, ana, { ...DEFAULT_SETTINGS, follows_digest: false })
  assert.is(await run(monday + 3 * week), 0)
})
