import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { prepareQuery } from '#db/prepared.ts'
import type { Schema } from '#db/schema.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { assert, type Db, insert, suite } from '#tests/support/suites.ts'

const test = suite<{ db: Db }>('unit/db/prepared-queries')
test.before.each(async (t) => {
  t.db = sqliteDb()
  await insert(t.db, 'totals', [
    { name: 'uno', value: 1 },
    { name: 'dos', value: 2 },
  ])
})
test.after.each(({ db }) => db.destroy())

interface Values {
  name: string
  min?: number | undefined
  ids?: readonly string[] | undefined
}

/** A prepared query that counts how often it was built. */
function countBuilds() {
  const count = { built: 0 }
  const found = prepareQuery((db, { name, min, ids }: Values) => {
    count.built++
    let rows = db.selectFrom('totals').selectAll().where('name', '=', name)
    if (min !== undefined) rows = rows.where('value', '>=', min)
    if (ids) rows = rows.where('name', 'in', ids)
    return rows
  })
  return { count, found }
}

test('a query is built once and run with the values of each call', async ({ db }) => {
  const { count, found } = countBuilds()
  assert.equal(await found(db, { name: 'uno' }), [{ name: 'uno', value: 1 }])
  assert.equal(await found(db, { name: 'dos' }), [{ name: 'dos', value: 2 }])
  assert.equal(await found(db, { name: 'nadie' }), [])
  assert.is(count.built, 1)
})

test('each choice of values and each length of a list is a separate query', async ({ db }) => {
  const { count, found } = countBuilds()
  assert.is((await found(db, { name: 'dos', min: 2 })).length, 1)
  assert.is((await found(db, { name: 'uno', min: 2 })).length, 0)
  assert.is((await found(db, { name: 'uno', min: undefined })).length, 1)
  assert.is((await found(db, { name: 'uno', ids: ['dos'] })).length, 0)
  assert.is((await found(db, { name: 'uno', ids: ['dos', 'uno'] })).length, 1)
  assert.is((await found(db, { name: 'uno', ids: ['tres', 'cuatro'] })).length, 0)
  assert.is((await found(db, { name: 'uno', ids: [] })).length, 0)
  // min; neither; one id; two; none.
  assert.is(count.built, 5)
})

test('it runs inside a transaction and reads its writes', async ({ db }) => {
  await db.transaction().execute(async (trx) => {
    const { found } = countBuilds()
    await trx.insertInto('totals').values({ name: 'tres', value: 3 }).execute()
    assert.is((await found(trx, { name: 'tres' })).length, 1)
  })
})

/** A PostgreSQL that answers every query with no rows and writes down what it is sent. */
function openSilentPostgres() {
  const sent: string[] = []
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (on) => new PostgresIntrospector(on),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void sent.push(query.sql),
  })
  return { db, sent }
}

test('a query that was compiled for SQLite is compiled again for PostgreSQL, in a transaction too', async ({ db }) => {
  const { count, found } = countBuilds()
  const postgres = openSilentPostgres()
  await found(db, { name: 'uno' })
  await found(postgres.db, { name: 'uno' })
  await postgres.db.transaction().execute((trx) => found(trx, { name: 'dos' }))
  assert.equal(
    postgres.sent.map((text) => /where "name" = (\S+)/.exec(text)?.[1]),
    ['$1', '$1'],
  )
  assert.equal(await found(db, { name: 'uno' }), [{ name: 'uno', value: 1 }])
  assert.is(count.built, 2)
})

test('databases of one dialect share a compiled query', async ({ db }) => {
  const { count, found } = countBuilds()
  await using other = sqliteDb()
  await found(db, { name: 'uno' })
  assert.equal(await found(other, { name: 'uno' }), [])
  assert.is(count.built, 1)
})
