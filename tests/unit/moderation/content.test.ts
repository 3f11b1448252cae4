import type { HiddenCause } from '#db/content.ts'
import { transact } from '#db/transact.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { findHidden, hide, show } from '#features/moderation/content.server.ts'
import { assert, dbSuite, dog, listDriftedCounts, member } from '#tests/support/suites.ts'

// Content that is hidden where it is: causes add up, and each ends by itself.

const content = dbSuite('unit/moderation/content', { ana: member(), toby: dog() }, async ({ db, ana, toby }) => {
  const dogId = toby.id
  const id = (await addComment(db, ana, toby.id, 'Qué guapo')).id
  return { dogId, id }
})

const CAUSES: HiddenCause[] = ['reports', 'admin', 'deletion']
const ORDERS = CAUSES.flatMap((a) => CAUSES.flatMap((b) => CAUSES.map((c) => [a, b, c]))).filter(
  (order) => new Set(order).size === 3,
)

content('in every order of three causes it is hidden until the last of them ends, and counted right', async (t) => {
  const { db, dogId, id } = t
  const isShown = async () => {
    const rows = await db.selectFrom('comments').select('id').where('id', '=', id).execute()
    const toby = db.selectFrom('dogs').select('comments_count').where('id', '=', dogId)
    assert.is((await toby.executeTakeFirstOrThrow()).comments_count, rows.length)
    assert.is((await findHidden(db, 'comment', id)) === undefined, rows.length === 1)
    return rows.length === 1
  }
  for (const order of ORDERS)
    for (const end of ORDERS) {
      for (const cause of [...order, order[0]!]) {
        await transact(db, (trx) => hide(trx, 'comment', id, cause))
        assert.not(await isShown(), `${order} ${cause}`)
      }
      for (const cause of end) {
        assert.not(await isShown(), `${order}, ${end} until ${cause}`)
        await transact(db, (trx) => show(trx, 'comment', id, cause))
      }
      assert.ok(await isShown(), `${order}, ${end}`)
    }
  assert.equal(await listDriftedCounts(db), [])
})

content('no two callers at once lose a cause', async ({ db, id }) => {
  await Promise.all(CAUSES.map((cause) => transact(db, (trx) => hide(trx, 'comment', id, cause))))
  await transact(db, (trx) => show(trx, 'comment', id, 'reports', 'admin'))
  assert.is((await findHidden(db, 'comment', id))?.cause, 'deletion')
})
