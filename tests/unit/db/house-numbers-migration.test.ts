import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { migrate } from '#db/client.ts'
import { provinces } from '#features/dogs/backfills.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { openDatabaseBefore } from '#tests/support/earlier-databases/before-migration.ts'
import { assert, type Db, suite } from '#tests/support/suites.ts'

const MIGRATION = '2026-11-22-1724-house-numbers'
const SECOND_MIGRATION = '2026-11-23-1855-unmarked-house-numbers'
const migration = suite('unit/db/house-numbers-migration')

interface Texts {
  zone: string | null
  description?: string
}

const columnsOf = ({ zone, description }: Texts, now: number) => ({
  id: randomUUID(),
  name: 'Toby',
  breed: 'Beagle',
  breed_slug: 'beagle',
  photo_url: '/x.jpg',
  path_breed: 'beagle',
  path_slug: randomUUID(),
  zone,
  description: description ?? null,
  province: '28',
  day: 1,
  created_at: now,
  updated_at: now,
})

/** A dog of before. @returns its id */
async function addDog(db: Db, texts: Texts, now = 1): Promise<string> {
  const columns = columnsOf(texts, now)
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`INSERT INTO dogs (${names}) VALUES (${sql.join(Object.values(columns))})`.execute(db)
  return columns.id
}

/** The same, hidden: it lay in `held`. */
async function addHiddenDog(db: Db, texts: Texts): Promise<string> {
  const dog = columnsOf(texts, 1)
  await sql`INSERT INTO held (kind, thing_id, dog_id, cause, created_at, snapshot)
    VALUES ('dog', ${dog.id}, ${dog.id}, 'admin', 1, ${JSON.stringify({ dog })})`.execute(db)
  return dog.id
}

const addGeocode = (db: Db, key: string) =>
  sql`INSERT INTO geocodes (key, lon, lat, place_name, created_at) VALUES (${key}, 1, 1, 'x', ${Date.now()})`.execute(
    db,
  )

const row = (db: Db, id: string) => db.selectFrom('dogs_all').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

migration('removes house numbers from rows, hidden ones too', async () => {
  await using db = await openDatabaseBefore(MIGRATION)
  const now = Date.now() - 1000
  const zones = [
    'Calle de Alcalá, 45, Madrid',
    'Distrito 22, Madrid',
    'Plaza 2 de Mayo 7',
    'Calle Mayor sn',
    'Getafe',
    null,
  ]
  const dogs: string[] = []
  for (const zone of zones) dogs.push(await addDog(db, { zone }, now))
  const hidden = await addHiddenDog(db, { zone: 'Calle Mayor 3, Getafe', description: 'Uno\r\ndos' })
  const still = await addDog(db, { zone: 'Getafe', description: 'Uno\r\ndos\rtres\u2028' })
  for (const key of ['calle de alcala 45 madrid', 'villa inventada']) await addGeocode(db, key)

  await migrate(db)

  const rows = await Promise.all(dogs.map((id) => row(db, id)))
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
  await runDueJobs(db, [provinces])
  assert.is((await row(db, dogs[0]!)).province, '28')
  const other = await row(db, still)
  assert.equal([other.zone, other.description, other.province], ['Getafe', 'Uno\ndos\ntres\n', '28'])

  const back = await row(db, hidden)
  assert.ok(back.hidden > 0)
  assert.equal([back.zone, back.description, back.province], ['Calle Mayor, Getafe', 'Uno\ndos', '28'])
  const keys = await db.selectFrom('geocodes').select('key').execute()
  assert.equal(keys, [{ key: 'villa inventada' }])
})

migration('removes house numbers without a street word before them', async () => {
  await using db = await openDatabaseBefore(SECOND_MIGRATION)
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
  const dogs: string[] = []
  for (const [zone] of zones) dogs.push(await addDog(db, { zone }, now))
  const hidden = await addHiddenDog(db, { zone: 'Mayor 45, Getafe' })
  for (const key of ['mayor 45 madrid', 'villa inventada']) await addGeocode(db, key)

  await migrate(db)

  for (const [index, [before, after]] of zones.entries()) {
    const { zone, updated_at, province } = await row(db, dogs[index]!)
    const isChanged = before !== after
    assert.equal([zone, updated_at > now, province === null], [after, isChanged, isChanged], String(before))
  }
  await runDueJobs(db, [provinces])
  const back = await row(db, hidden)
  assert.equal([back.zone, back.province], ['Mayor, Getafe', '28'])
  assert.equal(await db.selectFrom('geocodes').select('key').execute(), [{ key: 'villa inventada' }])
})

migration('imports only Kysely', () => {
  for (const name of [`base/${MIGRATION}`, SECOND_MIGRATION])
    assert.not.match(readFileSync(`db/migrations/${name}.ts`, 'utf8'), /from '(?!kysely)/, name)
})
