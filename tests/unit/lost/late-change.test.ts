import { findOwnCase, saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { assert, dbSuite, dog, member, refusal, seed } from '#tests/support/suites.ts'

const late = dbSuite('unit/lost/late-change', { ana: member() }, async ({ db, ana }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  return { toby }
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
