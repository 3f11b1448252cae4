import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { matchLostCase, matchNotice } from '#features/found/matching.server.ts'
import { readNotice } from '#features/found/notice.server.ts'
import { notifyWaitingOwners, selectUntoldPage } from '#features/found/notify-owners.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { freshDb } from '#tests/support/db.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, type CurrentUser, type Db, dog, insert, member, seed, suite, update } from '#tests/support/suites.ts'

// What many cases or notices of one sender do to those of others.

const test = suite<{ db: Db }>('unit/found/crowded-matching')
test.before.each((t) => void (t.db = freshDb()))
test.after.each(({ db }) => db.destroy())

const NOW = Date.now()
const NEAR = { shown_lat: 40.4268, shown_lon: -3.7038 }

const countNotifications = async (db: Db, userId: string) =>
  (await db.selectFrom('notifications').select('id').where('user_id', '=', userId).execute()).length

test('one owner’s many lost dogs keep no others from a notice', async ({ db }) => {
  const [liar, ana, toby] = await seed(db, member(), member(), dog())
  for (let n = 0; n < 15; n++) {
    const [bait] = await seed(db, dog({ owner_id: liar.id, description: 'Negro y canela' }))
    await addLostCase(db, { dog_id: bait.id, owner_id: liar.id, ...NEAR })
  }
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  assert.is(await matchNotice(db, await addNotice(db, { coat: 'Canela' }), NOW), 3)
  assert.is(await countNotifications(db, ana.id), 1)
})

test('a description that names every colour is like no dog', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ description: 'Negro blanco marrón canela rojo gris atigrado' }))
  const [bea, luna] = await seed(db, member(), dog({ description: 'Canela' }))
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  const honest = await addLostCase(db, { dog_id: luna.id, owner_id: bea.id, ...NEAR })
  await matchNotice(db, await addNotice(db, { coat: 'Canela' }), NOW)
  const [first, second] = await db.selectFrom('found_matches').selectAll().orderBy('score', 'desc').execute()
  assert.is(first!.case_id, honest)
  assert.ok(first!.score > second!.score)
})

test('an owner is notified of two notices of one network a day, and of others', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  for (let n = 0; n < 4; n++) await matchNotice(db, await addNotice(db, { network: 'a' }), NOW)
  assert.is(await countNotifications(db, ana.id), 2)
  await matchNotice(db, await addNotice(db, { network: 'b' }), NOW)
  assert.is(await countNotifications(db, ana.id), 3)
})

const makeEstablished = async (db: Db, user: CurrentUser) => {
  await seed(db, dog({ owner_id: user.id, created_at: NOW - 8 * DAY_MS }))
  await update(db, 'users', { id: user.id }, { created_at: NOW - 15 * DAY_MS })
  return user
}

test('lost dogs of many new accounts keep those of established members from no notice', async ({ db }) => {
  const owners: string[] = []
  for (let n = 0; n < 32; n++) {
    const [owner, lost] = await seed(db, member(), dog())
    if (n < 30) await makeEstablished(db, owner)
    await addLostCase(db, { dog_id: lost.id, owner_id: owner.id, opened_at: NOW - DAY_MS, ...NEAR })
    owners.push(owner.id)
  }
  for (let n = 0; n < 45; n++) {
    const [, bait] = await seed(db, member(), dog({ size: 'mediano', description: 'Canela' }))
    await addLostCase(db, { dog_id: bait.id, owner_id: bait.owner_id!, opened_at: NOW, ...NEAR })
  }
  const { secret, hash } = finderSecret()
  const id = await addNotice(db, { size: 'mediano', coat: 'Canela', secret_hash: hash })
  await db.insertInto('found_photos').values({ notice_id: id, data: 'x', width: 1, height: 1 }).execute()
  assert.is(await matchNotice(db, id, NOW), 40)
  for (const owner of owners.slice(0, 30)) assert.is(await countNotifications(db, owner), 1)
  const notice = await readNotice(db, { userId: null, secrets: new Map([[id, secret]]) }, id, NOW)
  const known = await db.selectFrom('dogs').select('id').where('owner_id', 'in', owners.slice(0, 30)).execute()
  assert.is(notice.dogs.length, 24)
  assert.is(notice.dogs.filter((each) => known.some((one) => one.id === each.id)).length, 18)
})

test('where few others are lost, those of new members take all places', async ({ db }) => {
  for (let n = 0; n < 15; n++) {
    const [owner, lost] = await seed(db, member(), dog())
    await addLostCase(db, { dog_id: lost.id, owner_id: owner.id, ...NEAR })
  }
  assert.is(await matchNotice(db, await addNotice(db), NOW), 15)
})

test('many addresses leave one notice of a day to established members', async ({ db }) => {
  const [ana, toby, luis, eva] = await seed(db, member(), dog(), member(), member())
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  await makeEstablished(db, luis)
  for (let n = 0; n < 6; n++) await matchNotice(db, await addNotice(db, { network: `a${n}` }), NOW)
  await matchNotice(db, await addNotice(db, { member_id: eva.id, secret_hash: null, network: 'b' }), NOW)
  assert.is(await countNotifications(db, ana.id), 4)
  for (let n = 0; n < 3; n++)
    await matchNotice(db, await addNotice(db, { member_id: luis.id, secret_hash: null, network: `c${n}` }), NOW)
  assert.is(await countNotifications(db, ana.id), 5)
})

test('what waits of many addresses holds up nobody behind it', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member(), dog({ size: 'mediano', description: 'Canela' }), member())
  await makeEstablished(db, luis)
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  const far = { expires_at: NOW + 9 * DAY_MS }
  for (let n = 0; n < 55; n++)
    await matchNotice(db, await addNotice(db, { network: `a${n}`, size: 'mediano', coat: 'Canela', ...far }), NOW)
  await ban(db, luis.id, { until: NOW + HOUR_MS, reason: 'x' })
  await matchNotice(db, await addNotice(db, { member_id: luis.id, secret_hash: null, ...far }), NOW)
  assert.is(await countNotifications(db, ana.id), 4)
  assert.is(await notifyWaitingOwners(db, undefined, NOW + 2 * HOUR_MS), 1)
  assert.is(await countNotifications(db, ana.id), 5)
})

test('of many notices a case reads the words of the 150 that are most like it in all else', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ size: 'mediano', description: 'Canela' }))
  const caseId = await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  const sized = { size: 'mediano', coat: 'Negro' }
  for (let n = 0; n < 149; n++) await addNotice(db, sized)
  // Its words make it the likeliest.
  const alike = await addNotice(db, { coat: 'Canela' })
  const isFound = async () => {
    for (const table of ['found_scans', 'found_matches'] as const) await db.deleteFrom(table).execute()
    await matchLostCase(db, caseId, NOW + HOUR_MS)
    const found = db.selectFrom('found_matches').select('score').where('notice_id', '=', alike)
    return (await found.executeTakeFirst()) !== undefined
  }
  assert.ok(await isFound())
  await addNotice(db, sized)
  assert.not(await isFound())
})

test('what waits is looked at page by page, to the end', async ({ db }) => {
  const [liar, bait, ana, toby] = await seed(db, member(), dog(), member(), dog())
  const baitId = await addLostCase(db, { dog_id: bait.id, owner_id: liar.id, ...NEAR })
  const caseId = await addLostCase(db, { dog_id: toby.id, owner_id: ana.id, ...NEAR })
  await db.insertInto('account_erasures').values({ user_id: liar.id, dogs: 'keep', created_at: 1 }).execute()
  const waits = { told_at: null, band_km: 1 }
  for (let n = 0; n < 501; n++)
    await insert(db, 'found_matches', { ...waits, notice_id: await addNotice(db), case_id: baitId, score: 90 })
  await insert(db, 'found_matches', { ...waits, notice_id: await addNotice(db), case_id: caseId, score: 80 })
  assert.is((await selectUntoldPage(db).execute()).length, 500)
  assert.is(await notifyWaitingOwners(db, undefined, NOW), 1)
  assert.is(await countNotifications(db, ana.id), 1)
})
