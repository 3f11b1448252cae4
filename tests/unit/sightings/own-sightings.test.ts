import { decideReview } from '#features/admin/review/queue.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { countSightings } from '#features/lost/sighting-count.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { judgeSighting } from '#features/sightings/judge.server.ts'
import { listSightings } from '#features/sightings/list.server.ts'
import { listOwnSightings, type SightingSender, withdrawSighting } from '#features/sightings/own-sightings.server.ts'
import { openSenderThread } from '#features/sightings/write-to-sender.server.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, type CurrentUser, dbSuite, dog, member, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

const own = dbSuite(
  'unit/sightings/own-sightings',
  { luis: member(), ana: member(), toby: dog() },
  async ({ db, ana, toby }) => {
    const dogId = toby.id
    const caseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
    return { dogId, caseId }
  },
)
type World = WorldOf<typeof own>

const photo = { data: Buffer.from('jpeg'), width: 800, height: 600, ext: 'jpg', blur: '' } as const
const send = async ({ db, dogId }: World, { userId, secretHash }: SightingSender) => {
  const input = { at: Date.now(), point: { lat: 40.31234, lon: -3.71234 }, zone: 'Getafe, Madrid', words: 'Allí.' }
  return (await addSighting(db, { dogId, input, photo, userId, secretHash, network: '192.0.2.1' })).id
}
const nobody: SightingSender = { userId: null, secretHash: null }
const as = ({ id }: CurrentUser): SightingSender => ({ ...nobody, userId: id })
const device = (): SightingSender => ({ ...nobody, secretHash: finderSecret().hash })
const withdraw = ({ db }: World, id: string, sender: SightingSender) => withdrawSighting(db, id, () => sender)
const idsOf = async ({ db, dogId }: World, sender: SightingSender) =>
  (await listOwnSightings(db, dogId, sender)).map(({ id }) => id)

own(
  'the conversation ends with its sighting: until another when its sender withdraws it, for good by the admin',
  async (t) => {
    const phone = device()
    const admin = { user: { ...t.ana, email: 'admin@ejemplo.es' }, adminEmail: 'admin@ejemplo.es' }
    const open = async (id: string) => (await openSenderThread(t.db, t.ana, id)).id
    const say = async (id: string) => (await refusal(postMessage(t.db, 'finder', id, 'Hola')))[0]
    const first = await send(t, phone)
    const thread = await open(first)
    await postMessage(t.db, 'finder', thread, 'Hola')
    await withdraw(t, first, phone)
    assert.is(await say(thread), 409)
    const second = await send(t, phone)
    assert.is(await open(second), thread)
    await postMessage(t.db, 'finder', thread, 'Era otro sitio')
    await judgeSighting(t.db, t.ana, second, 'report', { network: '192.0.2.9' })
    await decideReview(t.db, admin, 'sighting', second, 'delete')
    assert.is(await say(thread), 409)
    await t.db.deleteFrom('sighting_refusals').execute()
    assert.equal([await open(await send(t, phone)), await say(thread)], [thread, 409])
  },
)

own('a member and a device withdraw what they sent, with its place and photo', async (t) => {
  const phone = device()
  const [luis, visitor] = [await send(t, as(t.luis)), await send(t, phone)]
  assert.equal(await idsOf(t, as(t.luis)), [luis])
  // A member at the same device.
  assert.equal(new Set(await idsOf(t, { ...as(t.luis), ...phone, userId: t.luis.id })), new Set([luis, visitor]))
  await withdraw(t, luis, as(t.luis))
  await withdraw(t, visitor, { ...phone, userId: t.luis.id })
  for (const table of ['sightings_all', 'sighting_photos'] as const)
    assert.equal(await t.db.selectFrom(table).selectAll().execute(), [], table)
  assert.is(await countSightings(t.db, t.caseId), 0)
  assert.equal((await listSightings(t.db, t.ana, t.dogId)).sightings, [])
})

own('nobody else withdraws one', async (t) => {
  const phone = device()
  const [luis, visitor, nameless] = [await send(t, as(t.luis)), await send(t, phone), await send(t, nobody)]
  for (const sender of [as(t.ana), device(), nobody]) {
    for (const id of [luis, visitor, nameless, UNKNOWN_ID]) assert.is((await refusal(withdraw(t, id, sender)))[0], 404)
    assert.equal(await idsOf(t, sender), [])
  }
  assert.is((await refusal(withdraw(t, luis, phone)))[0], 404)
  assert.is((await refusal(withdraw(t, visitor, as(t.luis))))[0], 404)
  assert.is(await countSightings(t.db, t.caseId), 3)
})

own('neither a block, nor a ban, nor a hidden dog keeps it there', async (t) => {
  const [one, two, three] = [await send(t, as(t.luis)), await send(t, as(t.luis)), await send(t, as(t.luis))]
  await addBlock(t.db, t.ana, t.luis.id)
  await withdraw(t, one, as(t.luis))
  await ban(t.db, t.luis.id, { until: null, reason: 'x' })
  await withdraw(t, two, as(t.luis))
  await t.db.transaction().execute((trx) => hideDog(trx, t.dogId, 'admin'))
  await withdraw(t, three, as(t.luis))
  assert.equal(await t.db.selectFrom('sightings_all').select('id').execute(), [])
})

own('one that was reported stays until the admin has decided, and one of who is reviewed does not', async (t) => {
  const id = await send(t, as(t.luis))
  await judgeSighting(t.db, t.ana, id, 'report', { network: '198.51.100.1' })
  const sentence = 'Estamos revisando este aviso. Cuando acabemos podrás retirarlo, si sigue ahí.'
  assert.equal(await refusal(withdraw(t, id, as(t.luis))), [409, sentence])
  const [boss] = await seed(t.db, member())
  await decideReview(t.db, { user: boss, adminEmail: boss.email! }, 'sighting', id, 'keep')
  await withdraw(t, id, as(t.luis))
  const reviewed = await send(t, as(t.luis))
  await t.db.updateTable('sightings_all').set({ hidden: 1 }).execute()
  await withdraw(t, reviewed, as(t.luis))
  assert.equal(await t.db.selectFrom('sightings_all').select('id').execute(), [])
})
