import { randomUUID } from 'node:crypto'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { breedAlerts } from '#features/nearby/alerts/breed-alerts.server.ts'
import { saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import type { AlertRange } from '#features/nearby/home-zone/home-zone.ts'
import { DAY_MS } from '#lib/time.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { countJobs, ringDue } from '#tests/support/jobs.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { type CurrentUser, dog, type DogSeed, member, seed } from '#tests/support/seed.ts'
import { assert, dbSuite, onlyOnSqlite, rowOf, type WorldOf } from '#tests/support/suites.ts'

const alerts = dbSuite('unit/nearby/breed-alerts', { ana: member(), bea: member() })
type World = WorldOf<typeof alerts>

/** Noon in Madrid; dogs are added then. */
const NOON = Date.parse('2026-11-20T11:00:00Z')
const homeOf = ({ db }: World, user: CurrentUser, zone: string, alert: AlertRange) =>
  saveHomeZone(db, user, { zone, alert, digest: true })
const addDog = async ({ db, bea }: World, fields: DogSeed = {}) =>
  (await seed(db, dog({ breed: 'Akita Inu', zone: 'Getafe', owner_id: bea.id, created_at: NOON, ...fields })))[0]
const announce = ({ db }: World, now = NOON + 1000) => ringDue(db, breedAlerts, { now })
const linesOf = async ({ db }: World, user: CurrentUser) =>
  (
    await db
      .selectFrom('notifications')
      .select(['title', 'content'])
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute()
  ).map(({ title, content }) => `${title} · ${content}`)
const queued = ({ db }: World) => countJobs(db, breedAlerts.name)

alerts('whoever lacks the breed is told within their distance, once for each dog', async (t) => {
  const [far, province, quiet] = await seed(t.db, member(), member(), member())
  await homeOf(t, t.ana, 'Leganés', 10)
  await homeOf(t, far, 'Alcalá de Henares', 25)
  await homeOf(t, province, 'Aranjuez', 'province')
  await homeOf(t, quiet, 'Getafe', null)
  const { id } = await addDog(t)
  assert.is(await announce(t), 2)
  assert.equal(await linesOf(t, t.ana), [
    'Una raza que te falta, cerca · Akita Inu: han visto uno a menos de 10 km de tu zona.',
  ])
  assert.equal(await linesOf(t, province), ['Una raza que te falta, cerca · Akita Inu: han visto uno en tu provincia.'])
  assert.equal([await linesOf(t, far), await linesOf(t, quiet), await linesOf(t, t.bea)], [[], [], []])
  const row = await rowOf(t.db, 'notifications', { user_id: t.ana.id })
  assert.equal([row.dog_id, row.actor_id, row.type], [id, t.bea.id, 'other'])
  assert.is(await queued(t), 0)
  assert.is(await announce(t), 0)
})

alerts('nobody is told twice a day, whatever they change', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 25)
  await addDog(t)
  await addDog(t, { breed: 'Boxer' })
  assert.is(await announce(t), 1)
  await homeOf(t, t.ana, 'Leganés', 50)
  await addDog(t, { breed: 'Borzoi' })
  assert.is(await announce(t), 0)
  await addDog(t, { breed: 'Komondor', created_at: NOON + DAY_MS })
  assert.equal([await announce(t, NOON + DAY_MS), (await linesOf(t, t.ana)).length], [1, 2])
})

alerts('who has the breed, and whose dog it is, is not told', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 25)
  await homeOf(t, t.bea, 'Getafe', 25)
  await seed(t.db, dog({ owner_id: t.ana.id, breed: 'Akita Inu', created_at: NOON - DAY_MS }))
  await addDog(t)
  assert.is(await announce(t), 0)
})

alerts('blocks, bans, deletions and hidden dogs are kept to', async (t) => {
  const [eva, iker] = await seed(t.db, member(), member())
  for (const someone of [t.ana, eva, iker]) await homeOf(t, someone, 'Getafe', 25)
  await addBlock(t.db, t.bea, t.ana.id)
  await addDeletionRow(t.db, eva.id)
  await addDog(t)
  assert.equal([await announce(t), await linesOf(t, t.ana), await linesOf(t, eva)], [1, [], []])
  const hidden = await addDog(t, { breed: 'Boxer' })
  await t.db.transaction().execute((trx) => hideDog(trx, hidden.id, 'admin'))
  assert.equal([await announce(t), await queued(t)], [0, 0])
  await ban(t.db, t.bea.id, { until: null, reason: 'Insultos.' })
  await addDog(t, { breed: 'Borzoi', created_at: NOON + DAY_MS })
  assert.is(await announce(t, NOON + DAY_MS), 0)
})

alerts('a dog without a place, of no breed, or of an earlier week is no news', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 100)
  await addDog(t, { zone: null })
  assert.is(await queued(t), 0)
  await addDog(t, { zone: 'Nadaquever' })
  await addDog(t, { created_at: NOON - 8 * DAY_MS })
  assert.equal([await announce(t), await queued(t)], [0, 0])
})

alerts('a dog is announced once, as what it is then, wherever it is moved and whatever it becomes', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 25)
  await homeOf(t, t.bea, 'Sevilla', 25)
  await seed(t.db, dog({ owner_id: t.ana.id, breed: 'Boxer', created_at: NOON - DAY_MS }))
  const eva = (await seed(t.db, member()))[0]
  const { id } = await seed(t.db, dog({ owner_id: eva.id, breed: 'Boxer', zone: 'Madrid', created_at: NOON })).then(
    ([first]) => first,
  )
  await updateDog(t.db, eva, id, { breed: 'Akita Inu' }, NOON + 1000)
  assert.is(await announce(t, NOON + 2000), 1, 'corrected before it was announced')
  await updateDog(t.db, eva, id, { breed: 'Borzoi', zone: 'Sevilla' }, NOON + 3000)
  assert.is(await announce(t, NOON + DAY_MS), 0, 'nobody elsewhere hears of it')
})

alerts('a dog that waited for a review is announced when it is shown', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 25)
  const { id } = await addDog(t)
  await t.db.transaction().execute((trx) => hideDog(trx, id, 'words', NOON))
  assert.is(await announce(t), 0)
  await t.db.transaction().execute((trx) => showDog(trx, id, undefined, NOON + 1000))
  assert.is(await announce(t, NOON + 2000), 1)
})

alerts('nothing is queued while nobody waits', async (t) => {
  await addDog(t)
  assert.is(await queued(t), 0)
})

alerts('two processes at the same time tell each member once', async (t) => {
  const people = await seed(t.db, ...Array.from({ length: 30 }, () => member()))
  for (const someone of people) await homeOf(t, someone, 'Getafe', 25)
  await addDog(t)
  await Promise.all([announce(t), announce(t)])
  const rows = await t.db.selectFrom('notifications').select('user_id').execute()
  assert.equal([new Set(rows.map((row) => row.user_id)).size, rows.length], [30, 30])
})

alerts('a stopped run is continued', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 25)
  await addDog(t)
  assert.is(await ringDue(t.db, breedAlerts, { now: NOON, signal: AbortSignal.abort() }), 0)
  assert.is(await queued(t), 1)
  assert.is(await announce(t), 1)
})

onlyOnSqlite(alerts)('looks at the cells around the dog alone', async (t) => {
  await homeOf(t, t.ana, 'Getafe', 25)
  await addDog(t, { id: randomUUID() })
  // The catalogue is in memory after its first use.
  const plans = await explainQueries(t.db, (db) => runDueJobs(db, [breedAlerts], { now: NOON }))
  assert.equal(findSlowSteps(plans.filter(({ sql }) => !sql.includes('breed_overrides'))), [])
  const zones = plans.filter(({ sql }) => sql.includes('"alert_cell" ='))
  assert.ok(zones.length > 0)
  for (const { steps } of zones)
    assert.match(steps[0]!, /SEARCH h USING INDEX home_zones_alerts \(alert_cell=\? AND user_id>\?\)/)
})
