import { lostListPath, NO_FILTERS, parseLostQuery, periodStart, sinceText } from '#features/lost/list/lost-list.ts'
import { countLostDogs, listLostDogs, listLostOptions } from '#features/lost/list/lost-list.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, type Db, dbSuite, dog, member, onlyOnSqlite, pluck, refusal, seed } from '#tests/support/suites.ts'
import { update } from '#tests/support/rows.ts'
import { missingSinceSentence } from '#features/lost/since.ts'

const list = dbSuite('unit/lost/lost-list')

const NOW = Date.parse('2026-11-27T12:00:00+01:00')
const names = async (db: Db, query = {}, cursor?: string) =>
  (await listLostDogs(db, { ...NO_FILTERS, ...query }, { now: NOW, limit: 2, cursor })).dogs.map(({ name }) => name)

async function seedFour(db: Db) {
  const [, toby, luna, kira, rex] = await seed(
    db,
    member(),
    dog({ name: 'Toby', breed: 'Beagle', size: 'mediano' }),
    dog({ name: 'Luna', breed: 'Galgo español', size: 'grande' }),
    dog({ name: 'Kira', breed: 'Beagle', size: 'pequeño' }),
    dog({ name: 'Rex' }),
  )
  await insertLostCase(db, toby, { opened_at: NOW - 1000, since: NOW - 1000, zone: 'Jaca' })
  await insertLostCase(db, luna, { opened_at: NOW - 2000, since: NOW - 3 * DAY_MS, province: '28', zone: 'Madrid' })
  await insertLostCase(db, kira, { opened_at: NOW - 9 * DAY_MS, since: NOW - 10 * DAY_MS })
  return { toby, luna, kira, rex }
}

list('the newest case comes first, and each page ends where the next one begins', async ({ db }) => {
  await seedFour(db)
  const first = await listLostDogs(db, NO_FILTERS, { now: NOW, limit: 2 })
  assert.equal(pluck(first.dogs, 'name'), ['Toby', 'Luna'])
  assert.ok(first.nextCursor)
  const second = await listLostDogs(db, NO_FILTERS, { now: NOW, limit: 2, cursor: first.nextCursor! })
  assert.equal(pluck(second.dogs, 'name'), ['Kira'])
  assert.is(second.nextCursor, null)
})

list(
  'the period is that of the loss, also where its owner has changed it to after the case was opened',
  async ({ db }) => {
    const { kira } = await seedFour(db)
    const query = { period: 'semana' } as const
    assert.equal(await names(db, query), ['Toby', 'Luna'])
    await update(db, 'lost_cases', { dog_id: kira.id }, { since: NOW - DAY_MS })
    const { dogs, nextCursor } = await listLostDogs(db, { ...NO_FILTERS, ...query }, { now: NOW })
    assert.equal([...dogs.map(({ name }) => name), nextCursor], ['Toby', 'Luna', 'Kira', null])
  },
)

list('cases of the same moment are on one page each', async ({ db }) => {
  const [, ...dogs] = await seed(db, member(), dog({ name: 'A' }), dog({ name: 'B' }), dog({ name: 'C' }))
  for (const each of dogs) await insertLostCase(db, each, { opened_at: NOW })
  const first = await listLostDogs(db, NO_FILTERS, { now: NOW, limit: 2 })
  const second = await listLostDogs(db, NO_FILTERS, { now: NOW, limit: 2, cursor: first.nextCursor! })
  assert.equal([...first.dogs, ...second.dogs].map(({ name }) => name).toSorted(), ['A', 'B', 'C'])
})

list('filters leave the cases of a province, a breed, a size and a time', async ({ db }) => {
  await seedFour(db)
  assert.equal(await names(db, { province: '28' }), ['Luna'])
  assert.equal(await names(db, { breed: 'beagle' }), ['Toby', 'Kira'])
  assert.equal(await names(db, { size: 'grande' }), ['Luna'])
  assert.equal(await names(db, { period: 'dia' }), ['Toby'])
  assert.equal(await names(db, { period: 'semana' }), ['Toby', 'Luna'])
  assert.equal(await names(db, { province: '22', breed: 'beagle', size: 'pequeño', period: 'mes' }), ['Kira'])
  assert.equal(await names(db, { province: '99' }), [])
})

list('a dog without a row in the lists has no entry, and its case is counted nowhere', async ({ db }) => {
  const { toby } = await seedFour(db)
  assert.is(await countLostDogs(db), 3)
  await db.deleteFrom('dogs_all').where('id', '=', toby.id).execute()
  assert.equal(await names(db), ['Luna', 'Kira'])
  assert.equal([await countLostDogs(db), await countLostDogs(db, { provinces: ['22'] })], [2, 1])
})

list('a dog that is no longer of who looks for it has no entry', async ({ db }) => {
  const { toby } = await seedFour(db)
  await db.updateTable('dogs_all').set({ owner_id: null }).where('id', '=', toby.id).execute()
  assert.equal(await names(db), ['Luna', 'Kira'])
  assert.equal(pluck((await listLostOptions(db, { ...NO_FILTERS })).breeds, 'slug'), ['beagle', 'galgo-espanol'])
})

list('an entry holds the circle that others see, and nothing of the exact point', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  await insertLostCase(db, toby, { lat: 42.123456, lon: -0.654321, help: 'Tiene miedo' })
  const { dogs } = await listLostDogs(db, NO_FILTERS)
  assert.equal(dogs[0]!.shown, { lat: 42.5697, lon: -0.5529 })
  assert.not.match(JSON.stringify(dogs), /42\.123456|0\.654321/)
  assert.not.ok(JSON.stringify(dogs).includes(toby.owner_id!), 'its owner')
})

list('a cursor of another list is refused', async ({ db }) => {
  const cursor = btoa(JSON.stringify(['recent', 1, 'x']))
  assert.is((await refusal(listLostDogs(db, NO_FILTERS, { cursor })))[0], 422)
})

list('the filters offer the provinces and breeds of open cases, and what is chosen', async ({ db }) => {
  const { toby } = await seedFour(db)
  const options = await listLostOptions(db, { ...NO_FILTERS, province: '08', breed: 'boxer' })
  assert.equal(pluck(options.provinces, 'id'), ['08', '22', '28'])
  assert.equal(pluck(options.breeds, 'slug'), ['beagle', 'boxer', 'galgo-espanol'])
  assert.ok(toby)
})

onlyOnSqlite(list)('every query looks its dogs up, and sorts by an index', async ({ db }) => {
  const plans = await explainQueries(db, async (spied) => {
    for (const query of [{}, { province: '22' }, { breed: 'beagle' }, { size: 'mini' }, { period: 'semana' }] as const)
      await listLostDogs(spied, { ...NO_FILTERS, ...query }, { now: NOW })
    await countLostDogs(spied, { provinces: ['22'] })
  })
  assert.equal(findSlowSteps(plans), [])
  for (const { steps } of plans) assert.match(steps.join('\n'), /lost_cases USING .*INDEX lost_cases_(opened|province)/)
})

list('an address of invalid values opens the whole list', () => {
  const read = (search: string) => parseLostQuery(new URLSearchParams(search))
  assert.equal(read('provincia=Madrid&breed=<b>&size=enorme&desde=siempre'), NO_FILTERS)
  assert.equal(read('provincia=28&breed=beagle&size=mini&desde=semana'), {
    province: '28',
    breed: 'beagle',
    size: 'mini',
    period: 'semana',
  })
  assert.equal(read('desde=__proto__'), NO_FILTERS)
  assert.is(lostListPath(NO_FILTERS), '/perdidos')
  assert.is(
    lostListPath(read('desde=semana&size=mini&breed=beagle&provincia=28'), 'abc'),
    '/perdidos?provincia=28&breed=beagle&size=mini&desde=semana&cursor=abc',
  )
})

list('days are those of Madrid, also over the change of the clocks', () => {
  assert.is(sinceText(NOW - 60_000, NOW), 'desde hoy')
  assert.is(sinceText(NOW - 13 * 3_600_000, NOW), 'desde ayer')
  assert.is(sinceText(NOW - 5 * DAY_MS, NOW), 'desde hace 5 días')
  assert.is(sinceText(NOW - 40 * DAY_MS, NOW), 'desde el 18 oct 2026')
  assert.is(periodStart('dia', NOW), Date.parse('2026-11-26T00:00:00+01:00'))
  assert.is(periodStart('semana', Date.parse('2026-10-27T00:30:00+01:00')), Date.parse('2026-10-20T00:00:00+02:00'))
})

list('the band says in a sentence since when a dog is missing, in Madrid’s time', () => {
  const say = (time: string, now: string) =>
    missingSinceSentence({ since: Date.parse(time), zone: 'Getafe, Madrid' }, Date.parse(now))
  const now = '2026-11-28T10:00:00Z'
  assert.is(say('2026-11-27T11:31:00Z', now), 'Falta desde el 27 de noviembre a las 12:31, en Getafe, Madrid.')
  assert.is(say('2026-07-01T23:05:00Z', now), 'Falta desde el 2 de julio a la 1:05, en Getafe, Madrid.')
  assert.is(say('2025-12-31T22:00:00Z', now), 'Falta desde el 31 de diciembre de 2025 a las 23:00, en Getafe, Madrid.')
})
