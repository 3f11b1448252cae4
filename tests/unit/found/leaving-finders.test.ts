import { matchNotice } from '#features/found/matching.server.ts'
import { readNotice } from '#features/found/notice.server.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, type Db, dbSuite, dog, member, refusal, seed } from '#tests/support/suites.ts'

const leaving = dbSuite<{ finderId: string; ownerId: string; notice: string }>('unit/found/leaving-finders')
leaving.before.each(async (t) => {
  const [finder, ana, toby] = await seed(t.db, member(), member(), dog())
  await addLostCase(t.db, { dog_id: toby.id, owner_id: ana.id })
  const notice = { shown_lat: 40.306, shown_lon: -3.731, member_id: finder.id, secret_hash: null }
  Object.assign(t, { finderId: finder.id, ownerId: ana.id, notice: await addNotice(t.db, notice) })
  await t.db.insertInto('found_photos').values({ notice_id: t.notice, data: 'x', width: 1, height: 1 }).execute()
})

const LEAVES = {
  'waits for its deletion': addDeletionRow,
  'is being erased': (db: Db, user_id: string) =>
    db.insertInto('account_erasures').values({ user_id, dogs: 'keep', created_at: 1 }).execute(),
}

for (const [state, leave] of Object.entries(LEAVES)) {
  leaving(`nobody is notified of what a member found whose account ${state}`, async ({ db, finderId, notice }) => {
    await leave(db, finderId)
    await matchNotice(db, notice)
    assert.equal(await db.selectFrom('notifications').select('id').execute(), [])
  })

  leaving(`an owner no longer reads the notice of a finder whose account ${state}`, async (t) => {
    const { db, finderId, ownerId, notice } = t
    await matchNotice(db, notice)
    const viewer = { userId: ownerId, secrets: new Map() }
    assert.is((await readNotice(db, viewer, notice)).role, 'owner')
    await leave(db, finderId)
    assert.is((await refusal(readNotice(db, viewer, notice)))[0], 404)
  })
}
