import { exportSightings } from '#features/account/export/export-sightings.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { listSightings, readSightingPhoto } from '#features/sightings/list.server.ts'
import { openSenderThread } from '#features/sightings/write-to-sender.server.ts'
import { countSightings } from '#features/lost/sighting-count.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, insert, member, refusal, type WorldOf } from '#tests/support/suites.ts'

const leaving = dbSuite(
  'unit/sightings/leaving-senders',
  { luis: member(), ana: member(), toby: dog() },
  async ({ db, luis, ana, toby }) => {
    const dogId = toby.id
    await addLostCase(db, { dogId: toby.id, ownerId: ana.id, since: Date.now() - 2 * HOUR_MS })
    const photo = { data: Buffer.from('jpeg'), width: 800, height: 600, ext: 'jpg', blur: '' } as const
    const input = { at: Date.now(), point: { lat: 40.31234, lon: -3.71234 }, zone: 'Getafe, Madrid', words: 'Allí.' }
    const id = (await addSighting(db, { dogId: toby.id, input, photo, userId: luis.id, network: '192.0.2.7' })).id
    return { dogId, id }
  },
)
type World = WorldOf<typeof leaving>

const readPhoto = ({ db, ana, id }: World) => readSightingPhoto(db, { user: ana, adminEmail: undefined }, id)
const exported = ({ db }: World, user: CurrentUser) => Array.fromAsync(exportSightings(db, user.id))

leaving(
  'of who waits for the deletion of their account nobody reads the photo or the export, but themselves',
  async (t) => {
    assert.equal([String(await readPhoto(t)), (await exported(t, t.ana)).length], ['jpeg', 1])
    await addDeletionRow(t.db, t.luis.id)
    assert.is((await refusal(readPhoto(t)))[0], 404)
    assert.equal([await exported(t, t.ana), (await exported(t, t.luis)).length], [[], 1])
  },
)

leaving('nor while the account is being erased', async (t) => {
  await insert(t.db, 'account_erasures', { user_id: t.luis.id, dogs: 'keep', created_at: Date.now() })
  assert.is((await refusal(readPhoto(t)))[0], 404)
  assert.equal((await listSightings(t.db, t.ana, t.dogId)).sightings, [])
  const { id } = await t.db.selectFrom('lost_cases').select('id').executeTakeFirstOrThrow()
  assert.is(await countSightings(t.db, id), 0)
  assert.is((await refusal(openSenderThread(t.db, t.ana, t.id)))[0], 404)
})

leaving('who gave the dog up reads no photo of it any more', async (t) => {
  await t.db.updateTable('dogs_all').set({ owner_id: null }).where('id', '=', t.dogId).execute()
  assert.is((await refusal(readPhoto(t)))[0], 404)
})
