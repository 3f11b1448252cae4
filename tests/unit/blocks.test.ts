import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { addComment, listComments } from '#features/comments/comments.server.ts'
import { askOwnership } from '#features/dogs/ownership.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { block, blockBetween, blockedBy, blockedWith, unblock } from '#features/moderation/blocks.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const blocks = suite<{ db: Db }>('blocks')
blocks.before.each((t) => {
  t.db = freshDb()
})
blocks.after.each(({ db }) => db.destroy())

const APART = [403, 'No puedes hacerlo: uno de los dos ha bloqueado al otro.']
const said = async (db: Db, dogId: string, user: { id: string } | null) =>
  (await listComments(db, dogId, { user })).comments.map(({ content }) => content)

blocks('whoever blocked whom, neither writes on the other’s dogs nor rings their bell', async ({ db }) => {
  const [ana, toby, luis, luna] = await seed(db, member(), dog(), member(), dog())
  await block(db, ana, luis.id)
  for (const [who, theirs] of [
    [luis, toby],
    [ana, luna],
  ] as const) {
    assert.equal(await refusal(like(db, who, theirs.id)), APART)
    assert.equal(await refusal(addComment(db, who, theirs.id, 'Hola')), APART)
  }
  const [found] = await seed(db, dog({ owner_id: null, discoverer_id: ana.id }))
  assert.equal(await refusal(askOwnership(db, luis, found.id)), APART)
  for (const { id } of [ana, luis]) assert.equal((await listNotifications(db, id)).notifications, [])
})

blocks('neither reads the other’s comments, wherever they stand; everybody else does', async ({ db }) => {
  const [, toby, ana, luis, eva] = await seed(db, member(), dog(), member(), member(), member())
  await addComment(db, ana, toby.id, 'De Ana', 1)
  await addComment(db, luis, toby.id, 'De Luis', 2)
  await block(db, ana, luis.id)
  assert.equal(await said(db, toby.id, ana), ['De Ana'])
  assert.equal(await said(db, toby.id, luis), ['De Luis'])
  for (const reader of [eva, null]) assert.equal(await said(db, toby.id, reader), ['De Luis', 'De Ana'])
  await unblock(db, ana, luis.id)
  assert.equal(await said(db, toby.id, ana), ['De Luis', 'De Ana'])
})

blocks('a like from before can be taken back', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  await like(db, luis, toby.id)
  await block(db, ana, luis.id)
  assert.is((await unlike(db, luis, toby.id)).likes, 0)
})

blocks('told both ways, listed for who did it, taken back by them alone', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member({ alias: 'Luis' }))
  await block(db, ana, luis.id)
  await block(db, ana, luis.id)
  assert.equal([await blockBetween(db, ana.id, luis.id), await blockBetween(db, luis.id, ana.id)], ['mine', 'theirs'])
  assert.equal([...(await blockedWith(db, luis.id))], [ana.id])
  assert.equal(
    (await blockedBy(db, ana.id)).map(({ alias }) => alias),
    ['Luis'],
  )
  assert.equal(await blockedBy(db, luis.id), [])
  await unblock(db, luis, ana.id)
  assert.is(await blockBetween(db, luis.id, ana.id), 'theirs')
  await unblock(db, ana, luis.id)
  assert.is(await blockBetween(db, luis.id, ana.id), null)
})

blocks('not oneself, not nobody, not without a session', async ({ db }) => {
  const [ana] = await seed(db, member())
  assert.equal(await refusal(block(db, ana, ana.id)), [422, 'No puedes bloquearte.'])
  assert.is((await refusal(block(db, ana, '00000000-0000-4000-8000-000000000000')))[0], 404)
  assert.is((await refusal(block(db, null, ana.id)))[0], 401)
})

blocks.run()
