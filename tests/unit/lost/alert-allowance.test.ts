import { deleteDogRows } from '#features/dogs/empty-dog.server.ts'
import { saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { lostAlerts } from '#features/lost/alerts/send-alerts.server.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { deleteExpiredLostRows } from '#features/lost/retention.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { ringDue } from '#tests/support/jobs.ts'
import { assert, dbSuite, type Dog, dog, member, seed, update, type WorldOf } from '#tests/support/suites.ts'

const NOON = Date.parse('2026-11-20T11:00:00Z')
const created_at = NOON - 30 * DAY_MS

/** Ana is alerted of lost dogs; Bea has been here for a month, with a dog. */
const allowance = dbSuite('unit/lost/alert-allowance', { ana: member(), bea: member() }, async (t) => {
  const dogs: Dog[] = await seed(
    t.db,
    ...[{ created_at }, { created_at }, {}, {}].map((at) => dog({ owner_id: t.bea.id, ...at })),
  )
  await update(t.db, 'users', { id: t.bea.id }, { created_at })
  await waitIn(t, 'Getafe')
  return { dogs }
})
type World = WorldOf<typeof allowance>

const waitIn = ({ db, ana }: Pick<World, 'db' | 'ana'>, zone: string) =>
  saveLostAlerts(db, ana, { zone, radius_km: 50, breaks_quiet: false, by_mail: false, by_push: true })

/** Marks the dog as lost in Getafe. @returns whom it is announced to */
async function open({ db, bea }: World, { id }: Dog, now = NOON, owner = bea) {
  const input = { since: now - HOUR_MS, zone: 'Getafe', lat: null, lon: null, help: '', chip: null }
  return (await saveLostCase(db, owner, id, input, now)).case.alerts
}
/** The same, and alerts. @returns whom it is announced to, and how many were alerted */
const lose = async (t: World, lost: Dog, now = NOON, owner = t.bea) => [
  await open(t, lost, now, owner),
  await ringDue(t.db, lostAlerts, { now: now + MINUTE_MS }),
]
const makeNew = ({ db, bea }: World, days: number) =>
  update(db, 'users', { id: bea.id }, { created_at: NOON - days * DAY_MS })

allowance('members are alerted of two dogs of one owner in 30 days', async (t) => {
  const [one, two, three] = t.dogs as [Dog, Dog, Dog]
  assert.equal(await lose(t, one), ['all', 1])
  assert.equal(await lose(t, two, NOON + DAY_MS), ['all', 1])
  assert.equal(await lose(t, three, NOON + 2 * DAY_MS), ['owner', 0])
  await endLostCase(t.db, t.bea, three.id, 'home')
  assert.equal(await lose(t, three, NOON + 30 * DAY_MS), ['all', 1], 'the first counts no more')
})

allowance('neither the end of a case nor the deletion of its dog gives the alert back', async (t) => {
  const [one, two, three] = t.dogs as [Dog, Dog, Dog]
  await lose(t, one)
  await lose(t, two)
  await endLostCase(t.db, t.bea, one.id, 'home')
  for (const { id } of [one, two]) await t.db.transaction().execute((trx) => deleteDogRows(trx, id))
  assert.is(await deleteExpiredLostRows(t.db, NOON + DAY_MS), 0)
  assert.equal(await lose(t, three, NOON + DAY_MS), ['owner', 0])
})

allowance('a dog that changes hands counts for who had it announced, and is not announced again', async (t) => {
  const [one, two, three] = t.dogs as [Dog, Dog, Dog]
  await lose(t, one)
  await endLostCase(t.db, t.bea, one.id, 'home', { now: NOON + HOUR_MS })
  await t.db.updateTable('dogs_all').set({ owner_id: t.ana.id }).where('id', '=', one.id).execute()
  assert.equal(await lose(t, one, NOON + DAY_MS, t.ana), ['dog', 0])
  assert.equal(await lose(t, two, NOON + DAY_MS), ['all', 1])
  assert.equal(await lose(t, three, NOON + DAY_MS), ['owner', 0])
})

allowance('a case that is opened, ended and opened again announces its dog once', async (t) => {
  const [one, two] = t.dogs as [Dog, Dog]
  assert.equal(await lose(t, one), ['all', 1])
  await endLostCase(t.db, t.bea, one.id, 'other', { now: NOON + HOUR_MS })
  assert.equal(await lose(t, one, NOON + DAY_MS), ['dog', 0])
  assert.equal(await lose(t, two, NOON + DAY_MS), ['all', 1])
})

allowance('one that is opened again before anybody was alerted counts once', async (t) => {
  const [one, two] = t.dogs as [Dog, Dog]
  await open(t, one)
  await endLostCase(t.db, t.bea, one.id, 'other', { now: NOON + HOUR_MS })
  assert.equal(await lose(t, one, NOON + DAY_MS), ['all', 1])
  assert.equal(await lose(t, two, NOON + DAY_MS), ['all', 1])
})

allowance('whether anybody was near says nothing to the owner who opens a case again', async (t) => {
  const [one, two] = t.dogs as [Dog, Dog]
  assert.equal(await lose(t, one), ['all', 1])
  await t.db.deleteFrom('lost_alert_settings').execute()
  assert.equal(await lose(t, two), ['all', 0])
  const scopes = []
  for (const each of [one, two]) {
    await endLostCase(t.db, t.bea, each.id, 'other', { now: NOON + HOUR_MS })
    scopes.push((await lose(t, each, NOON + DAY_MS))[0])
  }
  assert.equal(scopes, ['dog', 'dog'])
  const rows = await t.db.selectFrom('lost_history').select('alerted_at').execute()
  assert.equal(new Set(rows.map(({ alerted_at }) => alerted_at)).size, 1, 'nor does their data export')
})

allowance('of a new member’s dog those within ten kilometres are alerted, and of one dog', async (t) => {
  await makeNew(t, 13)
  const [one, two] = t.dogs as [Dog, Dog]
  const [far] = await seed(t.db, member())
  // 14 km away.
  await waitIn({ ...t, ana: far }, 'Puerta del Sol')
  assert.equal(await lose(t, one), ['near', 1])
  const { user_id } = await t.db.selectFrom('notifications').select('user_id').executeTakeFirstOrThrow()
  assert.is(user_id, t.ana.id)
  assert.equal(await lose(t, two), ['owner', 0])
})

allowance(
  'of each new account’s first dog the neighbours are alerted, whichever network it shares with others',
  async (t) => {
    for (let n = 0; n < 2; n++) {
      const [owner, lost] = await seed(t.db, member(), dog())
      assert.equal(await lose(t, lost, NOON, owner), ['near', 1])
    }
  },
)

allowance('what counts goes after 30 days, and with the account', async (t) => {
  const [one, two] = t.dogs as [Dog, Dog]
  const count = async () => (await t.db.selectFrom('lost_alerted_dogs').selectAll().execute()).length
  await lose(t, one)
  await lose(t, two, NOON + DAY_MS)
  await deleteExpiredRows(t.db, NOON + 30 * DAY_MS, ['lost_alerted_dogs'])
  assert.is(await count(), 1)
  await eraseRows(t.db, t.bea.id)
  assert.is(await count(), 0)
})
