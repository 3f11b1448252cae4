import { randomUUID } from 'node:crypto'
import { addComment, deleteComment, listComments } from '#features/comments/comments.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { findDog, getDog } from '#features/dogs/dog.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { listOwnHiddenDogs } from '#features/reports/hidden/hidden-dogs.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { autoHideTarget } from '#features/reports/reports.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { addRealDog, listPhotoFiles } from '#tests/support/dogs/dogs-fixture.ts'
import { bellTitles as titles } from '#tests/support/notifications/bell.ts'
import { ADMIN, admin, report } from '#tests/support/reports/cases.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, dataSuite, type Db, listDriftedCounts, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { insert, update } from '#tests/support/rows.ts'

const quarantine = dataSuite('unit/moderation/quarantine', { admin: admin() })
type Ground = WorldOf<typeof quarantine>

/** The admin publishes all that waits. */
async function letOut(t: Ground): Promise<void> {
  const input = { deed: 'restore', reason: '', days: null } as const
  for (const { id } of (await listCases(t.db, t.admin)).rows) await applyCaseAction(t.db, t.dir, t.admin, id, input)
}
const dogs = (db: Db) => db.selectFrom('dogs').select('id').execute()

quarantine('a comment that a version before held is visible to its author alone until it is approved', async (t) => {
  const { db } = t
  const [ana, toby, luis] = await seed(db, member(), dog(), member({ alias: 'Luis' }))
  const comment = await holdComment(db, luis, toby.id, 'Vendo cachorros, 300 €')
  assert.equal((await listComments(db, toby.id)).comments, [])
  assert.equal((await listComments(db, toby.id, { user: ana })).comments, [])
  const own = (await listComments(db, toby.id, { user: luis })).comments
  assert.equal([own.length, own[0]!.id, own[0]!.held], [1, comment.id, 'waits'])
  assert.is((await getDog(db, toby.id)).comments, 0)
  assert.equal(await titles(db, ana), [])
  const told = await db.selectFrom('events').select('data').execute()
  assert.not(told.some(({ data }) => data.includes('Vendo')))
  await letOut(t)
  assert.is((await listComments(db, toby.id)).comments[0]!.id, comment.id)
  assert.equal(await titles(db, ana), ['Nuevo comentario'])
  assert.equal(await listDriftedCounts(db), [])
})

quarantine('authors delete their own pending comment, and nobody else does', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  const { id } = await holdComment(db, luis, toby.id, 'gilipollas')
  assert.is((await refusal(deleteComment(db, ana, id)))[0], 404)
  await deleteComment(db, luis, id)
  assert.equal((await listComments(db, toby.id, { user: luis })).comments, [])
})

quarantine('a dog with a sale offer is pending; once approved, it is announced as new', async (t) => {
  const { db, dir } = t
  const [ana] = await seed(db, member())
  const added = await addRealDog(t, ana.id, { description: 'Se vende, 300 €' })
  assert.is(added.dog.waits, true)
  assert.equal(await dogs(db), [])
  assert.equal(await titles(db, ana), [])
  const [held] = await listOwnHiddenDogs(db, ana.id)
  assert.equal([held!.name, held!.isPendingReview, held!.path], ['Toby', true, '/beagle/toby'])
  assert.is(listPhotoFiles(dir).length, 1)
  await letOut(t)
  assert.is((await findDog(db, added.dog.id))!.path, '/beagle/toby')
  assert.equal((await titles(db, ana)).sort(), ['Ya se ve', '¡Nueva raza en tu álbum!'])
  assert.equal(await listDriftedCounts(db), [])
})

quarantine('a dog that a version before held with its edit returns with its likes', async (t) => {
  const { db } = t
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  await like(db, luis, toby.id)
  await holdDog(db, ana, toby.id)
  assert.equal(await dogs(db), [])
  await letOut(t)
  const back = await getDog(db, toby.id)
  assert.equal([back.description, back.likes], ['Se vende', 1])
})

quarantine('photos without a description have the usual one while their dog is hidden, and none after', async (t) => {
  const { db } = t
  const [ana, toby] = await seed(db, member(), dog({ name: 'Toby', zone: 'Jaca', photos: 2 }))
  await holdDog(db, ana, toby.id)
  const [held] = await listOwnHiddenDogs(db, ana.id)
  const usual = ['Toby, Beagle, en Jaca. Foto 1 de 2', 'Toby, Beagle, en Jaca. Foto 2 de 2']
  assert.equal(pluck(held!.photos, 'alt'), usual)
  await letOut(t)
  assert.equal((await getDog(db, toby.id)).images, toby.images)
})

quarantine('a repeated request finds the pending dog', async (t) => {
  const { db } = t
  const [ana] = await seed(db, member())
  const send = () => addRealDog(t, ana.id, { name: 'Se vende' }, { idempotency: { sender: ana.id, key: 'una clave' } })
  const [first, second] = [await send(), await send()]
  assert.is(second.dog.id, first.dog.id)
  assert.equal(await listHiddenItems(db), [{ kind: 'dog', id: first.dog.id, cause: 'words' }])
})

quarantine('anonymous dogs are pending if the operator configures it, and can be claimed meanwhile', async (t) => {
  const { db } = t
  const [ana] = await seed(db, member())
  const open = await addRealDog(t, null)
  assert.is(open.dog.waits, undefined)
  const { dog: luna, association } = await addRealDog(t, null, { name: 'Luna' }, { holdAnonymous: true })
  assert.equal(await dogs(db), [{ id: open.dog.id }])
  const claim = { ownershipType: 'owner' as const, token: 'otra' }
  // Without its token it answers as a deleted one, before and after it is somebody's.
  const missing = await refusal(claimDog(db, ana.id, randomUUID(), claim))
  assert.is(missing[0], 404)
  assert.equal(await refusal(claimDog(db, ana.id, luna.id, claim)), missing)
  await claimDog(db, ana.id, luna.id, { ...claim, token: association!.token })
  assert.equal(await refusal(claimDog(db, ana.id, luna.id, claim)), missing)
  assert.is((await listOwnHiddenDogs(db, ana.id))[0]!.name, 'Luna')
  // The line could not go with the dog.
  const { notifications: bell } = await listNotifications(db, ana.id)
  assert.equal([bell[0]!.title, bell.some(({ content }) => content.includes('Luna'))], ['Perro asociado', false])
  await letOut(t)
  assert.is((await getDog(db, luna.id)).owner_id, ana.id)
  assert.equal(await listDriftedCounts(db), [])
})

quarantine('a banned member writes nothing, and still deletes their own content', async (t) => {
  const { db, dir } = t
  const [ana, toby, , luna] = await seed(db, member(), dog(), member(), dog())
  const [stray] = await seed(db, dog({ owner_id: null }))
  await like(db, ana, luna.id)
  const comment = await addComment(db, ana, luna.id, 'Hola')
  await ban(db, ana.id, { until: Date.UTC(2099, 0, 1, 12), reason: 'Insultos' })
  const said = [403, 'Tu cuenta no puede publicar hasta el 1 de enero de 2099. Mientras tanto puedes seguir leyendo.']
  const deeds: Record<string, () => Promise<unknown>> = {
    add: () => addRealDog(t, ana.id),
    edit: () => updateDog(db, ana, toby.id, { name: 'Otro' }),
    photos: async () => replaceGallery(db, dir, ana, toby.id, [await photo()]),
    claim: () => claimDog(db, ana.id, stray.id, { ownershipType: 'owner', token: 'x' }),
    like: () => like(db, ana, luna.id),
    comment: () => addComment(db, ana, luna.id, 'Hola'),
    ownership: () => requestOwnership(db, ana, stray.id),
    profile: () => updateProfile(db, ana, { alias: 'Otra', emoji: '🐶' }),
    report: () => report(db, ana, 'dog', luna.id),
  }
  for (const [name, deed] of Object.entries(deeds)) assert.equal(await refusal(deed()), said, name)
  assert.equal(listPhotoFiles(dir), [])
  await unlike(db, ana, luna.id)
  await deleteComment(db, ana, comment.id)
})

// Hiding by itself.
const DAY_MS = 86_400_000
/** An earlier comment on the dog. */
const addOldComment = (db: Db, userId: string, dogId: string) =>
  insert(db, 'comments_all', {
    id: crypto.randomUUID(),
    dog_id: dogId,
    user_id: userId,
    content: 'Hola',
    created_at: Date.now() - 8 * DAY_MS,
  })

async function reportBy(t: Ground, dogId: string, from: readonly string[], age = 15 * DAY_MS, isAtHome = true) {
  const { db } = t
  let hidden = false
  for (const network of from) {
    const [someone] = await seed(db, member())
    await update(db, 'users', { id: someone.id }, { created_at: Date.now() - age })
    if (isAtHome) await addOldComment(db, someone.id, dogId)
    await report(db, someone, 'dog', dogId, network)
    hidden = (await autoHideTarget(db, { kind: 'dog', id: dogId }, ADMIN)) || hidden
  }
  return hidden
}

quarantine('five members from five networks hide a report target; its owners and the admin are notified', async (t) => {
  const { db, admin: asker } = t
  const [ana, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  assert.is(await reportBy(t, toby.id, ['a', 'b', 'c', 'd']), false)
  assert.is(await reportBy(t, toby.id, ['e']), true)
  assert.equal(await dogs(db), [])
  assert.equal(await titles(db, ana), ['Hemos ocultado algo tuyo'])
  assert.equal(await titles(db, asker.user), ['Ocultado por varias denuncias'])
  const [waiting] = (await listCases(db, asker)).rows
  assert.equal([waiting!.reports, waiting!.target!.isHidden, waiting!.decisions[0]!.action], [5, true, 'auto-hide'])
})

quarantine('one network, young or idle accounts, or content approved before: nothing is hidden', async (t) => {
  const { db } = t
  const [, toby, luna, sol] = await seed(db, member(), dog(), dog(), dog())
  assert.is(await reportBy(t, toby.id, ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c', 'd']), false)
  assert.is(await reportBy(t, luna.id, ['a', 'b', 'c', 'd', 'e', 'f'], 13 * DAY_MS), false)
  assert.is(await reportBy(t, luna.id, ['a', 'b', 'c', 'd', 'e', 'f'], 60 * DAY_MS, false), false)
  assert.is(await reportBy(t, sol.id, ['a', 'b', 'c', 'd', 'e']), true)
  await db.updateTable('cases').set({ open: 0 }).where('thing_id', '!=', sol.id).execute()
  await letOut(t)
  assert.is(await reportBy(t, sol.id, ['a', 'b', 'c', 'd', 'e', 'f']), false)
})

quarantine('one network day after day, or the many networks of one IPv6 site, hide nothing', async (t) => {
  const { db } = t
  const [, toby, luna] = await seed(db, member(), dog(), dog())
  for (let day = 1; day <= 6; day++) {
    assert.is(await reportBy(t, toby.id, ['a']), false)
    const ago = { created_at: Date.now() - day * DAY_MS, origin: `día ${day}` }
    const today = db.updateTable('reports').where('created_at', '>', Date.now() - DAY_MS / 2)
    await today.set(ago).execute()
  }
  const site = Array.from({ length: 8 }, (_, n) => `2001:db8:7:${n.toString(16)}::/64`)
  assert.is(await reportBy(t, luna.id, site), false)
  const sites = Array.from({ length: 4 }, (_, n) => `2001:db8:${n + 20}:1::/64`)
  assert.is(await reportBy(t, luna.id, sites), true)
})
