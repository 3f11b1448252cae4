import { needsReview } from '#features/contact/refusals.server.ts'
import { matchNotice } from '#features/found/matching.server.ts'
import { reportNotice } from '#features/found/reports.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { assert, type CurrentUser, dbSuite, dog, member, seed, type WorldOf } from '#tests/support/suites.ts'

const networks = dbSuite('unit/found/report-networks', {}, async ({ db }) => {
  const now = Date.now()
  /** Of long standing; each was told of the notice. */
  const owners: CurrentUser[] = []
  const place = { shown_lat: 40.305, shown_lon: -3.731 }
  const dogs: string[] = []
  for (let n = 0; n < 3; n++) {
    const [owner, lost] = await seed(db, member(), dog())
    await addLostCase(db, { dog_id: lost.id, owner_id: owner.id, opened_at: now - HOUR_MS, ...place })
    owners.push(owner)
    dogs.push(lost.id)
  }
  const ids = owners.map(({ id }) => id)
  await makeEstablishedMembers(db, ids, dogs[0]!)
  const id = await addNotice(db, { network: 'sender', expires_at: now + 9 * DAY_MS, ...place })
  await matchNotice(db, id, now)
  return { now, owners, id }
})
type World = WorldOf<typeof networks>

const report = ({ db, id, now }: World, { id: userId }: CurrentUser, network: string) =>
  reportNotice(db, { userId, secrets: new Map() }, id, { reason: 'money', network }, { now })
const stateOf = async ({ db }: World) =>
  (await db.selectFrom('found_notices').select('state').executeTakeFirst())?.state ?? 'review'
const isSenderReviewed = ({ db, now }: World) => needsReview(db, { memberId: null, networks: ['sender'] }, now)

networks('three owners of one network hide nothing, nor is its sender reviewed', async (t) => {
  for (const owner of t.owners) await report(t, owner, '198.51.100.20')
  assert.equal([await stateOf(t), await isSenderReviewed(t)], ['open', false])
  assert.is((await t.db.selectFrom('found_reports').select('id').execute()).length, 3, 'the admin reads them')
})

networks('three owners of three networks hide it', async (t) => {
  for (const [n, owner] of t.owners.entries()) await report(t, owner, `198.51.100.${n}`)
  assert.equal([await stateOf(t), await isSenderReviewed(t)], ['review', true])
})

networks('a network is known again on the next day', async (t) => {
  for (const owner of t.owners) {
    await report(t, owner, '198.51.100.20')
    t.now += DAY_MS - HOUR_MS
  }
  assert.is((await t.db.selectFrom('found_reports').select('network').distinct().execute()).length, 1)
  assert.is(await stateOf(t), 'open')
})

networks('all networks of one IPv6 site are one', async (t) => {
  for (const [n, owner] of t.owners.entries()) await report(t, owner, `2001:db8:7:${n}::/64`)
  assert.is(await stateOf(t), 'open')
})
