import { sql } from 'kysely'
import { migrations } from '#db/migrations/index.ts'
import { closeStep, loadOwnFacts } from '#features/account/first-days/first-days.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { assert, dbSuite, dog, member, pluck, seed } from '#tests/support/suites.ts'

const days = dbSuite('unit/account/first-days')

const GENERATED = 'Perrit4711'

days('an alias is asked for once others see a dog or a comment under a generated one', async ({ db }) => {
  const [{ id }] = await seed(db, member())
  const isAsked = async (facts = {}) =>
    (await loadOwnFacts(db, { id, alias: GENERATED, dogs: 0, ...facts })).isAliasAsked
  assert.is(await isAsked(), false)
  assert.is(await isAsked({ dogs: 1 }), true)
  assert.is(await isAsked({ dogs: 1, alias: 'Ana' }), false)
  assert.is(await isAsked({ dogs: 1, alias: 'Perrito Feliz' }), false, 'chosen, whatever it looks like')
  const [toby] = await seed(db, dog({ name: 'Toby' }))
  await db
    .insertInto('comments_all')
    .values({ id: crypto.randomUUID(), dog_id: toby.id, user_id: id, content: 'Hola', created_at: 1 })
    .execute()
  assert.is(await isAsked(), true)
})

days('what is dismissed does not come back, until the account is erased', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const isAsked = async ({ id }: { id: string }) =>
    (await loadOwnFacts(db, { id, alias: GENERATED, dogs: 1 })).isAliasAsked
  await closeStep(db, ana.id, 'alias')
  await closeStep(db, ana.id, 'alias')
  await closeStep(db, luis.id, 'all')
  assert.equal([await isAsked(ana), await isAsked(luis)], [false, false])
  await eraseRows(db, luis.id)
  assert.equal(pluck((await readAllRows(db)).first_days!, 'user_id'), [ana.id])
})

days('members from before are not asked', async () => {
  const db = sqliteDb()
  const [ana] = await seed(db, member())
  await sql`DROP TABLE first_days`.execute(db)
  await migrations['2026-11-26-2136-first-days']!.up(db)
  const [luis] = await seed(db, member())
  assert.is((await loadOwnFacts(db, { id: ana.id, alias: GENERATED, dogs: 1 })).isAliasAsked, false)
  assert.is((await loadOwnFacts(db, { id: luis.id, alias: GENERATED, dogs: 1 })).isAliasAsked, true)
})
