import { needsReview } from '#features/contact/refusals.server.ts'
import { hashNetwork } from '#features/contact/sender-networks.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { judgeSighting } from '#features/sightings/judge.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, member, seed, type WorldOf } from '#tests/support/suites.ts'

const networks = dbSuite('unit/sightings/refusing-networks', {}, async () => ({ now: Date.now() }))
type World = WorldOf<typeof networks>

const SENDER = '192.0.2.7'

/** An established owner refuses a sighting of their lost dog, which the sender sent. @param owner default: another one each time */
async function refuseFrom(t: World, network: string, owner?: CurrentUser): Promise<CurrentUser> {
  const [other, lost] = await seed(t.db, member(), dog())
  const by = owner ?? other
  await makeEstablishedMembers(t.db, [by.id], lost.id)
  await t.db.updateTable('dogs_all').set({ owner_id: by.id }).where('id', '=', lost.id).execute()
  await addLostCase(t.db, { dogId: lost.id, ownerId: by.id })
  const input = { at: t.now, point: null, zone: 'Getafe, Madrid', words: '' }
  const sighting = { dogId: lost.id, input, photo: null, userId: null, network: SENDER }
  const { id } = await addSighting(t.db, sighting, t.now)
  // Sightings that wait for the admin are not the owner's yet.
  await t.db.updateTable('sightings_all').set({ hidden: 0 }).where('id', '=', id).execute()
  await judgeSighting(t.db, by, id, 'refuse', { network, now: t.now })
  return by
}
const isSenderReviewed = async ({ db, now }: World) =>
  needsReview(db, { memberId: null, networks: await hashNetwork(db, SENDER, now) }, now)

networks('three owners of three networks send a sender to review', async (t) => {
  for (let n = 0; n < 3; n++) await refuseFrom(t, `198.51.100.${n}`)
  assert.ok(await isSenderReviewed(t))
})

networks('owners of one network count once, though each refuses another sighting', async (t) => {
  for (let n = 0; n < 4; n++) await refuseFrom(t, '198.51.100.20')
  assert.not.ok(await isSenderReviewed(t))
  // All networks of one IPv6 site are one.
  for (let n = 0; n < 4; n++) await refuseFrom(t, `2001:db8:7:${n}::/64`)
  assert.not.ok(await isSenderReviewed(t))
  await refuseFrom(t, '198.51.100.21')
  assert.ok(await isSenderReviewed(t))
})

networks('one owner counts once, from whichever networks they refuse', async (t) => {
  const ana = await refuseFrom(t, '198.51.100.1')
  for (let n = 2; n < 5; n++) await refuseFrom(t, `198.51.100.${n}`, ana)
  assert.not.ok(await isSenderReviewed(t))
})

networks('a network is the same one from day to day, for as long as its refusals are kept', async (t) => {
  const start = t.now
  for (let day = 0; day < 6; day++) {
    t.now = start + day * DAY_MS
    await deleteExpiredRows(t.db, t.now, ['sighting_refusals', 'sighting_keys'])
    await refuseFrom(t, '198.51.100.20')
  }
  const names = await t.db.selectFrom('sighting_refusals').select('owner_network').execute()
  assert.is(new Set(names.map(({ owner_network }) => owner_network)).size, 1)
  await refuseFrom(t, '198.51.100.21')
  assert.not.ok(await isSenderReviewed(t))
})

networks('owners whose network is not known count one by one', async (t) => {
  for (let n = 0; n < 3; n++) await refuseFrom(t, '198.51.100.20')
  await t.db.updateTable('sighting_refusals').set({ owner_network: null }).execute()
  assert.ok(await isSenderReviewed(t))
})
