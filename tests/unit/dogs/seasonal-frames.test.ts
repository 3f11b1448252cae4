import { readFileSync } from 'node:fs'
import { renderFrameDrawing } from '#features/dogs/card/frame-drawings.ts'
import { framesFor, framesOfDay, SEASONAL_FRAMES } from '#features/dogs/card/seasonal-frames.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { assert, dataSuite, dog, member, refusal, seed } from '#tests/support/suites.ts'

const frames = dataSuite('unit/dogs/seasonal-frames')

/** A moment in Madrid, which is one hour ahead of UTC in winter and two in summer. */
const at = (text: string) => Date.parse(text)

frames('each season begins and ends on its day', () => {
  const cases: [number, string[]][] = [
    [20261130, ['autumn']],
    [20261201, ['christmas', 'autumn']],
    [20261220, ['christmas', 'autumn']],
    [20261221, ['christmas']],
    [20270106, ['christmas']],
    [20270107, []],
    [20270319, []],
    [20270320, ['spring']],
    [20270620, ['spring']],
    [20270621, ['summer']],
    [20270922, ['summer']],
    [20270923, ['autumn']],
  ]
  for (const [day, expected] of cases) assert.equal(framesOfDay(day), expected, String(day))
})

frames('the day is Madrid’s', () => {
  const dogOf = (created_at: number) => ({ owner_id: 'ana', created_at })
  assert.equal(framesFor(dogOf(at('2027-06-20T21:59:59Z')), 'ana'), ['spring'])
  assert.equal(framesFor(dogOf(at('2027-06-20T22:00:00Z')), 'ana'), ['summer'])
  for (const viewer of ['luis', null, undefined]) assert.equal(framesFor(dogOf(at('2027-07-01')), viewer), [])
})

frames('the owner puts a frame of the season on and takes it off', async ({ db }) => {
  const [ana] = await seed(db, member())
  const [toby] = await seed(db, dog({ created_at: at('2026-07-01'), owner_id: ana.id }))
  assert.is(toby.frame, null)
  assert.is((await updateDog(db, ana, toby.id, { frame: 'summer' })).frame, 'summer')
  // A save of another field leaves it.
  assert.is((await updateDog(db, ana, toby.id, { weight: 4 })).frame, 'summer')
  assert.is((await updateDog(db, ana, toby.id, { frame: null })).frame, null)
})

frames('a frame of another season is refused, and nothing else of the edit is stored', async ({ db }) => {
  const [ana] = await seed(db, member())
  const [toby] = await seed(db, dog({ created_at: at('2026-07-01'), owner_id: ana.id, weight: 3 }))
  assert.equal(await refusal(updateDog(db, ana, toby.id, { frame: 'christmas', weight: 9 })), [
    422,
    'El marco «Navidad» es para perros añadidos entre el 1 de diciembre y el 6 de enero.',
  ])
  const { frame, weight } = await getDog(db, toby.id)
  assert.equal([frame, weight], [null, 3])
})

frames('a discoverer puts none on, and may save the rest beside one', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [toby] = await seed(db, dog({ created_at: at('2026-07-01'), owner_id: ana.id, discoverer_id: luis.id }))
  assert.equal(await refusal(updateDog(db, luis, toby.id, { frame: 'summer' })), [
    403,
    'Solo su dueño puede ponerle un marco.',
  ])
  await updateDog(db, ana, toby.id, { frame: 'summer' })
  assert.is((await refusal(updateDog(db, luis, toby.id, { frame: null })))[0], 403)
  assert.is((await updateDog(db, luis, toby.id, { frame: 'summer', weight: 5 })).weight, 5)
})

frames('a frame outlasts a time out of sight', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ created_at: at('2026-07-01') }))
  await updateDog(db, ana, toby.id, { frame: 'summer' })
  await db.transaction().execute((trx) => hideDog(trx, toby.id, 'admin'))
  await db.transaction().execute((trx) => showDog(trx, toby.id))
  assert.is((await getDog(db, toby.id)).frame, 'summer')
})

frames('the files of pages are the drawings of pictures', () => {
  for (const frame of SEASONAL_FRAMES)
    assert.is(readFileSync(`public/marcos/${frame}.svg`, 'utf8'), renderFrameDrawing(frame), frame)
})
