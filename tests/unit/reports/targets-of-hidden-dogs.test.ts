import { addComment } from '#features/comments/comments.server.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import { listReferencedPhotos } from '#features/maintenance/database-contents.server.ts'
import { findNonPublicPhotos } from '#features/photos/visibility.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import type { CaseAction } from '#features/reports/decisions/decisions.ts'
import { autoHideTarget, REPORTS_TO_HIDE } from '#features/reports/reports.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { addRealDog, listPhotoFiles, photos } from '#tests/support/dogs/dogs-fixture.ts'
import { bellTexts } from '#tests/support/notifications/bell.ts'
import { ADMIN, admin, decide, report as reportSpam } from '#tests/support/reports/cases.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { type CurrentUser, type Dog, member, seed } from '#tests/support/seed.ts'
import { assert, dataSuite, type DbWorld, listDriftedCounts, pluck, type WorldOf } from '#tests/support/suites.ts'
import { refusal } from '#tests/support/refusal.ts'
import { insert, rowOf } from '#tests/support/rows.ts'

// A comment and a photo are reported, and their dog is hidden before the admin decides: they are hidden with it.

const STAYS = 'Hemos revisado lo que denunciaste y puede quedarse.'
type Kind = 'comment' | 'photo'
const KINDS: readonly Kind[] = ['comment', 'photo']

/** Ana owns Toby, Luis commented him, Eva reported the comment and Toby's cover. */
const hidden = dataSuite(
  'unit/reports/targets-of-hidden-dogs',
  {
    admin: admin(),
    ana: member({ alias: 'Ana' }),
    luis: member({ alias: 'Luis' }),
    eva: member({ alias: 'Eva' }),
  },
  async (t) => {
    const request = { uploads: await photos(3), alts: ['En el río', null, null] }
    const { dog: toby } = await addRealDog(t, t.ana.id, {}, request)
    const scene = { ...t, toby, comment: (await addComment(t.db, t.luis, toby.id, 'Un comentario feo')).id }
    const others: CurrentUser[] = await seed(t.db, ...Array.from({ length: REPORTS_TO_HIDE }, () => member()))
    await makeEstablishedMembers(t.db, pluck(others, 'id'), toby.id)
    for (const kind of KINDS) await report(scene, kind, t.eva)
    const caseIds = { comment: await findCaseId(scene, 'comment'), photo: await findCaseId(scene, 'photo') }
    return { ...scene, others, caseIds }
  },
)
type Scene = WorldOf<typeof hidden>
interface Targets extends DbWorld {
  toby: Dog
  comment: string
}

const idOf = ({ toby, comment }: Pick<Targets, 'toby' | 'comment'>, kind: Kind | 'dog'): string =>
  ({ comment, photo: toby.images[0]!.url, dog: toby.id })[kind]
const report = (t: Targets, kind: Kind | 'dog', user: CurrentUser, id = idOf(t, kind), network = '10.0.0.1') =>
  reportSpam(t.db, user, kind, id, network)

/** The case as it was opened: a restored photo has another id. */
const caseIdOf = (t: Scene, kind: Kind | 'dog'): Promise<string> =>
  kind === 'dog' ? findCaseId(t, kind) : Promise.resolve(t.caseIds[kind])
const findCaseId = async (t: Targets, kind: Kind | 'dog'): Promise<string> =>
  (await rowOf(t.db, 'cases', { kind, thing_id: idOf(t, kind) })).id
const readCase = async (t: Scene, kind: Kind | 'dog') => rowOf(t.db, 'cases', { id: await caseIdOf(t, kind) })

async function act(t: Scene, kind: Kind | 'dog', deed: CaseAction): Promise<void> {
  const { thing_id, edited_at: version } = await readCase(t, kind)
  await decide(t, thing_id, deed, { version })
}
const queued = async (t: Scene, kind: Kind) => {
  const { rows } = await listCases(t.db, t.admin)
  return rows.find((row) => row.kind === kind)!
}

/** Every way in which their dog is hidden. */
const HIDINGS: Record<string, (t: Scene) => Promise<unknown>> = {
  'an edit that a version before held': (t) => holdDog(t.db, t.ana, t.toby.id),
  'the admin': async (t) => {
    await report(t, 'dog', t.eva)
    await act(t, 'dog', 'hide')
  },
  'several reports': async (t) => {
    for (const [n, user] of t.others.entries()) await report(t, 'dog', user, t.toby.id, `10.1.${n}.1`)
    assert.ok(await autoHideTarget(t.db, { kind: 'dog', id: t.toby.id }, ADMIN))
  },
}
const hideDog = HIDINGS['an edit that a version before held']!

const isPublic = async (t: Scene, kind: Kind): Promise<boolean> => {
  const { thing_id: id } = await readCase(t, kind)
  const row =
    kind === 'comment'
      ? t.db.selectFrom('comments').select('id').where('id', '=', id)
      : t.db.selectFrom('dog_images').select('url as id').where('url', '=', id)
  return (await row.executeTakeFirst()) !== undefined
}
/** The files that everybody may have, of those on the disk. */
async function publicFiles({ db, dir }: Scene): Promise<string[]> {
  const files = listPhotoFiles(dir)
  const others = await findNonPublicPhotos(db, files)
  return files.filter((name) => !others.includes(name))
}

/** As many established members report it as hide it. @returns whether it was hidden */
async function reportByAll(t: Scene, kind: Kind): Promise<boolean> {
  const { thing_id: id } = await readCase(t, kind)
  for (const [n, user] of t.others.entries()) await report(t, kind, user, id, `10.2.${n}.1`)
  return autoHideTarget(t.db, { kind, id }, ADMIN)
}

for (const [name, hide] of Object.entries(HIDINGS))
  hidden(`hidden by ${name}: the queue shows them whole, with their people`, async (t) => {
    await hide(t)
    const [comment, cover] = [await queued(t, 'comment'), await queued(t, 'photo')]
    for (const { target } of [comment, cover]) assert.equal([target!.isHidden, target!.isDogHidden], [false, true])
    assert.is(comment.target!.quote, 'Un comentario feo')
    assert.equal(pluck(comment.members, 'alias'), ['Luis'])
    assert.equal(cover.target!.photos, [t.toby.images[0]!.url.replace('/photos/', '/api/held-photos/')])
    assert.equal(cover.target!.alts, ['Foto: En el río'])
    assert.is(cover.target!.label, 'Foto de Toby, Beagle')
    assert.equal(pluck(cover.members, 'alias'), ['Ana'])
  })

for (const kind of KINDS) {
  hidden(`${kind}: dismissed while its dog is hidden, it is not approved`, async (t) => {
    await hideDog(t)
    await act(t, kind, 'dismiss')
    assert.is((await readCase(t, kind)).open, 0)
    await act(t, 'dog', 'restore')
    assert.ok(await isPublic(t, kind))
    assert.ok(await reportByAll(t, kind), 'reports hide it')
    assert.not(await isPublic(t, kind))
  })
  hidden(
    `${kind}: hidden while its dog is hidden, it stays hidden when the dog is published, until it is restored`,
    async (t) => {
      await hideDog(t)
      await act(t, kind, 'hide')
      assert.equal((await bellTexts(t.db, t.eva))[0], 'Hemos retirado lo que denunciaste.')
      assert.equal(await refusal(act(t, kind, 'restore')), [409, 'Su perro está oculto: restáuralo primero.'])
      await act(t, 'dog', 'restore')
      assert.not(await isPublic(t, kind))
      assert.is((await publicFiles(t)).length, kind === 'photo' ? 2 : 3)
      assert.equal(await listDriftedCounts(t.db), [])
      await act(t, kind, 'restore')
      assert.ok(await isPublic(t, kind))
      assert.is((await publicFiles(t)).length, 3)
      assert.equal(await listDriftedCounts(t.db), [])
    },
  )
  hidden(`${kind}: deleted while its dog is hidden, it does not return with the dog`, async (t) => {
    await hideDog(t)
    await act(t, kind, 'delete')
    await act(t, 'dog', 'restore')
    assert.not(await isPublic(t, kind))
    const order = pluck(await t.db.selectFrom('dog_images').select('order').orderBy('order').execute(), 'order')
    assert.equal(order, kind === 'photo' ? [0, 1] : [0, 1, 2])
    const counts = [await publicFiles(t), listPhotoFiles(t.dir), [...(await listReferencedPhotos(t.db))]]
    for (const files of counts) assert.is(files.length, order.length)
    assert.equal(await listDriftedCounts(t.db), [])
  })
  hidden(`${kind}: gone with its dog, nobody reads that it may stay`, async (t) => {
    await hideDog(t)
    await deleteDog(t.db, t.dir, t.ana, t.toby.id)
    await act(t, kind, 'dismiss')
    assert.equal(await bellTexts(t.db, t.eva), ['Lo que denunciaste ya no está.'])
  })
  hidden(`${kind}: published again and then dismissed, it is approved`, async (t) => {
    await hideDog(t)
    await act(t, 'dog', 'restore')
    await act(t, kind, 'dismiss')
    assert.ok((await bellTexts(t.db, t.eva)).includes(STAYS))
    assert.not(await reportByAll(t, kind))
  })
}

hidden('the only photo of a hidden dog cannot be taken from it', async (t) => {
  await hideDog(t)
  for (const { url } of t.toby.images.slice(1)) {
    const row = { kind: 'photo' as const, thing_id: url, cause: 'reports' as const, dog_id: t.toby.id, reports: 0 }
    await insert(t.db, 'cases', { id: url, ...row, created_at: 1, latest_at: 1, user_id: null })
    await decide(t, url, 'delete')
  }
  const ONLY = [409, 'Es la única foto del perro: oculta la ficha entera.']
  for (const deed of ['hide', 'delete'] as const) assert.equal(await refusal(act(t, 'photo', deed)), ONLY)
})

hidden('a photo that is hidden while its dog is being published does not become public', async (t) => {
  await hideDog(t)
  const settled = await Promise.allSettled([act(t, 'dog', 'restore'), act(t, 'photo', 'hide')])
  assert.ok(settled.some(({ status }) => status === 'fulfilled'))
  if (settled[1].status === 'fulfilled') assert.not(await isPublic(t, 'photo'))
  const named = await t.db.selectFrom('dog_images').select('url').execute()
  assert.equal((await publicFiles(t)).sort(), named.map(({ url }) => url.replace('/photos/', '')).sort())
  assert.is(listPhotoFiles(t.dir).length, 3, 'its file is kept')
})
