import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '#db/migrations/index.ts'
import { closeStep, eraseFirstDays, loadFirstDays } from '#features/account/first-days/first-days.server.ts'
import { saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { freshDb, sqliteDb } from '#tests/support/db.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { member, seed } from '#tests/support/seed.ts'

const days = suite('unit/account/first-days')

const NEW = { alias: 'Perrit4711', dogs: 0 }
const stepsOf = (views: Awaited<ReturnType<typeof loadFirstDays>>) => views.map(({ step, isDone }) => [step, isDone])

days('a new member has three steps, each of which is done or dismissed by itself', async () => {
  const db = freshDb()
  const [{ id }] = await seed(db, member())
  const load = (facts = NEW) => loadFirstDays(db, { id, ...facts })
  assert.equal(stepsOf(await load()), [
    ['alias', false],
    ['zone', false],
    ['start', false],
  ])
  assert.equal(stepsOf(await load({ alias: 'Ana', dogs: 1 })), [
    ['alias', true],
    ['zone', false],
    ['start', true],
  ])
  await closeStep(db, id, 'zone')
  await closeStep(db, id, 'zone')
  assert.equal(stepsOf(await load()), [
    ['alias', false],
    ['start', false],
  ])
  assert.equal((await readAllRows(db)).first_days!.length, 1)
})

days('a chosen zone is a step that is done', async () => {
  const db = freshDb()
  const [ana] = await seed(db, member())
  await saveHomeZone(db, ana, { zone: 'Getafe', alert: null, digest: true })
  assert.equal(stepsOf(await loadFirstDays(db, { id: ana.id, ...NEW })), [
    ['alias', false],
    ['zone', true],
    ['start', false],
  ])
})

days('a riddle counts as a beginning', async () => {
  const db = freshDb()
  const [{ id }] = await seed(db, member())
  await db
    .insertInto('riddle_guesses')
    .values({ user_id: id, day: '2026-11-20', position: 1, breed_slug: 'beagle', created_at: 1 })
    .execute()
  assert.equal(stepsOf(await loadFirstDays(db, { id, ...NEW })).at(-1), ['start', true])
})

days('what is over does not come back', async () => {
  const db = freshDb()
  const [ana, luis] = await seed(db, member(), member())
  await closeStep(db, ana.id, 'all')
  assert.equal(await loadFirstDays(db, { id: ana.id, ...NEW }), [])
  await closeStep(db, luis.id, 'zone')
  assert.equal(await loadFirstDays(db, { id: luis.id, alias: 'Luis', dogs: 1 }), [], 'all done')
  assert.equal(await loadFirstDays(db, { id: luis.id, ...NEW }), [], 'nor with a dog that is deleted')
  await eraseFirstDays(db, luis.id)
  assert.equal(
    (await readAllRows(db)).first_days!.map((row) => row.user_id),
    [ana.id],
  )
})

days('a generated alias is one to choose, whatever else it looks like', async () => {
  const db = freshDb()
  const [ana] = await seed(db, member())
  await updateProfile(db, ana, { alias: 'Perrito Feliz', emoji: '🐶' })
  const [alias] = await loadFirstDays(db, { id: ana.id, alias: 'Perrito Feliz', dogs: 0 })
  assert.is(alias!.isDone, true)
})

days('members from before have had their first days', async () => {
  const db = sqliteDb()
  const [ana] = await seed(db, member())
  await sql`DROP TABLE first_days`.execute(db)
  await migrations['2026-11-26-2136-first-days']!.up(db)
  const [luis] = await seed(db, member())
  assert.equal(await loadFirstDays(db, { id: ana.id, ...NEW }), [])
  assert.is((await loadFirstDays(db, { id: luis.id, ...NEW })).length, 3)
})

days.run()
