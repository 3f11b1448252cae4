import { addComment, deleteComment, listComments } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, dataSuite, type Db, dog, member, pluck, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

// What counts as waiting for the admin, and whose it is.

const ADMIN = 'admin@ejemplo.es'
const SALE = 'Se vende por 300 euros'
const RESTORE = { deed: 'restore', reason: 'Está bien.', days: null } as const

const reviews = dataSuite(
  'unit/reports/waiting-reviews',
  { user: member({ email: ADMIN, alias: 'Admin' }) },
  async ({ user }) => ({ admin: { user, adminEmail: ADMIN } }),
)
type Ground = WorldOf<typeof reviews>

const openCases = (db: Db) =>
  db.selectFrom('cases').select(['id', 'thing_id', 'user_id']).where('open', '=', 1).execute()
const reportBy = (db: Db, user: { id: string }, kind: 'dog' | 'comment', id: string) =>
  submitReport(db, user, { kind, id, reason: 'spam', words: '' }, 'x')

/** Adds one dog as a visitor, of whom `max` may wait. */
const addAsVisitor = async ({ db, dir }: Ground, max: number) => {
  const input = dogSchema.parse({ name: 'Rex', breed: 'beagle' })
  const anonymousReviews = { max, quota: unlimitedQuota }
  return addDog(db, dir, { input, uploads: [await photo(0)], userId: null, holdAnonymous: true, anonymousReviews })
}

reviews('what members left behind with their account takes no place of the visitors’', async (t) => {
  const { db, dir } = t
  const [mallory] = await seed(db, member({ alias: 'Mallory' }))
  const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', description: SALE })
  for (let n = 0; n < 3; n++) await addDog(db, dir, { input, uploads: [await photo(0)], userId: mallory.id })
  // As earlier versions left them; today they go with the account (orphaned-cases).
  await db.updateTable('cases').set({ user_id: null }).execute()
  await db.updateTable('dogs_all').set({ user_id: null, owner_id: null }).where('hidden', '>', 0).execute()
  await deleteMemberAccount(db, dir, mallory, 'keep')
  assert.equal(pluck(await openCases(db), 'user_id'), [null, null, null])
  for (let n = 0; n < 3; n++) await addAsVisitor(t, 3)
  assert.is((await refusal(addAsVisitor(t, 3)))[0], 429)
})

reviews('a report of what the admin has approved is no waiting review, of visitors or of members', async (t) => {
  const { db, dir, admin } = t
  const [luis, eva, toby] = await seed(db, member({ alias: 'Luis' }), member({ alias: 'Eva' }), dog())
  const restoreAll = async () => {
    for (const { id } of await openCases(db)) await applyCaseAction(db, dir, admin, id, RESTORE)
  }
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await addAsVisitor(t, 3)).dog.id)
  await restoreAll()
  for (const id of ids) await reportBy(db, eva, 'dog', id)
  for (let n = 0; n < 3; n++) await addAsVisitor(t, 3)
  assert.is((await refusal(addAsVisitor(t, 3)))[0], 429)

  const comments: string[] = []
  for (let n = 0; n < OPEN_REVIEWS_MAX; n++) comments.push((await holdComment(db, luis, toby.id, `${SALE} ${n}`)).id)
  assert.is((await refusal(holdComment(db, luis, toby.id, SALE)))[0], 429)
  const holds = (await listOwnDecisions(db, luis.id)).filter(({ action }) => action === 'hold')
  for (const id of comments) {
    const { id: caseId } = (await openCases(db)).find(({ thing_id }) => thing_id === id)!
    await applyCaseAction(db, dir, admin, caseId, RESTORE)
  }
  for (const [n, id] of comments.entries())
    // An appeal of what is public opens its case again, too.
    await (n % 2 === 0
      ? reportBy(db, eva, 'comment', id)
      : submitAppeal(db, luis, holds.find(({ label }) => label === `«${SALE} ${n}»`)!.id, 'No vendo nada.', ADMIN))
  assert.is((await openCases(db)).filter(({ user_id }) => user_id === luis.id).length, OPEN_REVIEWS_MAX)
  await holdComment(db, luis, toby.id, SALE)
})

reviews(
  'a doubted comment is public at once and a case, which goes with it or is dismissed',
  async ({ db, dir, admin }) => {
    const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    const queue = () => openCases(db)
    const { id } = await addComment(db, luis, toby.id, 'Vendo cachorros, 300 €')
    const stays = await addComment(db, luis, toby.id, 'Se vende perra')
    await addComment(db, luis, toby.id, 'Se vende bien en las fotos')
    assert.is((await listComments(db, toby.id)).comments.length, 3)
    const bell = (await listNotifications(db, ana.id)).notifications.map(({ title }) => title)
    assert.equal(new Set(bell), new Set(['Nuevo comentario']))
    const { rows } = await listCases(db, admin)
    assert.equal(rows.map(({ cause, target }) => [cause, target!.isHidden, target!.quote]).toSorted(), [
      ['words', false, 'Se vende perra'],
      ['words', false, 'Vendo cachorros, 300 €'],
    ])
    await deleteComment(db, luis, id)
    const [left, ...others] = await queue()
    assert.equal([left!.thing_id, others], [stays.id, []])
    await applyCaseAction(db, dir, admin, left!.id, { deed: 'dismiss', reason: '', days: null })
    assert.equal([(await queue()).length, (await listComments(db, toby.id)).comments.length], [0, 2])
  },
)

reviews('of one member twenty doubted comments wait; the next is public without a case', async ({ db }) => {
  const [toby, luis] = await seed(db, dog(), member({ alias: 'Luis' }))
  for (let n = 0; n < OPEN_REVIEWS_MAX + 2; n++) await addComment(db, luis, toby.id, `Vendo cachorros ${n}`)
  assert.equal(
    [(await openCases(db)).length, (await listComments(db, toby.id, { limit: 50 })).comments.length],
    [20, 22],
  )
})

reviews.run()
