import { randomUUID } from 'node:crypto'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { readDigestPart } from '#features/nearby/digest-part.server.ts'
import { saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { listMissingBreeds, loadMissingNearby } from '#features/nearby/missing-breeds.server.ts'
import { seenText } from '#features/nearby/nearby.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { dog, type DogSeed, member, seed } from '#tests/support/seed.ts'
import { assert, dbSuite, listDriftedCounts, onlyOnSqlite, pick, type WorldOf } from '#tests/support/suites.ts'

const missing = dbSuite('unit/nearby/missing-breeds', { ana: member(), bea: member() })
type World = WorldOf<typeof missing>

const NOON = Date.parse('2026-11-20T12:00:00Z')
const addDogs = async ({ db, bea }: World, ...dogs: DogSeed[]) => {
  for (const fields of dogs) await seed(db, dog({ owner_id: bea.id, created_at: NOON, ...fields }))
}
const listOf = async ({ db, ana }: World, province = '28', limit?: number) =>
  (await listMissingBreeds(db, ana.id, { province }, { now: NOON, ...(limit && { limit }) })).map(
    ({ slug, scope, dogs }) => `${slug} ${scope} ${dogs}`,
  )

missing('breeds of the province that others have and the album lacks, the most frequent first', async (t) => {
  await addDogs(
    t,
    { breed: 'Akita Inu', zone: 'Getafe', created_at: NOON - 5000 },
    { breed: 'Akita Inu', zone: 'Leganés', created_at: NOON - 1000 },
    { breed: 'Beagle', zone: 'Madrid' },
    { breed: 'Galgo español', zone: 'Madrid' },
  )
  await seed(t.db, dog({ owner_id: t.ana.id, breed: 'Beagle', zone: 'Madrid' }))
  const found = await listMissingBreeds(t.db, t.ana.id, { province: '28' }, { now: NOON })
  assert.equal(pick(found, 'slug', 'scope', 'dogs'), [
    ['akita-inu', 'province', 2],
    ['galgo-espanol', 'province', 1],
  ])
  assert.equal([found[0]!.lastSeen, found[0]!.lastZone], [NOON - 1000, 'Leganés'])
  assert.equal(await listDriftedCounts(t.db), [])
})

missing('where there are few, the provinces around fill up, then the country; abroad is neither', async (t) => {
  await addDogs(
    t,
    { breed: 'Akita Inu', zone: 'Getafe' },
    { breed: 'Akita Inu', zone: 'Toledo' },
    { breed: 'Galgo español', zone: 'Toledo' },
    { breed: 'Galgo español', zone: 'Segovia' },
    { breed: 'Boxer', zone: 'Sevilla' },
    { breed: 'Carlino', zone: 'Bogotá' },
    { breed: 'Dálmata' },
  )
  assert.equal(await listOf(t), ['akita-inu province 1', 'galgo-espanol neighbours 2', 'boxer country 1'])
  const abroad = await listOf(t, '')
  assert.ok(
    abroad.includes('akita-inu everywhere 2') && abroad.some((line) => /^(pug|carlino) everywhere 1/.test(line)),
  )
})

missing('enough breeds of the province are not filled up', async (t) => {
  const breeds = ['Akita Inu', 'Galgo español', 'Boxer', 'Dálmata', 'Borzoi', 'Samoyedo']
  await addDogs(t, ...breeds.map((breed) => ({ breed, zone: 'Madrid' })), { breed: 'Komondor', zone: 'Toledo' })
  const found = await listOf(t)
  assert.is(found.length, 6)
  assert.ok(found.every((line) => line.includes(' province ')))
  assert.is((await listOf(t, '28', 3)).length, 3)
})

missing('a move, another breed and a deletion are counted', async (t) => {
  const id = randomUUID()
  await addDogs(t, { id, breed: 'Akita Inu', zone: 'Getafe' })
  await t.db.updateTable('dogs_all').set({ province: '45', zone: 'Toledo' }).where('id', '=', id).execute()
  assert.equal(await listOf(t), ['akita-inu neighbours 1'])
  await t.db.updateTable('dogs_all').set({ breed_slug: 'boxer' }).where('id', '=', id).execute()
  assert.equal(await listOf(t, '45'), ['boxer province 1'])
  await t.db.updateTable('dogs_all').set({ province: '' }).where('id', '=', id).execute()
  assert.equal(await listOf(t, '45'), [])
  await t.db.updateTable('dogs_all').set({ province: null }).where('id', '=', id).execute()
  assert.equal(await listDriftedCounts(t.db), [])
  await t.db.updateTable('dogs_all').set({ province: '45' }).where('id', '=', id).execute()
  assert.equal(await listOf(t, '45'), ['boxer province 1'])
  await t.db.deleteFrom('dogs_all').where('id', '=', id).execute()
  assert.equal([await listOf(t, '45'), await listDriftedCounts(t.db)], [[], []])
})

missing('dogs of blocked, banned and leaving members are left out, also as the newest', async (t) => {
  const [eva, iker, nora] = await seed(t.db, member(), member(), member())
  for (const { id } of [eva, iker, nora])
    await addDogs(
      t,
      { breed: 'Akita Inu', zone: 'Alcobendas', owner_id: id },
      { breed: 'Boxer', zone: 'Getafe', owner_id: id },
    )
  await addDogs(t, { breed: 'Akita Inu', zone: 'Getafe', created_at: NOON - 9000 })
  assert.equal(await listOf(t), ['akita-inu province 4', 'boxer province 3'])
  await addBlock(t.db, eva, t.ana.id)
  assert.equal(await listOf(t), ['akita-inu province 3', 'boxer province 2'])
  await ban(t.db, iker.id, { until: null, reason: 'Insultos.' })
  await addDeletionRow(t.db, nora.id)
  const found = await listMissingBreeds(t.db, t.ana.id, { province: '28' }, { now: NOON })
  assert.equal(pick(found, 'slug', 'dogs', 'lastZone', 'lastSeen'), [['akita-inu', 1, 'Getafe', NOON - 9000]])
})

missing('who only uploaded a dog is none of its people: it counts, and its day is told', async (t) => {
  const [eva] = await seed(t.db, member())
  await addDogs(t, { breed: 'Akita Inu', zone: 'Getafe', user_id: eva.id })
  await addBlock(t.db, eva, t.ana.id)
  const found = await listMissingBreeds(t.db, t.ana.id, { province: '28' }, { now: NOON })
  assert.equal(pick(found, 'slug', 'dogs', 'lastSeen'), [['akita-inu', 1, NOON]])
})

missing('a hidden dog is in no count', async (t) => {
  const id = randomUUID()
  await addDogs(t, { id, breed: 'Akita Inu', zone: 'Getafe' })
  await t.db.transaction().execute((trx) => hideDog(trx, id, 'admin'))
  assert.equal([await listOf(t), await listDriftedCounts(t.db)], [[], []])
})

missing('without a home zone there is nothing, with one the province has its name', async ({ db, ana }) => {
  assert.equal(await loadMissingNearby(db, ana.id), { home: null, provinceName: '', breeds: [] })
  await saveHomeZone(db, ana, { zone: 'Getafe', alert: null, digest: true })
  assert.is((await loadMissingNearby(db, ana.id)).provinceName, 'Madrid')
})

missing('the weekly mail names three, unless its member switched that off', async (t) => {
  await addDogs(t, ...['Akita Inu', 'Boxer', 'Dálmata', 'Borzoi'].map((breed) => ({ breed, zone: 'Madrid' })))
  assert.is(await readDigestPart(t.db, t.ana.id, NOON), null)
  await saveHomeZone(t.db, t.ana, { zone: 'Getafe', alert: null, digest: true })
  const part = await readDigestPart(t.db, t.ana.id, NOON)
  assert.is(part?.lines.length, 3)
  assert.equal(part?.lines[0], { text: 'Akita Inu: 1 perro', path: '/razas/akita-inu' })
  await saveHomeZone(t.db, t.ana, { zone: 'Getafe', alert: null, digest: false })
  assert.is(await readDigestPart(t.db, t.ana.id, NOON), null)
})

missing('when a breed was seen is told by days in Madrid', () => {
  const at = (text: string) => Date.parse(text)
  const now = at('2026-11-20T12:00:00Z')
  assert.is(seenText(at('2026-11-19T23:30:00Z'), now), 'hoy')
  assert.is(seenText(at('2026-11-19T22:30:00Z'), now), 'ayer')
  assert.is(seenText(at('2026-11-10T12:00:00Z'), now), 'hace 10 días')
  assert.is(seenText(at('2026-08-20T12:00:00Z'), now), 'hace 3 meses')
  assert.is(seenText(at('2020-08-20T12:00:00Z'), now), 'hace 6 años')
})

onlyOnSqlite(missing)('reads nothing that grows with the community', async (t) => {
  const breeds = ['Akita Inu', 'Boxer', 'Dálmata', 'Borzoi']
  await addDogs(t, ...['Getafe', 'Toledo', 'Sevilla'].flatMap((zone) => breeds.map((breed) => ({ breed, zone }))))
  await addBlock(t.db, t.ana, (await seed(t.db, member()))[0].id)
  await saveHomeZone(t.db, t.ana, { zone: 'Cuenca', alert: null, digest: true })
  // The catalogue is in memory after its first use.
  const plans = await explainQueries(t.db, (db) => loadMissingNearby(db, t.ana.id, NOON))
  assert.ok(plans.length >= 8, `${plans.length} statements`)
  // Grouping the few rows of the members left out, and the union of who they are, take a tree in memory.
  const slow = findSlowSteps(plans.filter(({ sql }) => !sql.includes('breed_overrides'))).filter(
    (step) => !/^USE TEMP B-TREE FOR (GROUP BY|count\(DISTINCT\)|UNION)|UNION USING TEMP B-TREE/.test(step),
  )
  assert.equal(slow, [])
  const steps = plans.flatMap((plan) => plan.steps).join('\n')
  assert.match(steps, /SEARCH dogs_all USING INDEX dogs_breed_province_created \(breed_slug=\? AND province=\?\)/)
  assert.match(steps, /SEARCH province_breeds USING INDEX sqlite_autoindex_province_breeds_1 \(province=\?\)/)
})
