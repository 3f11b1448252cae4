import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { eraseUser } from '#features/found/erase.server.ts'
import { FOUND_TITLE, matchNotice, selectCasesNear, selectNoticesNear } from '#features/found/matching.server.ts'
import { deleteExpiredNotices } from '#features/found/retention.server.ts'
import { scanLostCases } from '#features/found/scan.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { freshDb, sqliteDb } from '#tests/support/db.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const test = suite<{ db: Db }>('unit/found/matching')
test.before.each((t) => {
  t.db = freshDb()
})
test.after.each(({ db }) => db.destroy())

const NOW = Date.now()
const MADRID = { lat: 40.4168, lon: -3.7038 }

async function addCase(db: Db, dogId: string, ownerId: string, fields: object = {}): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('lost_cases')
    .values({
      id,
      dog_id: dogId,
      owner_id: ownerId,
      since: NOW - DAY_MS,
      zone: 'Madrid, Madrid',
      province: '28',
      lat: 41,
      lon: -4,
      shown_lat: MADRID.lat,
      shown_lon: MADRID.lon,
      help: '',
      chip: null,
      code: id,
      opened_at: NOW,
      updated_at: NOW,
      questions: 0,
      asked_at: null,
      due_at: NOW + DAY_MS,
      ...fields,
    })
    .execute()
  return id
}

const told = async (db: Db, userId: string) =>
  await db.selectFrom('notifications').select(['title', 'content', 'link']).where('user_id', '=', userId).execute()

test('an owner is told once of a found dog near theirs, in a band', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  const notice = await addNotice(db)
  assert.is(await matchNotice(db, notice, NOW), 1)
  await matchNotice(db, notice, NOW)
  assert.is(await scanLostCases(db, undefined, NOW), 1)
  const [line, ...others] = await told(db, ana.id)
  assert.equal([line!.title, line!.link, others.length], [FOUND_TITLE, `/encontrados/${notice}`, 0])
  assert.match(line!.content, 'a menos de 5 km')
})

test('a case that is opened later is compared once, and again when it changes', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addNotice(db)
  const id = await addCase(db, toby.id, ana.id, { shown_lat: 43 })
  assert.is(await scanLostCases(db, undefined, NOW), 1)
  assert.is(await scanLostCases(db, undefined, NOW), 0)
  assert.is((await told(db, ana.id)).length, 0)
  await db
    .updateTable('lost_cases')
    .set({ shown_lat: MADRID.lat, updated_at: NOW + 1 })
    .where('id', '=', id)
    .execute()
  assert.is(await scanLostCases(db, undefined, NOW), 1)
  assert.is((await told(db, ana.id)).length, 1)
})

test('the exact point decides nothing', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id, { lat: MADRID.lat, lon: MADRID.lon, shown_lat: 43 })
  assert.is(await matchNotice(db, await addNotice(db), NOW), 0)
})

test('an owner with a block between them and the finder, or who leaves, is not told', async ({ db }) => {
  const [finder, ana, toby, bea, luna] = await seed(db, member(), member(), dog(), member(), dog())
  await addCase(db, toby.id, ana.id)
  await addCase(db, luna.id, bea.id)
  await addBlock(db, ana, finder.id)
  await db
    .insertInto('account_deletions')
    .values({
      user_id: bea.id,
      dogs: 'keep',
      state: 'waiting',
      undo_hash: 'x',
      requested_at: NOW,
      due_at: NOW + DAY_MS,
    })
    .execute()
  assert.is(await matchNotice(db, await addNotice(db, { member_id: finder.id, secret_hash: null }), NOW), 0)
  // Of a visitor's notice only who has stayed is told.
  assert.is(await matchNotice(db, await addNotice(db), NOW), 1)
  assert.equal([(await told(db, ana.id)).length, (await told(db, bea.id)).length], [1, 0])
})

test('nobody is told of what a banned member found', async ({ db }) => {
  const [finder, ana, toby] = await seed(db, member(), member(), dog())
  await addCase(db, toby.id, ana.id)
  await ban(db, finder.id, { until: null, reason: 'Insultos.' })
  await matchNotice(db, await addNotice(db, { member_id: finder.id, secret_hash: null }), NOW)
  assert.is((await told(db, ana.id)).length, 0)
})

test('an owner is told of five notices a day at most', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  for (let i = 0; i < 7; i++) await matchNotice(db, await addNotice(db), NOW)
  assert.is((await told(db, ana.id)).length, 5)
})

test('a notice goes with its finder’s account and when it expires, with all that belongs to it', async ({ db }) => {
  const [finder, ana, toby] = await seed(db, member(), member(), dog())
  await addCase(db, toby.id, ana.id)
  const notice = await addNotice(db, { member_id: finder.id, secret_hash: null })
  await matchNotice(db, notice, NOW)
  await db.insertInto('found_photos').values({ notice_id: notice, data: 'x', width: 1, height: 1 }).execute()
  await eraseUser(db, finder.id)
  const expiring = await addNotice(db)
  assert.is(await deleteExpiredNotices(db, NOW), 0)
  assert.is(await deleteExpiredNotices(db, NOW + 2 * DAY_MS), 1)
  assert.ok(expiring)
  for (const table of ['found_notices', 'found_photos', 'found_matches'] as const)
    assert.equal(await db.selectFrom(table).selectAll().execute(), [], table)
})

test('lost dogs and notices near a point are read by an index of the points that others see', async () => {
  const db = sqliteDb()
  const plans = await explainQueries(db, async (db) => {
    await selectCasesNear(db, MADRID).execute()
    await selectNoticesNear(db, MADRID, NOW).execute()
  })
  const text = JSON.stringify(plans)
  assert.match(text, 'lost_cases_shown')
  assert.match(text, 'found_notices_shown')
  await db.destroy()
})

test.run()
