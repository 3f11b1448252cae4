import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const ADMIN = 'admin@ejemplo.es'

interface Ground {
  db: Db
  dir: string
  admin: { user: { id: string; email: string | null }; adminEmail: string }
}
const reviews = suite<Ground>('review limits')
reviews.before.each(async (t) => {
  t.db = freshDb()
  t.dir = mkdtempSync(join(tmpdir(), 'perrario-reviews-'))
  const [user] = await seed(t.db, member({ email: ADMIN, alias: 'Admin' }))
  t.admin = { user, adminEmail: ADMIN }
})
reviews.after.each(async ({ db, dir }) => {
  await db.destroy()
  rmSync(dir, { recursive: true, force: true })
})

const SALE = 'Se vende por 300 euros'
const openCases = (db: Db) =>
  db.selectFrom('cases').select(['id', 'thing_id', 'user_id']).where('open', '=', 1).execute()

reviews(
  'twenty of one member wait for the admin, whatever they are; the next is refused whole',
  async ({ db, dir, admin }) => {
    const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', description: SALE })
    const addHeldDog = async () => addDog(db, dir, { input, uploads: [await photo(0)], userId: luis.id })
    for (let n = 0; n < 19; n++) await addComment(db, luis, toby.id, `${SALE} ${n}`)
    await addHeldDog()
    const rows = async () => [
      await db.selectFrom('held').selectAll().execute(),
      await db.selectFrom('decisions').selectAll().execute(),
    ]
    const before = await rows()
    for (const refused of [addComment(db, luis, toby.id, SALE), addHeldDog()])
      assert.is((await refusal(refused))[0], 429)
    assert.equal(await rows(), before)
    assert.is((await openCases(db)).length, 20)
    // Nothing else is refused, and others have their own twenty.
    await addComment(db, luis, toby.id, 'Qué guapo')
    await addComment(db, ana, toby.id, SALE)
    const { id } = (await openCases(db))[0]!
    await applyCaseAction(db, dir, admin, id, { deed: 'restore', reason: 'Está bien.', days: null })
    await addComment(db, luis, toby.id, SALE)
  },
)

reviews(
  'a ban closes what waits of its member and nobody reported; an appeal opens it again',
  async ({ db, dir, admin }) => {
    const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    for (let n = 0; n < 5; n++) await addComment(db, luis, toby.id, `${SALE} ${n}`)
    await addComment(db, ana, toby.id, SALE)
    const [shown] = (await openCases(db)).filter(({ user_id }) => user_id === luis.id)
    await applyCaseAction(db, dir, admin, shown!.id, { deed: 'ban', reason: 'Vende.', days: null })
    const open = await openCases(db)
    assert.equal(open.map(({ user_id, id }) => [user_id === ana.id, id === shown!.id]).toSorted(), [
      [false, true],
      [true, false],
    ])
    assert.is((await db.selectFrom('held').select('thing_id').where('user_id', '=', luis.id).execute()).length, 5)
    const held = (await listOwnDecisions(db, luis.id)).filter(({ deed }) => deed === 'hold')
    for (const { id } of held) await submitAppeal(db, luis, id, 'No vendo nada.', ADMIN)
    assert.is((await openCases(db)).length, 6)
  },
)

reviews.run()
