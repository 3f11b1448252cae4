import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '#db/migrations/index.ts'
import { fillProvinceBatch } from '#features/dogs/province-backfill.server.ts'
import { parseQuarantinedDog, quarantineDog, restoreDog } from '#features/dogs/quarantine.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const MIGRATION = '2026-11-22-1724-house-numbers'
const SECOND_MIGRATION = '2026-11-23-1855-unmarked-house-numbers'
const migration = suite('unit/db/house-numbers-migration')

migration('removes house numbers from stored and quarantined rows', async () => {
  const db = sqliteDb()
  const now = Date.now() - 1000
  const zones = [
    'Calle de Alcalá, 45, Madrid',
    'Distrito 22, Madrid',
    'Plaza 2 de Mayo 7',
    'Calle Mayor sn',
    'Getafe',
    null,
  ]
  const [, ...dogs] = await seed(db, member(), ...zones.map((zone) => dog({ zone, created_at: now })))
  const [, held] = await seed(db, member(), dog({ zone: 'Calle Mayor 3, Getafe', description: 'Uno\r\ndos' }))
  const [, still] = await seed(db, member(), dog({ zone: 'Getafe', description: 'Uno\r\ndos\rtres\u2028' }))
  await quarantineDog(db, held.id, 'admin')
  for (const key of ['calle de alcala 45 madrid', 'villa inventada'])
    await db.insertInto('geocodes').values({ key, lon: 1, lat: 1, place_name: 'x', created_at: now }).execute()

  await migrations[MIGRATION]!.up(db)

  const row = (id: string) => db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const rows = await Promise.all(dogs.map(({ id }) => row(id)))
  assert.equal(
    rows.map(({ zone }) => zone),
    ['Calle de Alcalá, Madrid', 'Distrito 22, Madrid', 'Plaza 2 de Mayo', 'Calle Mayor', 'Getafe', null],
  )
  // What others see has changed; what did not is left alone. The province is looked for again.
  assert.equal(
    rows.map(({ updated_at, province }) => [updated_at > now, province === null]),
    [
      [true, true],
      [false, false],
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ],
  )
  await fillProvinceBatch(db, 100)
  assert.is((await row(dogs[0]!.id)).province, '28')
  const other = await row(still.id)
  assert.equal([other.zone, other.description, other.province], ['Getafe', 'Uno\ndos\ntres\n', '28'])

  const { snapshot } = await db.selectFrom('held').select('snapshot').executeTakeFirstOrThrow()
  assert.not.match(snapshot, 'Mayor 3')
  assert.is(
    parseQuarantinedDog({ snapshot } as Parameters<typeof parseQuarantinedDog>[0]).dog.zone,
    'Calle Mayor, Getafe',
  )
  await restoreDog(db, held.id)
  const back = await row(held.id)
  assert.equal([back.zone, back.description, back.province], ['Calle Mayor, Getafe', 'Uno\ndos', '28'])
  const keys = await db.selectFrom('geocodes').select('key').execute()
  assert.equal(keys, [{ key: 'villa inventada' }])
  await db.destroy()
})

migration('removes house numbers without a street word before them', async () => {
  const db = sqliteDb()
  const now = Date.now() - 1000
  const zones = [
    ['Mayor 45, Madrid', 'Mayor, Madrid'],
    ['Alcalá 120 2ºB Madrid', 'Alcalá Madrid'],
    ['45 Calle Mayor', 'Calle Mayor'],
    ['Calle Mayor45', 'Calle Mayor'],
    ['Distrito 22, Madrid', 'Distrito 22, Madrid'],
    ['Los 40', 'Los 40'],
    ['Getafe', 'Getafe'],
    [null, null],
  ] as const
  const [, ...dogs] = await seed(db, member(), ...zones.map(([zone]) => dog({ zone, created_at: now })))
  const [, held] = await seed(db, member(), dog({ zone: 'Mayor 45, Getafe' }))
  await quarantineDog(db, held.id, 'admin')
  for (const key of ['mayor 45 madrid', 'villa inventada'])
    await db.insertInto('geocodes').values({ key, lon: 1, lat: 1, place_name: 'x', created_at: now }).execute()

  await migrations[SECOND_MIGRATION]!.up(db)

  const row = (id: string) => db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  for (const [index, [before, after]] of zones.entries()) {
    const { zone, updated_at, province } = await row(dogs[index]!.id)
    const isChanged = before !== after
    assert.equal([zone, updated_at > now, province === null], [after, isChanged, isChanged], String(before))
  }
  const { snapshot } = await db.selectFrom('held').select('snapshot').executeTakeFirstOrThrow()
  assert.not.match(snapshot, 'Mayor 45')
  await restoreDog(db, held.id)
  const back = await row(held.id)
  assert.equal([back.zone, back.province], ['Mayor, Getafe', '28'])
  assert.equal(await db.selectFrom('geocodes').select('key').execute(), [{ key: 'villa inventada' }])
  await db.destroy()
})

migration('imports only Kysely', () => {
  for (const name of [`base/${MIGRATION}`, SECOND_MIGRATION])
    assert.not.match(readFileSync(`db/migrations/${name}.ts`, 'utf8'), /from '(?!kysely)/, name)
})

migration.run()
