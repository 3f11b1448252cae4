import { saveLostCase } from '#features/lost/cases.server.ts'
import { notifyAdmin } from '#features/notifications/notify.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { transact } from '#db/transact.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { assert, countJobs, dog, seed } from '#tests/support/suites.ts'

const lost = concurrentSuite('unit/db/concurrent-lost-dogs')

/** Fifty-five sightings of the last hour: there is room for five more. */
const FULL_HOUR = 60

lost('a case takes no more sightings than its limit', async ({ db, members, ana }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, opened_at: Date.now() - HOUR_MS })
  const send = (n: number) =>
    addSighting(db, {
      dogId: toby.id,
      input: { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: '' },
      photo: null,
      userId: members[n % CONNECTIONS]!.id,
      network: `203.0.113.${n}`,
    })
  for (let n = 0; n < FULL_HOUR - 5; n++) await send(n)
  const answers = await answersTo(times(CONNECTIONS, send))
  assert.equal([countOf(answers, 200), countOf(answers, 429)], [5, CONNECTIONS - 5])
  assert.is((await db.selectFrom('sightings_all').select('id').execute()).length, FULL_HOUR)
})

lost('of dogs that one member marks at once, members are alerted of two', async ({ db, ana }) => {
  const created_at = Date.now() - 30 * DAY_MS
  await db.updateTable('users').set({ created_at }).where('id', '=', ana.id).execute()
  const dogs = await seed(db, ...Array.from({ length: CONNECTIONS }, () => dog({ owner_id: ana.id, created_at })))
  const input = { since: Date.now() - HOUR_MS, zone: 'Getafe', lat: null, lon: null, help: '', chip: null }
  const saved = await Promise.all(dogs.map(({ id }) => saveLostCase(db, ana, id, input)))
  const scopes = saved.map(({ case: { alerts } }) => alerts)
  assert.equal(
    [scopes.filter((scope) => scope === 'all').length, scopes.filter((scope) => scope === 'owner').length],
    [2, CONNECTIONS - 2],
  )
  assert.is(await countJobs(db, 'lost-alerts'), 2)
})

lost('what waits for the admin is one line, however much arrives at once', async ({ db, ana }) => {
  const line = { title: 'Por revisar', content: 'Algo por revisar.', link: '/admin?tab=denuncias&clase=avistamiento' }
  const tell = () => transact(db, (trx) => notifyAdmin(trx, ana.email!, 'review', line, Date.now()))
  await Promise.all(times(CONNECTIONS, tell))
  assert.is((await db.selectFrom('notifications').select('id').execute()).length, 1)
})
