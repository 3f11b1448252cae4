import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { findOwnCase, saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { HOUR_MS } from '#lib/time.ts'
import { freshDb } from '#tests/support/db.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  ana: CurrentUser
  toby: Dog
}

const late = suite<World>('unit/lost/late-change')
late.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana] = await seed(t.db, member())
  ;[t.toby] = await seed(t.db, dog({ owner_id: t.ana.id }))
})

late(
  'a change of a case that has ended meanwhile opens none beside the limit of the day',
  async ({ db, ana, toby }) => {
    const input = { since: Date.now() - HOUR_MS, zone: 'Getafe', help: '', chip: null }
    await saveLostCase(db, ana, toby.id, input)
    assert.is((await saveLostCase(db, ana, toby.id, input, Date.now(), { mayOpen: false })).isNew, false)
    await endLostCase(db, ana, toby.id, 'other')
    assert.is((await refusal(saveLostCase(db, ana, toby.id, input, Date.now(), { mayOpen: false })))[0], 404)
    assert.is(await findOwnCase(db, ana, toby.id), null)
  },
)

late.run()
