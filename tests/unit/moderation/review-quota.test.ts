import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { NETWORK_REVIEWS_PER_DAY, REVIEWS_PER_DAY } from '#features/moderation/moderation.ts'
import { reviewQuota } from '#features/moderation/review-quota.http.ts'
import type { Quota } from '#lib/quota.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { addRealDog } from '#tests/support/dogs/dogs-fixture.ts'
import { SALE } from '#tests/support/reports/cases.ts'
import {
  assert,
  countRows,
  dataSuite,
  type Db,
  dog,
  member,
  refusal,
  refusalError,
  seed,
} from '#tests/support/suites.ts'

// How much of a member and of a network goes to quarantine in a day, whatever becomes of it.

const OF_MEMBER = 'Hoy ya has enviado muchos textos que tenemos que revisar. Mañana podrás enviar más.'
const OF_NETWORK =
  'Desde tu conexión ya se han enviado hoy muchos textos que tenemos que revisar. Mañana podrás enviar el tuyo.'

const quotas = dataSuite('unit/moderation/review-quota')

/** The sentence of a refusal, which names when to try again. */
async function refusedWith(action: Promise<unknown>): Promise<string> {
  const { status, message, retryAfter = 0 } = await refusalError(action)
  assert.is(status, 429)
  assert.ok(retryAfter > 0 && retryAfter <= 86_400, String(retryAfter))
  return message
}

/** Adds flagged comments and deletes each. */
async function addAndDelete(db: Db, user: { id: string }, dogId: string, quota: Quota, count: number) {
  for (let n = 0; n < count; n++) {
    const { id } = await quota(() => holdComment(db, user, dogId, `${SALE} ${n}`))
    await deleteComment(db, user, id)
  }
}

quotas('a member’s is used up by what they delete again; every way to quarantine is then refused', async (t) => {
  const { db, dir } = t
  const [ana, luis, toby] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }), dog())
  const reviews = reviewQuota(luis.id, '198.51.100.1')
  const { dog: rex } = await addRealDog(t, luis.id, {}, { reviews })
  const addSale = () => addRealDog(t, luis.id, { description: SALE }, { reviews })
  const kept = rex.images!.map(({ url }) => url)
  // An attempt that fails takes nothing.
  const failed = updateDog(db, luis, 'nadie', { description: SALE }, undefined, reviews)
  assert.is((await refusal(failed))[0], 404)
  const { dog: added } = await addSale()
  await deleteDog(db, dir, luis, added.id)
  await addAndDelete(db, luis, toby.id, reviews, REVIEWS_PER_DAY - 1)
  const everything = async () => [
    await db.selectFrom('dogs_all').selectAll().execute(),
    await db.selectFrom('dog_images_all').selectAll().execute(),
    await listHiddenItems(db),
    await db.selectFrom('decisions').selectAll().execute(),
  ]
  const before = await everything()
  const refused: Record<string, () => Promise<unknown>> = {
    dog: addSale,
    edit: () => updateDog(db, luis, rex.id, { description: SALE }, undefined, reviews),
    gallery: () => replaceGallery(db, dir, luis, rex.id, kept, { alts: [SALE], reviews }),
  }
  for (const [way, action] of Object.entries(refused)) assert.is(await refusedWith(action()), OF_MEMBER, way)
  assert.equal(await everything(), before)
  // What needs no review is not refused, nor are others.
  await addComment(db, luis, toby.id, SALE)
  await updateDog(db, luis, rex.id, { description: 'Muy bueno' }, undefined, reviews)
  await replaceGallery(db, dir, luis, rex.id, kept, { alts: ['En el parque'], reviews })
  await reviewQuota(ana.id, '198.51.100.1')(() => holdComment(db, ana, toby.id, SALE))
})

quotas('a network’s is used up by accounts that are deleted and opened again', async ({ db, dir }) => {
  const [toby] = await seed(db, dog())
  const address = '198.51.100.2'
  for (let used = 0; used < NETWORK_REVIEWS_PER_DAY; used += REVIEWS_PER_DAY) {
    const [mallory] = await seed(db, member())
    await addAndDelete(db, mallory, toby.id, reviewQuota(mallory.id, address), REVIEWS_PER_DAY)
    await deleteMemberAccount(db, dir, mallory, 'keep')
  }
  const [again] = await seed(db, member())
  const add = (ip: string) => reviewQuota(again.id, ip)(() => holdComment(db, again, toby.id, SALE))
  assert.is(await refusedWith(add(address)), OF_NETWORK)
  await add('198.51.100.3')
  assert.is(await countRows(db, 'cases'), 1)
})
