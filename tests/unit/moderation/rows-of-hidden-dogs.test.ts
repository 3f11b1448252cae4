import { exportJson } from '#features/account/export/export-json.server.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, type Db, dbSuite, listDriftedCounts, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'

// What members have left on a dog is out of sight with it, stays theirs, and is there again when the dog is.

/** Toby is discovered by Ana; Luis and Eva like him, comment him and say that he is theirs. */
const rows = dbSuite(
  'unit/moderation/rows-of-hidden-dogs',
  { ana: member(), luis: member(), eva: member() },
  async ({ db, ana, luis, eva }) => {
    const [toby] = await seed(db, dog({ name: 'Chispas', owner_id: null, discoverer_id: ana.id }))
    const comments: string[] = []
    for (const user of [luis, eva]) {
      await like(db, user, toby.id)
      comments.push((await addComment(db, user, toby.id, 'Qué guapo')).id)
      await requestOwnership(db, user, toby.id)
    }
    return { toby, luisComment: comments[0]! }
  },
)
type World = WorldOf<typeof rows>

/** The comments, likes and requests that are shown. */
const listShown = async (db: Db) => [
  await db.selectFrom('comments').selectAll().orderBy('id').execute(),
  await db.selectFrom('dog_likes').selectAll().orderBy('id').execute(),
  await db.selectFrom('ownership_requests').selectAll().orderBy('user_id').execute(),
]
const hide = ({ db, toby }: World) => db.transaction().execute((trx) => hideDog(trx, toby.id, 'admin'))
const show = ({ db, toby }: World) => db.transaction().execute((trx) => showDog(trx, toby.id))

rows(
  'comments, likes and requests are hidden with their dog and shown with it, the same and counted right',
  async (t) => {
    const before = await listShown(t.db)
    assert.equal(pluck(before, 'length'), [2, 2, 2])
    await hide(t)
    assert.equal(await listShown(t.db), [[], [], []])
    assert.equal(await listDriftedCounts(t.db), [])
    assert.is((await refusal(like(t.db, t.luis, t.toby.id)))[0], 404)
    await show(t)
    assert.equal(await listShown(t.db), before)
    const { likes, comments } = await getDog(t.db, t.toby.id)
    assert.equal([likes, comments], [2, 2])
    assert.equal(await like(t.db, t.luis, t.toby.id), { liked: true, likes: 2 }, 'it is liked already')
    assert.equal(await listDriftedCounts(t.db), [])
  },
)

rows('a comment or like that its author deletes stays deleted when the dog is shown again', async (t) => {
  await hide(t)
  await deleteComment(t.db, t.luis, t.luisComment)
  assert.equal(await unlike(t.db, t.luis, t.toby.id), { liked: false, likes: 0 })
  // To everyone else the dog does not exist.
  assert.is((await refusal(unlike(t.db, t.luis, t.toby.id)))[0], 404)
  await show(t)
  for (const table of ['comments', 'dog_likes'] as const)
    assert.equal(pluck(await t.db.selectFrom(table).select('user_id').execute(), 'user_id'), [t.eva.id])
  assert.equal(await listDriftedCounts(t.db), [])
})

rows('another member’s comment cannot be deleted', async (t) => {
  const before = await listShown(t.db)
  await hide(t)
  assert.is((await refusal(deleteComment(t.db, t.eva, t.luisComment)))[0], 404)
  await show(t)
  assert.equal(await listShown(t.db), before)
})

rows('comments and likes are in their author’s data export, without the dog’s name', async (t) => {
  await hide(t)
  const text = (await Array.fromAsync(exportJson(t.db, t.luis.id))).join('')
  assert.not(/chispas/i.test(text))
  const data = JSON.parse(text)
  const strip = (entry: { created_at: string }) => ({ ...entry, created_at: undefined })
  const shared = { dog_id: t.toby.id, perro: null, perro_oculto: true, created_at: undefined }
  assert.equal(data.likes.map(strip), [shared])
  assert.equal(data.comentarios.map(strip), [{ id: t.luisComment, ...shared, content: 'Qué guapo' }])
})
