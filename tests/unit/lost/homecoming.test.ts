import { randomUUID } from 'node:crypto'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { homecomings } from '#features/lost/homecoming.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, countJobs, dbSuite, dog, member, seed, type WorldOf } from '#tests/support/suites.ts'

const home = dbSuite(
  'unit/lost/homecoming',
  { ana: member(), toby: dog({ name: 'Toby' }) },
  async ({ db, ana, toby }) => ({ caseId: await addLostCase(db, { dog_id: toby.id, owner_id: ana.id }) }),
)
type World = WorldOf<typeof home>

const see = ({ db, caseId }: World, member_id: string | null, state: 'delivered' | 'refused' = 'delivered') =>
  db
    .insertInto('sightings_all')
    .values({ id: randomUUID(), case_id: caseId, member_id, at: 1, zone: 'Getafe', words: '', state, created_at: 1 })
    .execute()
const helpersOf = async (t: World, count: number) => {
  const helpers = await seed(t.db, ...Array.from({ length: count }, () => member()))
  for (const { id } of helpers) await see(t, id)
  return helpers
}
const toldIds = async ({ db }: World) =>
  (await db.selectFrom('notifications_all').select('user_id').where('title', '=', '¡En casa!').execute()).map(
    ({ user_id }) => user_id,
  )
const queued = ({ db }: World) => countJobs(db, homecomings.name)
const tell = ({ db }: World, signal = new AbortController().signal) => runDueJobs(db, [homecomings], { signal })

home('the end tells who helped, each once', async (t) => {
  const helpers = await helpersOf(t, 60)
  await see(t, helpers[0]!.id)
  await endLostCase(t.db, t.ana, t.toby.id, 'home', { thanks: true })
  assert.equal([(await toldIds(t)).length, await queued(t)], [0, 60])
  // A run that a stop ends goes on, and two processes tell nobody twice.
  await tell(t, AbortSignal.abort())
  assert.is(await queued(t), 60)
  await Promise.all([tell(t), tell(t)])
  assert.equal([(await toldIds(t)).toSorted(), await queued(t)], [helpers.map(({ id }) => id).toSorted(), 0])
  const [line] = (await listNotifications(t.db, helpers[59]!.id)).notifications
  assert.is(line?.content, 'Toby ya está en casa. Su familia te da las gracias por ayudar.')
})

home('the owner, who was refused or has a block, and visitors are not told; without thanks it says less', async (t) => {
  const [luis, refused, blocked] = await seed(t.db, member(), member(), member())
  for (const id of [luis.id, t.ana.id, blocked.id, null]) await see(t, id)
  await see(t, refused.id, 'refused')
  await addBlock(t.db, blocked, t.ana.id)
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  await tell(t)
  assert.equal([await toldIds(t), await queued(t)], [[luis.id], 0])
  const [line] = (await listNotifications(t.db, luis.id)).notifications
  assert.is(line?.content, 'Toby ya está en casa. ¡Gracias por avisar!')
})

home('a search that is given up tells nobody, nor does a dog that is deleted meanwhile', async (t) => {
  await helpersOf(t, 1)
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  assert.is(await queued(t), 1)
  await t.db.deleteFrom('dogs_all').where('id', '=', t.toby.id).execute()
  await tell(t)
  assert.equal([await toldIds(t), await queued(t)], [[], 0])
  const [luna] = await seed(t.db, dog({ owner_id: t.ana.id }))
  t.caseId = await addLostCase(t.db, { dog_id: luna.id, owner_id: t.ana.id })
  await helpersOf(t, 1)
  await endLostCase(t.db, t.ana, luna.id, 'other')
  assert.equal([await toldIds(t), await queued(t)], [[], 0])
})
