import { sql } from 'kysely'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { eraseNotices } from '#features/found/erase.server.ts'
import {
  matchLostCase,
  matchNotice,
  selectCasesNear,
  selectNoticesNear,
  SETTLE_MS,
} from '#features/found/matching.server.ts'
import { deleteExpiredNotices } from '#features/found/retention.server.ts'
import { scanLostCases } from '#features/found/scan.server.ts'
import { notifyWaitingOwners, selectUntoldPage, selectWaitingMatches } from '#features/found/notify-owners.server.ts'
import { endedAlerts } from '#features/lost/alerts/ended-alerts.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, captureConsole, type Db, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { update } from '#tests/support/rows.ts'

const test = dbSuite('unit/found/matching')

const NOW = Date.now()
/** When a case that was opened now is compared. */
const SETTLED = NOW + SETTLE_MS
const MADRID = { lat: 40.4168, lon: -3.7038 }

const addCase = (db: Db, dog_id: string, owner_id: string, fields: object = {}): Promise<string> => {
  const place = { zone: 'Madrid, Madrid', lat: 41, lon: -4, shown_lat: MADRID.lat, shown_lon: MADRID.lon }
  return addLostCase(db, { dog_id, owner_id, ...place, opened_at: NOW, ...fields })
}

const told = async (db: Db, userId: string) =>
  await db.selectFrom('notifications').select(['title', 'content', 'link']).where('user_id', '=', userId).execute()

test('an owner is told once of a found dog near theirs, in a band', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  const notice = await addNotice(db)
  assert.is(await matchNotice(db, notice, NOW), 1)
  await matchNotice(db, notice, NOW)
  assert.is(await scanLostCases(db, undefined, SETTLED + 1), 1)
  const [line, ...others] = await told(db, ana.id)
  assert.equal(
    [line!.title, line!.link, others.length],
    ['¿Será el tuyo? Han encontrado un perro', `/encontrados/${notice}`, 0],
  )
  assert.match(line!.content, 'a menos de 5 km')
})

test('a case that is opened later is compared once, and again when it changes', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addNotice(db)
  const id = await addCase(db, toby.id, ana.id, { shown_lat: 43 })
  assert.is(await scanLostCases(db, undefined, SETTLED + 1), 1)
  assert.is(await scanLostCases(db, undefined, SETTLED + 1), 0)
  assert.is((await told(db, ana.id)).length, 0)
  await update(db, 'lost_cases', { id }, { shown_lat: MADRID.lat, updated_at: NOW + 1 })
  assert.equal([await scanLostCases(db, undefined, SETTLED + 1), (await told(db, ana.id)).length], [1, 1])
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
  await addDeletionRow(db, bea.id)
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

/** Of a member who has been here for a while: visitors have a share of the day's five alone. */
async function seedFinder(db: Db): Promise<{ member_id: string; secret_hash: null }> {
  const [{ id }] = await seed(db, member(), dog({ created_at: NOW - 8 * DAY_MS }))
  await update(db, 'users', { id }, { created_at: NOW - 15 * DAY_MS })
  return { member_id: id, secret_hash: null }
}

test('an owner is told of five notices a day at most', async ({ db }) => {
  const finder = await seedFinder(db)
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  for (let i = 0; i < 7; i++) await matchNotice(db, await addNotice(db, finder), NOW)
  assert.is((await told(db, ana.id)).length, 5)
})

test('a sixth notice of a day is told the next day, the likest first, also where the search is opened again', async ({
  db,
}) => {
  const finder = await seedFinder(db)
  const [ana, toby] = await seed(db, member(), dog())
  const open = await addCase(db, toby.id, ana.id)
  const add = (fields = {}) => addNotice(db, { expires_at: NOW + 9 * DAY_MS, ...finder, ...fields })
  for (let i = 0; i < 7; i++) await matchNotice(db, await add(), NOW)
  assert.is(await notifyWaitingOwners(db, undefined, NOW), 0)
  const likest = await add({ size: toby.size, breed_slug: toby.breed_slug, shown_lat: MADRID.lat })
  await matchNotice(db, likest, NOW)
  assert.is((await told(db, ana.id)).length, 5)
  // Another case of the same day.
  await db.deleteFrom('lost_cases').where('id', '=', open).execute()
  await runDueJobs(db, [endedAlerts])
  assert.equal(await told(db, ana.id), [], 'the lines of the ended search lead nowhere')
  await addCase(db, toby.id, ana.id)
  await scanLostCases(db, undefined, SETTLED)
  assert.equal([await notifyWaitingOwners(db, undefined, SETTLED), (await told(db, ana.id)).length], [0, 0])
  assert.is(await notifyWaitingOwners(db, undefined, NOW + DAY_MS), 5)
  assert.is((await told(db, ana.id)).filter(({ link }) => link === `/encontrados/${likest}`).length, 1)
  assert.equal(
    [
      await notifyWaitingOwners(db, undefined, NOW + DAY_MS),
      await notifyWaitingOwners(db, undefined, NOW + 2 * DAY_MS),
    ],
    [0, 3],
  )
})

test('what a banned member found is told when the ban is over, and never across a block', async ({ db }) => {
  const [finder, ana, toby] = await seed(db, member(), member(), dog())
  const [bea, luna] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  await addCase(db, luna.id, bea.id)
  await ban(db, finder.id, { until: NOW + DAY_MS, reason: 'Insultos.' })
  const found = { member_id: finder.id, secret_hash: null, expires_at: NOW + 9 * DAY_MS }
  await matchNotice(db, await addNotice(db, found), NOW)
  await addBlock(db, bea, finder.id)
  assert.is(await notifyWaitingOwners(db, undefined, NOW), 0)
  assert.is(await notifyWaitingOwners(db, undefined, NOW + 2 * DAY_MS), 1)
  assert.equal([(await told(db, ana.id)).length, (await told(db, bea.id)).length], [1, 0])
})

test('a notice that waits for the admin is told to nobody', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  await matchNotice(db, await addNotice(db, { hidden: 1 }), NOW)
  assert.equal([await notifyWaitingOwners(db, undefined, NOW), await told(db, ana.id)], [0, []])
})

test('a case is compared ten seconds after it was written, with what was written beside it', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const id = await addCase(db, toby.id, ana.id)
  assert.is(await scanLostCases(db, undefined, SETTLED - 1), 0)
  assert.is(await matchLostCase(db, id, SETTLED - 1), 0)
  // Committed after the case, which it did not see.
  await addNotice(db)
  assert.equal([await scanLostCases(db, undefined, SETTLED), (await told(db, ana.id)).length], [1, 1])
})

test('a hidden dog is compared when it is shown again', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addCase(db, toby.id, ana.id)
  await addNotice(db)
  await db.transaction().execute((trx) => hideDog(trx, toby.id, 'admin'))
  assert.is(await scanLostCases(db, undefined, SETTLED), 0)
  await db.transaction().execute((trx) => showDog(trx, toby.id, undefined, SETTLED))
  assert.equal([await scanLostCases(db, undefined, SETTLED), (await told(db, ana.id)).length], [1, 1])
})

test('of many notices a case keeps the hundred that look most like it', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const id = await addCase(db, toby.id, ana.id)
  for (let i = 0; i < 103; i++) await addNotice(db)
  const likest = await addNotice(db, { size: toby.size, breed_slug: toby.breed_slug, created_at: NOW - DAY_MS })
  assert.is(await matchLostCase(db, id, SETTLED), 100)
  const kept = await db.selectFrom('found_matches').select('notice_id').execute()
  assert.is(kept.length, 100)
  assert.ok(kept.some(({ notice_id }) => notice_id === likest))
})

onlyOnSqlite(test)('a case that fails holds up no other', async ({ db }) => {
  const [ana, toby, bea, luna] = await seed(db, member(), dog(), member(), dog())
  const failing = '00000000-0000-4000-8000-000000000000'
  await addCase(db, toby.id, ana.id, { id: failing })
  await addCase(db, luna.id, bea.id)
  await addNotice(db)
  await sql
    .raw(
      `CREATE TRIGGER failing BEFORE INSERT ON found_scans WHEN new.case_id = '${failing}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    )
    .execute(db)
  using _ = captureConsole()
  assert.is(await scanLostCases(db, undefined, SETTLED), 1)
  assert.equal([(await told(db, ana.id)).length, (await told(db, bea.id)).length], [0, 1])
  await sql.raw('DROP TRIGGER failing').execute(db)
  assert.is(await scanLostCases(db, undefined, SETTLED), 1, 'in the next round')
})

test('a notice goes with its finder’s account and when it expires, with all that belongs to it', async ({ db }) => {
  const [finder, ana, toby] = await seed(db, member(), member(), dog())
  await addCase(db, toby.id, ana.id)
  const notice = await addNotice(db, { member_id: finder.id, secret_hash: null })
  await matchNotice(db, notice, NOW)
  await db.insertInto('found_photos').values({ notice_id: notice, data: 'x', width: 1, height: 1 }).execute()
  await eraseNotices(db, finder.id, 10)
  const expiring = await addNotice(db)
  assert.equal([await deleteExpiredNotices(db, NOW), await deleteExpiredNotices(db, NOW + 2 * DAY_MS)], [0, 1])
  assert.ok(expiring)
  for (const table of ['found_notices_all', 'found_photos', 'found_matches'] as const)
    assert.equal(await db.selectFrom(table).selectAll().execute(), [], table)
})

test('lost dogs and notices near a point are read by an index of the points that others see', async () => {
  await using db = sqliteDb()
  const plans = await explainQueries(db, async (db) => {
    await selectCasesNear(db, MADRID, null, NOW).execute()
    await selectNoticesNear(db, MADRID, 'x', NOW).execute()
    await selectWaitingMatches(db, NOW, selectUntoldPage(db)).execute()
  })
  const text = JSON.stringify(plans)
  assert.match(text, 'lost_cases_shown')
  assert.match(text, 'found_notices_shown')
  assert.match(text, 'USING INDEX found_matches_told (told_at=? AND score>?)')
})
