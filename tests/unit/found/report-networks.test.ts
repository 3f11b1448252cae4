import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { needsReview } from '#features/contact/refusals.server.ts'
import { matchNotice } from '#features/found/matching.server.ts'
import { reportNotice } from '#features/found/reports.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { freshDb } from '#tests/support/db.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  /** Of long standing; each was told of the notice. */
  owners: CurrentUser[]
  id: string
  now: number
}
const networks = suite<World>('unit/found/report-networks')
networks.before.each(async (t) => {
  t.db = freshDb()
  t.now = Date.now()
  t.owners = []
  const place = { shown_lat: 40.305, shown_lon: -3.731 }
  const dogs: string[] = []
  for (let n = 0; n < 3; n++) {
    const [owner, lost] = await seed(t.db, member(), dog())
    await addLostCase(t.db, { dog_id: lost.id, owner_id: owner.id, opened_at: t.now - HOUR_MS, ...place })
    t.owners.push(owner)
    dogs.push(lost.id)
  }
  const ids = t.owners.map(({ id }) => id)
  await makeEstablishedMembers(t.db, ids, dogs[0]!)
  t.id = await addNotice(t.db, { network: 'sender', expires_at: t.now + 9 * DAY_MS, ...place })
  await matchNotice(t.db, t.id, t.now)
})
networks.after.each(({ db }) => db.destroy())

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

networks.run()
