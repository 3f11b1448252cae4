import { addComment, deleteComment, listComments } from '#features/comments/comments.server.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { addRealDog } from '#tests/support/dogs/dogs-fixture.ts'
import { bellTitles } from '#tests/support/notifications/bell.ts'
import { ADMIN, admin, decide, openCases, report, SALE } from '#tests/support/reports/cases.ts'
import { assert, dataSuite, dog, member, pluck, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

// What counts as waiting for the admin, and whose it is.

const reviews = dataSuite('unit/reports/waiting-reviews', { admin: admin() })
type Ground = WorldOf<typeof reviews>

/** Adds one dog as a visitor, of whom `max` may wait. */
const addAsVisitor = (t: Ground, max: number) =>
  addRealDog(t, null, {}, { holdAnonymous: true, anonymousReviews: { max, quota: unlimitedQuota } })

reviews('what members left behind with their account takes no place of the visitors’', async (t) => {
  const { db, dir } = t
  const [mallory] = await seed(db, member({ alias: 'Mallory' }))
  for (let n = 0; n < 3; n++) await addRealDog(t, mallory.id, { description: SALE })
  // As earlier versions left them; today they go with the account (orphaned-cases).
  await db.updateTable('cases').set({ user_id: null }).execute()
  await db.updateTable('dogs_all').set({ user_id: null, owner_id: null }).where('hidden', '>', 0).execute()
  await deleteMemberAccount(db, dir, mallory, 'keep')
  assert.equal(pluck(await openCases(db), 'user_id'), [null, null, null])
  for (let n = 0; n < 3; n++) await addAsVisitor(t, 3)
  assert.is((await refusal(addAsVisitor(t, 3)))[0], 429)
})

reviews('a report of what the admin has approved is no waiting review, of visitors or of members', async (t) => {
  const { db } = t
  const [luis, eva, toby] = await seed(db, member({ alias: 'Luis' }), member({ alias: 'Eva' }), dog())
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await addAsVisitor(t, 3)).dog.id)
  for (const { thing_id } of await openCases(db)) await decide(t, thing_id, 'restore')
  for (const id of ids) await report(db, eva, 'dog', id)
  for (let n = 0; n < 3; n++) await addAsVisitor(t, 3)
  assert.is((await refusal(addAsVisitor(t, 3)))[0], 429)

  const comments: string[] = []
  for (let n = 0; n < OPEN_REVIEWS_MAX; n++) comments.push((await holdComment(db, luis, toby.id, `${SALE} ${n}`)).id)
  assert.is((await refusal(holdComment(db, luis, toby.id, SALE)))[0], 429)
  const holds = (await listOwnDecisions(db, luis.id)).filter(({ action }) => action === 'hold')
  for (const id of comments) await decide(t, id, 'restore')
  for (const [n, id] of comments.entries())
    // An appeal of what is public opens its case again, too.
    await (n % 2 === 0
      ? report(db, eva, 'comment', id)
      : submitAppeal(db, luis, holds.find(({ label }) => label === `«${SALE} ${n}»`)!.id, 'No vendo nada.', ADMIN))
  assert.is((await openCases(db)).filter(({ user_id }) => user_id === luis.id).length, OPEN_REVIEWS_MAX)
  await holdComment(db, luis, toby.id, SALE)
})

reviews('a doubted comment is public at once and a case, which goes with it or is dismissed', async (t) => {
  const { db } = t
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const { id } = await addComment(db, luis, toby.id, 'Vendo cachorros, 300 €')
  const stays = await addComment(db, luis, toby.id, 'Se vende perra')
  await addComment(db, luis, toby.id, 'Se vende bien en las fotos')
  assert.is((await listComments(db, toby.id)).comments.length, 3)
  assert.equal(new Set(await bellTitles(db, ana)), new Set(['Nuevo comentario']))
  const { rows } = await listCases(db, t.admin)
  assert.equal(rows.map(({ cause, target }) => [cause, target!.isHidden, target!.quote]).toSorted(), [
    ['words', false, 'Se vende perra'],
    ['words', false, 'Vendo cachorros, 300 €'],
  ])
  await deleteComment(db, luis, id)
  assert.equal(pluck(await openCases(db), 'thing_id'), [stays.id])
  await decide(t, stays.id, 'dismiss')
  assert.equal([(await openCases(db)).length, (await listComments(db, toby.id)).comments.length], [0, 2])
})

reviews('of one member twenty doubted comments wait; the next is public without a case', async ({ db }) => {
  const [toby, luis] = await seed(db, dog(), member({ alias: 'Luis' }))
  for (let n = 0; n < OPEN_REVIEWS_MAX + 2; n++) await addComment(db, luis, toby.id, `Vendo cachorros ${n}`)
  const { comments } = await listComments(db, toby.id, { limit: 50 })
  assert.equal([(await openCases(db)).length, comments.length], [20, 22])
})
