import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { matchNotice } from '#features/found/matching.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

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

test.run()
