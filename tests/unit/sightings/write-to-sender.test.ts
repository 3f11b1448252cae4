import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { listSightings } from '#features/sightings/list.server.ts'
import { openSenderThread, renewSecret } from '#features/sightings/write-to-sender.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, member, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'

const sender = dbSuite(
  'unit/sightings/write-to-sender',
  { ana: member(), toby: dog(), luis: member() },
  async ({ db, ana, toby }) => {
    const dogId = toby.id
    await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
    return { dogId }
  },
)
type World = WorldOf<typeof sender>

const NETWORK = '192.0.2.1'
const send = async ({ db, dogId }: World, from: { userId?: string; secretHash?: string } = {}) => {
  const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: '' }
  const { userId = null, secretHash = null } = from
  return (await addSighting(db, { dogId, input, photo: null, userId, secretHash, network: NETWORK })).id
}
const statusOf = async ({ db }: World, user: CurrentUser | null, id: string) =>
  (await refusal(openSenderThread(db, user, id)))[0]

sender('an owner writes to a member and to a device, and finds what is open', async (t) => {
  const { db, ana, luis } = t
  const { hash } = finderSecret()
  const ids = [
    await send(t, { userId: luis.id }),
    await send(t, { secretHash: hash }),
    await send(t, { secretHash: hash }),
  ]
  const threads: string[] = []
  for (const id of ids) threads.push((await openSenderThread(db, ana, id)).id)
  assert.is(threads[1], threads[2])
  assert.is(new Set(threads).size, 2)
  const rows = await db.selectFrom('contact_threads').select(['member_id', 'finder_id', 'secret_hash']).execute()
  assert.equal(
    rows.map(({ member_id, finder_id, secret_hash }) => [member_id, finder_id, secret_hash]).toSorted(),
    [
      [ana.id, luis.id, null],
      [ana.id, null, hash],
    ].toSorted(),
  )
})

sender('nobody is written to who cannot be, and nobody else writes', async (t) => {
  const { db, ana, luis } = t
  const [own, nameless, id] = [await send(t, { userId: ana.id }), await send(t), await send(t, { userId: luis.id })]
  const { sightings } = await listSightings(db, ana, t.dogId)
  assert.equal(
    pluck(
      sightings.filter((each) => each.can_write),
      'id',
    ),
    [id],
  )
  assert.is(await statusOf(t, ana, own), 409)
  assert.is(await statusOf(t, ana, nameless), 409)
  assert.is(await statusOf(t, null, id), 401)
  assert.is(await statusOf(t, luis, id), 404)
  await ban(db, ana.id, { until: null, reason: 'No' })
  assert.is(await statusOf(t, ana, id), 403)
  await db.deleteFrom('bans').execute()
  await addBlock(db, luis, ana.id)
  assert.is(await statusOf(t, ana, id), 403)
  await db.deleteFrom('blocks').execute()
  await db.updateTable('sightings_all').set({ hidden: 1 }).where('id', '=', id).execute()
  assert.is(await statusOf(t, ana, id), 404)
  await db.updateTable('sightings_all').set({ hidden: 0 }).where('id', '=', id).execute()
  await addDeletionRow(db, luis.id)
  assert.is(await statusOf(t, ana, id), 404)
})

sender('another secret takes the first one’s place until a conversation hangs on it', async (t) => {
  const { db, ana, luis } = t
  const [one, other] = [finderSecret(), finderSecret()]
  const id = await send(t, { secretHash: one.hash })
  assert.ok(await renewSecret(db, id, { hash: other.hash, network: NETWORK }))
  await openSenderThread(db, ana, id)
  assert.ok(await renewSecret(db, id, { hash: other.hash, network: NETWORK }))
  assert.not.ok(await renewSecret(db, id, { hash: one.hash, network: NETWORK }))
  assert.is(hashSecret(other.secret), other.hash)
  // A member's has none.
  const own = await send(t, { userId: luis.id })
  assert.not.ok(await renewSecret(db, own, { hash: one.hash, network: NETWORK }))
})

sender('no other network puts its secret on a sighting, nor any once the networks are forgotten', async (t) => {
  const [one, other] = [finderSecret(), finderSecret()]
  const id = await send(t, { secretHash: one.hash })
  assert.not.ok(await renewSecret(t.db, id, { hash: other.hash, network: '198.51.100.1' }))
  const tomorrow = Date.now() + DAY_MS
  assert.ok(await renewSecret(t.db, id, { hash: one.hash, network: NETWORK }, tomorrow))
  await t.db.updateTable('sightings_all').set({ network: null }).execute()
  assert.not.ok(await renewSecret(t.db, id, { hash: other.hash, network: NETWORK }))
})
