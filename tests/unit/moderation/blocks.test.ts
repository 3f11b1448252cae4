import { loadActivity } from '#features/account/activity/activity.server.ts'
import { addComment, listComments } from '#features/comments/comments.server.ts'
import { loadRanking } from '#features/community/community.server.ts'
import { loadDogPage } from '#features/dogs/page/load-dog-page.server.ts'
import {
  answerOwnershipRequest,
  requestOwnership,
  loadOwnershipView,
} from '#features/dogs/ownership/ownership.server.ts'
import { like, listLikers, unlike } from '#features/likes/likes.server.ts'
import { addBlock, findBlockBetween, listBlockedMembers, removeBlock } from '#features/moderation/blocks.server.ts'
import { findBlockedIds } from '#features/moderation/visibility.server.ts'
import { countUnread } from '#features/notifications/notifications.server.ts'
import { runEvery } from '#lib/jobs.ts'
import { showComment } from '#features/comments/hidden-comments.server.ts'
import { blockMember, resumeBlocks } from '#features/reports/blocks/block-member.server.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { bellTexts } from '#tests/support/notifications/bell.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { allPages, assert, type Db, dbSuite, dog, member, pluck, refusal, seed } from '#tests/support/suites.ts'

const blocks = dbSuite('unit/moderation/blocks')

const BLOCKED_REFUSAL = [403, 'No puedes hacerlo: uno de los dos ha bloqueado al otro.']
const readComments = async (db: Db, dogId: string, user: { id: string } | null) =>
  (await listComments(db, dogId, { user })).comments.map(({ content }) => content)

blocks('blocked in either direction, neither comments on the other’s dogs nor notifies them', async ({ db }) => {
  const [ana, toby, luis, luna] = await seed(db, member(), dog(), member(), dog())
  await addBlock(db, ana, luis.id)
  for (const [who, theirs] of [
    [luis, toby],
    [ana, luna],
  ] as const) {
    assert.equal(await refusal(like(db, who, theirs.id)), BLOCKED_REFUSAL)
    assert.equal(await refusal(addComment(db, who, theirs.id, 'Hola')), BLOCKED_REFUSAL)
  }
  const [found] = await seed(db, dog({ owner_id: null, discoverer_id: ana.id }))
  assert.equal(await refusal(requestOwnership(db, luis, found.id)), BLOCKED_REFUSAL)
  for (const user of [ana, luis]) assert.equal(await bellTexts(db, user), [])
})

for (const direction of ['the owner blocks its author', 'its author blocks the owner'] as const)
  blocks(`a comment that is published after ${direction} notifies the others alone`, async ({ db }) => {
    const [ana, luis, eva] = await seed(db, member(), member(), member())
    const [toby] = await seed(db, dog({ owner_id: ana.id, discoverer_id: eva.id }))
    const { id } = await holdComment(db, luis, toby.id, 'Vendo cachorros, 300 euros')
    await (direction === 'the owner blocks its author' ? blockMember(db, ana, luis.id) : blockMember(db, luis, ana.id))
    await db.transaction().execute((trx) => showComment(trx, id))
    assert.equal([(await bellTexts(db, ana)).length, (await bellTexts(db, eva)).length], [0, 1])
    assert.equal(await readComments(db, toby.id, ana), [])
    assert.equal(await readComments(db, toby.id, eva), ['Vendo cachorros, 300 euros'])
  })

blocks('neither reads the other’s comments anywhere; everybody else does', async ({ db }) => {
  const [, toby, ana, luis, eva] = await seed(db, member(), dog(), member(), member(), member())
  await addComment(db, ana, toby.id, 'De Ana', 1)
  await addComment(db, luis, toby.id, 'De Luis', 2)
  await addBlock(db, ana, luis.id)
  assert.equal(await readComments(db, toby.id, ana), ['De Ana'])
  assert.equal(await readComments(db, toby.id, luis), ['De Luis'])
  for (const reader of [eva, null]) assert.equal(await readComments(db, toby.id, reader), ['De Luis', 'De Ana'])
  await removeBlock(db, ana, luis.id)
  assert.equal(await readComments(db, toby.id, ana), ['De Luis', 'De Ana'])
})

blocks('neither is among the likers that the other reads, page after page; the count includes both', async ({ db }) => {
  const [toby, eva] = await seed(db, dog(), member({ alias: 'Eva' }))
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  for (const [at, one] of [eva, ana, luis].entries()) await like(db, one, toby.id, at + 1)
  await addBlock(db, ana, luis.id)
  const liked = async (user: { id: string } | null) => {
    const pages = await allPages((cursor) => listLikers(db, toby.id, { cursor, limit: 1, user }))
    return pages.flatMap(({ likers }) => pluck(likers, 'alias'))
  }
  assert.equal(await liked(ana), ['Ana', 'Eva'])
  assert.equal(await liked(luis), ['Luis', 'Eva'])
  for (const reader of [eva, null]) assert.equal(await liked(reader), ['Luis', 'Ana', 'Eva'])
  assert.is((await loadDogPage(db, toby, ana)).firstLiker?.alias, 'Ana')
  assert.is((await loadDogPage(db, toby, null)).firstLiker?.alias, 'Luis')
  assert.is((await like(db, eva, toby.id)).likes, 3)
})

blocks('neither is in the ranking that the other reads; everybody keeps their rank', async ({ db }) => {
  const [ana] = await seed(db, member({ alias: 'Ana' }), dog(), dog(), dog())
  const [luis] = await seed(db, member({ alias: 'Luis' }), dog(), dog())
  await seed(db, member({ alias: 'Eva' }), dog())
  await addBlock(db, luis, ana.id)
  const ranks = async (user: { id: string } | null) =>
    (await loadRanking(db, undefined, { user })).members.map(({ rank, alias }) => `${rank} ${alias}`)
  assert.equal(await ranks(ana), ['1 Ana', '3 Eva'])
  assert.equal(await ranks(luis), ['2 Luis', '3 Eva'])
  assert.equal(await ranks(null), ['1 Ana', '2 Luis', '3 Eva'])
})

blocks('an earlier like is no longer notified, and a pending «Es mi perro» is closed', async ({ db }) => {
  const [ana, toby, luis, eva] = await seed(db, member(), dog(), member(), member({ alias: 'Eva' }))
  const [found] = await seed(db, dog({ owner_id: null, discoverer_id: ana.id }))
  for (const one of [luis, eva]) await like(db, one, toby.id)
  for (const one of [luis, eva]) await requestOwnership(db, one, found.id)
  await addBlock(db, luis, ana.id)
  assert.equal(pluck((await loadActivity(db, ana.id)).likes, 'alias'), ['Eva'])
  const view = await loadOwnershipView(db, found, ana)
  assert.equal(view.kind === 'answer' && view.requests.map(({ alias }) => alias), ['Eva'])
  for (const accept of [true, false])
    assert.equal(await refusal(answerOwnershipRequest(db, ana, found.id, luis.id, accept)), BLOCKED_REFUSAL)
})

blocks(
  'no notification of either names the other any more; one of several likes names another member',
  async ({ db }) => {
    const [ana, toby, luna] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), dog({ name: 'Luna' }))
    const [luis, rex, eva] = await seed(db, member({ alias: 'Luis' }), dog({ name: 'Rex' }), member({ alias: 'Eva' }))
    await like(db, eva, toby.id, 1)
    await like(db, luis, toby.id, 2)
    await like(db, luis, luna.id, 3)
    await addComment(db, luis, toby.id, 'Feo', 4)
    await addComment(db, eva, toby.id, 'Guapo', 5)
    await addComment(db, ana, rex.id, 'Feo', 6)
    await blockMember(db, ana, luis.id)
    assert.equal(await bellTexts(db, ana), ['Eva ha comentado en Toby: «Guapo»', 'A Eva y 1 más les gusta Toby'])
    assert.equal(await bellTexts(db, luis), [])
    assert.equal([await countUnread(db, ana.id), await countUnread(db, luis.id)], [2, 0])
    // The line of likes goes with the last whom its reader meets.
    await unlike(db, eva, toby.id)
    assert.equal(await bellTexts(db, ana), ['Eva ha comentado en Toby: «Guapo»'])
  },
)

blocks('a block interrupted by a crash is completed at the next start', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), member({ alias: 'Luis' }))
  const [eva] = await seed(db, member({ alias: 'Eva' }))
  for (const one of [eva, luis]) await like(db, one, toby.id)
  await addComment(db, luis, toby.id, 'Feo')
  // The process dies after the block's own transaction.
  await addBlock(db, luis, ana.id)
  assert.match((await bellTexts(db, ana)).join(), 'Luis')
  await runEvery({ intervalMs: Infinity, delayMs: 0 }, '', (signal) => resumeBlocks(db, signal)).close()
  assert.match((await bellTexts(db, ana)).join(), 'Luis', 'a job that is stopped at once leaves it to the next one')
  await resumeBlocks(db)
  assert.equal(await bellTexts(db, ana), ['A Eva y 1 más les gusta Toby'])
  const pending = () => db.selectFrom('blocks').select('user_id').where('notifications_pending', '=', 1).execute()
  assert.equal(await pending(), [])
  // One that was not interrupted leaves nothing to do.
  await blockMember(db, eva, ana.id)
  assert.equal(await pending(), [])
})

blocks('an earlier like can still be removed', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  await like(db, luis, toby.id)
  await addBlock(db, ana, luis.id)
  assert.is((await unlike(db, luis, toby.id)).likes, 0)
})

blocks('is visible in both directions, listed for the blocker, revoked by the blocker alone', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member({ alias: 'Luis' }))
  await addBlock(db, ana, luis.id)
  await addBlock(db, ana, luis.id)
  assert.is(await findBlockBetween(db, ana.id, luis.id), 'mine')
  assert.is(await findBlockBetween(db, luis.id, ana.id), 'theirs')
  assert.equal([...(await findBlockedIds(db, luis.id))], [ana.id])
  assert.equal(pluck(await listBlockedMembers(db, ana.id), 'alias'), ['Luis'])
  assert.equal(await listBlockedMembers(db, luis.id), [])
  await removeBlock(db, luis, ana.id)
  assert.is(await findBlockBetween(db, luis.id, ana.id), 'theirs')
  await removeBlock(db, ana, luis.id)
  assert.is(await findBlockBetween(db, luis.id, ana.id), null)
})

blocks('blocking oneself, an unknown member or without a session is refused', async ({ db }) => {
  const [ana] = await seed(db, member())
  assert.equal(await refusal(addBlock(db, ana, ana.id)), [422, 'No puedes bloquearte.'])
  assert.is((await refusal(addBlock(db, ana, UNKNOWN_ID)))[0], 404)
  assert.is((await refusal(addBlock(db, null, ana.id)))[0], 401)
})
