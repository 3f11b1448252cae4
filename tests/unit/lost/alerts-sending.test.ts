import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { deleteLostAlerts, saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { endedAlerts } from '#features/lost/alerts/ended-alerts.server.ts'
import type { AlertRadius } from '#features/lost/alerts/lost-alerts.ts'
import { LOST_ALERTS, lostAlerts } from '#features/lost/alerts/send-alerts.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { countJobs, ringDue } from '#tests/support/jobs.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { type CurrentUser, dog, member, seed } from '#tests/support/seed.ts'
import { assert, dbSuite, onlyOnSqlite, rowOf, type WorldOf } from '#tests/support/suites.ts'

const alerts = dbSuite('unit/lost/alerts-sending', { ana: member(), bea: member(), toby: dog({ name: 'Toby' }) })
type World = WorldOf<typeof alerts>

/** Noon in Madrid, when cases are opened. */
const NOON = Date.parse('2026-11-20T11:00:00Z')
const waitIn = ({ db }: World, user: CurrentUser, zone = 'Getafe', radius_km: AlertRadius = 5, by_mail = false) =>
  saveLostAlerts(db, user, { zone, radius_km, breaks_quiet: false, by_mail, by_push: true })
const open = ({ db, bea, toby }: World, fields: Parameters<typeof addLostCase>[1] | object = {}) =>
  addLostCase(db, { dog_id: toby.id, owner_id: bea.id, opened_at: NOON, ...fields })
const send = ({ db }: World, now = NOON + 1000) => ringDue(db, lostAlerts, { now })
const bellOf = async ({ db }: World, user: CurrentUser) =>
  (await listNotifications(db, user.id)).notifications.map(({ title, content }) => `${title} · ${content}`)
const queued = ({ db }: World) => countJobs(db, LOST_ALERTS)
const endCase = ({ db }: World, id: string) => db.deleteFrom('lost_cases').where('id', '=', id).execute()

alerts('members within their radius are alerted once, with name, zone, band and time', async (t) => {
  const [near, far] = await seed(t.db, member(), member())
  await waitIn(t, t.ana)
  await waitIn(t, near, 'Leganés', 20)
  await waitIn(t, far, 'Alcalá de Henares', 10)
  const id = await open(t)
  assert.is(await send(t), 2)
  assert.equal(await bellOf(t, t.ana), [
    'Perro perdido cerca · Se ha perdido Toby cerca de Getafe, Madrid, a menos de 2 km de tu zona. Falta desde el 20 nov 2026, 11:00. ¿Lo has visto?',
  ])
  assert.match((await bellOf(t, near))[0]!, 'a menos de 5 km de tu zona')
  assert.equal(await bellOf(t, far), [])
  const row = await rowOf(t.db, 'notifications', { user_id: t.ana.id })
  assert.equal(
    [row.dog_id, row.actor_id, row.type, row.topic, row.target_id],
    [t.toby.id, t.bea.id, 'other', 'lost', id],
  )
  assert.is(await queued(t), 0)
  assert.is(await send(t), 0)
})

alerts('the distance is that of the circle that others see, never of the exact place', async (t) => {
  await waitIn(t, t.ana, 'Getafe', 2)
  // The place itself is in Getafe, its circle 3 km away.
  await open(t, { lat: 40.305, lon: -3.731, shown_lat: 40.332 })
  assert.is(await send(t), 0)
})

alerts('a dog is alerted of once in 30 days', async (t) => {
  await waitIn(t, t.ana)
  await endCase(t, await open(t).then(async (id) => (await send(t), id)))
  const again = await open(t, { opened_at: NOON + 29 * DAY_MS })
  assert.is(await queued(t), 0)
  await endCase(t, again)
  await open(t, { opened_at: NOON + 31 * DAY_MS })
  assert.is(await send(t, NOON + 31 * DAY_MS + 1000), 1)
})

alerts('a case that reached nobody counts like any other: its owner does not learn who is near', async (t) => {
  const id = await open(t)
  assert.is(await send(t), 0)
  await endCase(t, id)
  await waitIn(t, t.ana)
  await endCase(t, await open(t, { opened_at: NOON + DAY_MS }))
  assert.is(await queued(t), 0)
  await open(t, { opened_at: NOON + 31 * DAY_MS })
  assert.is(await send(t, NOON + 31 * DAY_MS), 1)
})

alerts('nobody gets more than three a day', async (t) => {
  await waitIn(t, t.ana)
  for (let n = 0; n < 4; n++) {
    const [other] = await seed(t.db, dog({ owner_id: t.bea.id }))
    await open(t, { dog_id: other.id })
    await send(t)
    // A change of zone is no way to more.
    await waitIn(t, t.ana, 'Leganés', 20)
  }
  assert.is((await bellOf(t, t.ana)).length, 3)
  const [other] = await seed(t.db, dog({ owner_id: t.bea.id }))
  await open(t, { dog_id: other.id, opened_at: NOON + DAY_MS })
  assert.is(await send(t, NOON + DAY_MS), 1)
})

alerts('dogs of new members take two of a member’s three alerts at most', async (t) => {
  await waitIn(t, t.ana)
  const openAnother = async (fields: object, now = NOON) => {
    const [other] = await seed(t.db, dog({ owner_id: t.bea.id }))
    await open(t, { dog_id: other.id, opened_at: now, ...fields })
    return send(t, now)
  }
  const near = { alerts: 'near' }
  assert.equal([await openAnother(near), await openAnother(near), await openAnother(near)], [1, 1, 0])
  assert.equal([await openAnother({ alerts: 'all' }), await openAnother({ alerts: 'all' })], [1, 0])
  const tomorrow = NOON + DAY_MS
  assert.is(await openAnother({ alerts: 'all' }, tomorrow), 1)
  assert.equal([await openAnother(near, tomorrow), await openAnother(near, tomorrow)], [1, 1])
  assert.is(await openAnother({ alerts: 'all' }, tomorrow), 0)
})

alerts('the owner, and members who are blocked, banned or leaving are not alerted', async (t) => {
  const [blocker, banned, leaving] = await seed(t.db, member(), member(), member())
  for (const someone of [t.ana, t.bea, blocker, banned, leaving]) await waitIn(t, someone)
  await addBlock(t.db, t.bea, t.ana.id)
  await addBlock(t.db, blocker, t.bea.id)
  await ban(t.db, banned.id, { until: null, reason: 'Insultos.' })
  await addDeletionRow(t.db, leaving.id)
  await open(t)
  assert.equal([await send(t), await queued(t)], [0, 0])
})

alerts('nobody is alerted of a banned owner’s dog, or of one whose owner leaves', async (t) => {
  await waitIn(t, t.ana)
  await open(t)
  await ban(t.db, t.bea.id, { until: NOON + DAY_MS, reason: 'Insultos.' }, NOON)
  assert.is(await send(t), 0)
  assert.is(await queued(t), 1, 'the ban may be lifted')
  assert.is(await send(t, NOON + 2 * DAY_MS), 1)
})

alerts('a hidden dog’s case waits until it is shown again, for three days', async (t) => {
  await waitIn(t, t.ana)
  await open(t)
  await t.db.transaction().execute((trx) => hideDog(trx, t.toby.id, 'admin'))
  assert.equal([await send(t), await queued(t)], [0, 1])
  await t.db.transaction().execute((trx) => showDog(trx, t.toby.id, undefined, NOON + 1000))
  assert.is(await send(t, NOON + 12_000), 1)
  const [other] = await seed(t.db, dog({ owner_id: t.bea.id }))
  await open(t, { dog_id: other.id })
  await t.db.transaction().execute((trx) => hideDog(trx, other.id, 'admin'))
  await send(t, NOON + 4 * DAY_MS)
  assert.is(await queued(t), 0)
})

alerts('a case that ended before it was sent alerts nobody', async (t) => {
  await waitIn(t, t.ana)
  await endCase(t, await open(t))
  assert.equal([await send(t), await queued(t)], [0, 0])
})

alerts('the alerts of a case that ends are deleted, with their place', async (t) => {
  const people = await seed(t.db, ...Array.from({ length: 60 }, () => member()))
  for (const someone of people) await waitIn(t, someone)
  const id = await open(t)
  assert.is(await send(t), 60)
  await runDueJobs(t.db, [endedAlerts])
  assert.is((await bellOf(t, people[0]!)).length, 1, 'it is open')
  await endCase(t, id)
  await runDueJobs(t.db, [endedAlerts])
  assert.equal(await t.db.selectFrom('notifications').selectAll().execute(), [])
  assert.is(await countJobs(t.db, endedAlerts.name), 0)
})

alerts('alerts of a case end with its owner’s account, too', async (t) => {
  await waitIn(t, t.ana)
  await open(t)
  await send(t)
  await t.db.deleteFrom('dogs_all').where('id', '=', t.toby.id).execute()
  await t.db.deleteFrom('users').where('id', '=', t.bea.id).execute()
  await runDueJobs(t.db, [endedAlerts])
  assert.equal(await t.db.selectFrom('notifications').selectAll().execute(), [])
})

alerts('a run that a crash ends is continued, and nobody is alerted twice', async (t) => {
  const people = await seed(t.db, ...Array.from({ length: 100 }, () => member()))
  for (const someone of people) await waitIn(t, someone)
  await open(t)
  const ending = new AbortController()
  const first = ringDue(t.db, lostAlerts, { now: NOON, signal: ending.signal })
  while ((await t.db.selectFrom('notifications').selectAll().execute()).length === 0)
    await new Promise((done) => setImmediate(done))
  ending.abort()
  const told = await first
  assert.ok(told > 0 && told < 100, String(told))
  assert.equal([await queued(t), await send(t)], [1, 100 - told])
  const rows = await t.db.selectFrom('notifications').select('user_id').execute()
  assert.equal([rows.length, new Set(rows.map(({ user_id }) => user_id)).size], [100, 100])
})

alerts('whoever widens their radius in the middle is alerted once', async (t) => {
  await waitIn(t, t.ana, 'Getafe', 2)
  const id = await open(t)
  await send(t)
  await enqueue(t.db, LOST_ALERTS, [{ key: id }], NOON)
  await waitIn(t, t.ana, 'Leganés', 50)
  assert.is(await send(t), 0)
})

alerts('two processes at the same time alert each member once', async (t) => {
  const people = await seed(t.db, ...Array.from({ length: 45 }, () => member()))
  for (const someone of people) await waitIn(t, someone)
  await open(t)
  await Promise.all([send(t), send(t)])
  await send(t)
  assert.is((await t.db.selectFrom('notifications').select('id').execute()).length, 45)
})

alerts('who wants no more alerts gets none', async (t) => {
  await waitIn(t, t.ana)
  await deleteLostAlerts(t.db, t.ana)
  await open(t)
  assert.is(await send(t), 0)
})

onlyOnSqlite(alerts)('looks at the cells around the dog alone', async (t) => {
  await waitIn(t, t.ana)
  await open(t)
  const plans = await explainQueries(t.db, (db) => runDueJobs(db, [lostAlerts], { now: NOON }))
  assert.equal(findSlowSteps(plans), [])
  const cells = plans.filter(({ sql }) => sql.includes('"cell" ='))
  assert.ok(cells.length > 0)
  for (const { steps } of cells)
    assert.match(steps[0]!, /USING INDEX lost_alert_settings_cell \(cell=\? AND user_id>\?\)/)
})
