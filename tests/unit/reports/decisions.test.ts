import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { exportJson } from '#features/account/export/export-json.server.ts'
import { listReferencedPhotos } from '#features/maintenance/database-contents.server.ts'
import { addComment, listComments } from '#features/comments/comments.server.ts'
import { findDog, getDog } from '#features/dogs/dog.server.ts'
import { listDogs } from '#features/dogs/list/list.server.ts'
import { findByPath } from '#features/dogs/paths.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { findNonPublicPhotos } from '#features/photos/visibility.server.ts'
import type { CaseAction, DecisionInput } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import { listCases, listDecisionLog } from '#features/reports/cases/case-queue.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { addRealDog, photos } from '#tests/support/dogs/dogs-fixture.ts'
import { bell } from '#tests/support/notifications/bell.ts'
import { ADMIN, admin, report, reportAndDecide } from '#tests/support/reports/cases.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import {
  assert,
  assertNone,
  dataSuite,
  isPostgresRun,
  listDriftedCounts,
  pluck,
  refusal,
} from '#tests/support/suites.ts'

/** What the admin decides, with a reason where the test has none. */
type Deed = { deed: CaseAction } & Partial<DecisionInput>

const decisions = dataSuite(
  'unit/reports/decisions',
  { admin: admin(), reporter: member({ alias: 'Quien avisa' }) },
  async (t) => ({
    act: (kind: TargetKind, id: string, { deed, ...fields }: Deed): Promise<void> =>
      reportAndDecide(t, kind, id, deed, { reason: 'Es publicidad.', ...fields }),
  }),
)

decisions('a hidden dog is nowhere visible, and is restored as it was, with its counts', async (t) => {
  const { db, dir, act } = t
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const { dog: toby } = await addRealDog(t, ana.id, {}, { uploads: await photos(2) })
  await like(db, luis, toby.id)
  await addComment(db, luis, toby.id, 'Qué guapo')
  const before = await getDog(db, toby.id)

  await act('dog', toby.id, { deed: 'hide', reason: 'Es un anuncio.' })
  assert.is(await findDog(db, toby.id), undefined)
  assert.is((await findByPath(db, 'beagle', 'toby')).kind, 'gone')
  assert.equal((await listDogs(db, {})).dogs, [])
  assert.equal(await listDriftedCounts(db), [])
  const profiles = await db.selectFrom('profiles').select(['alias', 'dogs_count', 'likes_count']).execute()
  assertNone(profiles, (row) => row.dogs_count + row.likes_count > 0)
  const addresses = before.images.map(({ url }) => url)
  const names = addresses.map((url) => url.slice('/photos/'.length))
  assert.equal(await findNonPublicPhotos(db, names), names, 'none is left in public')
  if (!isPostgresRun)
    assert.equal([...(await listReferencedPhotos(db))].sort(), names.toSorted(), 'the doctor knows where they are')
  const [line] = await bell(db, ana)
  assert.is(line!.content, 'Ya no se ve la ficha de Toby, Beagle. Motivo: Es un anuncio. Puedes responder.')
  assert.is(line!.path, '/perfil/seguridad#decisiones')

  await act('dog', toby.id, { deed: 'restore', reason: '' })
  assert.equal(await getDog(db, toby.id), before)
  assert.equal(await findNonPublicPhotos(db, names), [])
  for (const url of addresses) assert.ok(existsSync(join(dir, url)), 'its file is there')
  assert.is((await findByPath(db, 'beagle', 'toby')).kind, 'found')
  assert.is((await listComments(db, toby.id)).comments[0]!.content, 'Qué guapo')
  assert.equal(await listDriftedCounts(db), [])
  assert.is((await bell(db, ana))[0]!.content, 'Ya se ve la ficha de Toby, Beagle.')
})

decisions('likes and comments of members who left meanwhile are not restored', async ({ db, act }) => {
  const [, toby, luis] = await seed(db, member(), dog(), member())
  await like(db, luis, toby.id)
  await act('dog', toby.id, { deed: 'hide' })
  await db.deleteFrom('users').where('id', '=', luis.id).execute()
  await act('dog', toby.id, { deed: 'restore' })
  assert.is((await getDog(db, toby.id)).likes, 0)
  assert.equal(await listDriftedCounts(db), [])
})

decisions('one photo can be hidden on its own, the only one cannot', async ({ db, act }) => {
  const [, toby, luna] = await seed(db, member(), dog({ photos: 3 }), dog({ photos: 1 }))
  const [first, second, third] = toby.images.map(({ url }) => url)
  await act('photo', first!, { deed: 'hide' })
  const now = await getDog(db, toby.id)
  assert.equal([now.photo_url, ...now.images.map(({ url }) => url)], [second, second, third])
  const [only] = luna.images
  const refused = [409, 'Es la única foto del perro: oculta la ficha entera.']
  assert.equal(await refusal(act('photo', only!.url, { deed: 'hide' })), refused)
  await act('photo', first!, { deed: 'restore' })
  assert.equal((await getDog(db, toby.id)).images, toby.images)
  // In any order, and where another had the same place meanwhile.
  for (const url of [first!, second!]) await act('photo', url, { deed: 'hide' })
  for (const url of [first!, second!]) await act('photo', url, { deed: 'restore' })
  assert.equal((await getDog(db, toby.id)).images, toby.images)
})

decisions(
  'a hidden comment is removed from the page, the count and the notification that quoted it',
  async ({ db, act }) => {
    const [ana, toby, luis] = await seed(db, member(), dog(), member({ alias: 'Luis' }))
    const { id } = await addComment(db, luis, toby.id, 'Compra aquí')
    await act('comment', id, { deed: 'hide' })
    assert.equal((await listComments(db, toby.id)).comments, [])
    assert.is((await getDog(db, toby.id)).comments, 0)
    assert.equal(await bell(db, ana), [])
    const told = await db.selectFrom('events').select('data').where('type', '=', 'comment').execute()
    assert.not(told.some(({ data }) => data.includes('Compra aquí')))
    await act('comment', id, { deed: 'restore' })
    assert.is((await listComments(db, toby.id)).comments[0]!.id, id)
    assert.equal(await listDriftedCounts(db), [])
  },
)

decisions('a hidden profile is «Usuario» everywhere and is not created again', async ({ db, act }) => {
  const [ana, toby] = await seed(db, member({ alias: 'Grosería' }), dog())
  await addComment(db, ana, toby.id, 'Hola')
  await act('profile', ana.id, { deed: 'hide' })
  assert.equal(await ensureProfile(db, ana.id), { alias: 'Usuario', emoji: '🐶', verified: false })
  assert.is((await listComments(db, toby.id)).comments[0]!.alias, 'Usuario')
  assert.equal(await listDriftedCounts(db), [])
  await act('profile', ana.id, { deed: 'restore' })
  assert.is((await ensureProfile(db, ana.id)).alias, 'Grosería')
  const row = await db.selectFrom('profiles').select(['dogs_count']).where('id', '=', ana.id).executeTakeFirst()
  assert.equal(row, { dogs_count: 1 })
  assert.equal(await listDriftedCounts(db), [])
})

decisions('a permanent deletion removes rows, files and quarantined items', async (t) => {
  const { db, dir, act } = t
  const [ana, luis] = await seed(db, member(), member())
  const { dog: toby } = await addRealDog(t, ana.id, {}, { uploads: await photos(2) })
  const { id } = await addComment(db, luis, toby.id, 'Compra aquí')
  await act('comment', id, { deed: 'hide' })
  await act('photo', toby.images[0]!.url, { deed: 'hide' })
  await act('dog', toby.id, { deed: 'delete' })
  assert.equal(globSync('**/*.jpg', { cwd: dir }), [])
  assert.equal(await listHiddenItems(db), [])
  assert.equal(await listDriftedCounts(db), [])
})

decisions('a warning and a ban are notified with their reason, and a ban ends by itself', async ({ db, act }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await act('dog', toby.id, { deed: 'warn', reason: 'Sin anuncios, por favor.' })
  await act('dog', toby.id, { deed: 'ban', reason: 'Insultos', days: 7 })
  assert.ok(await findActiveBan(db, ana.id))
  assert.is(await findActiveBan(db, ana.id, Date.now() + 8 * 86_400_000), undefined)
  // Both within a millisecond: the bell's order says nothing here.
  const [first, second] = pluck(await bell(db, ana), 'content').toSorted()
  assert.is(first, 'Sobre la ficha de ' + toby.name + ', Beagle: Sin anuncios, por favor. Puedes responder.')
  assert.match(second!, /^Tu cuenta no puede publicar hasta el .+\. Motivo: Insultos\. Puedes responder\.$/)
  await act('dog', toby.id, { deed: 'unban' })
  assert.is(await findActiveBan(db, ana.id), undefined)
})

decisions('a member answers a decision once, and the case is back in the queue', async ({ db, admin: asker, act }) => {
  const [ana, toby, luis] = await seed(db, member({ alias: 'Ana' }), dog(), member())
  await act('dog', toby.id, { deed: 'hide' })
  assert.equal((await listCases(db, asker)).rows, [])
  const [decision] = await listOwnDecisions(db, ana.id)
  assert.is(decision!.open, true)
  assert.is((await refusal(submitAppeal(db, luis, decision!.id, 'Yo', undefined)))[0], 403)
  await submitAppeal(db, ana, decision!.id, 'No es un anuncio, es mi perro.', ADMIN)
  const again = submitAppeal(db, ana, decision!.id, 'Otra vez', ADMIN)
  assert.equal(await refusal(again), [409, 'Ya respondiste a esta decisión.'])
  const [waiting] = (await listCases(db, asker)).rows
  assert.is(waiting!.decisions[0]!.appeals[0]!.text, 'No es un anuncio, es mi perro.')
  assert.is(waiting!.target!.isHidden, true)
  assert.is((await bell(db, asker.user))[0]!.title, 'Respuesta a una decisión')
})

decisions(
  'every action is in the log, with actor and reason, and the queue has pages',
  async ({ db, admin: asker, act }) => {
    const [, one, two, three] = await seed(db, member(), dog(), dog(), dog())
    for (const each of [one, two, three]) await act('dog', each.id, { deed: 'note', reason: `Nota ${each.name}` })
    const first = await listCases(db, asker, { limit: 2 })
    const second = await listCases(db, asker, { limit: 2, cursor: first.nextCursor! })
    assert.is(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size, 3)
    assert.is(second.nextCursor, null)
    await act('dog', one.id, { deed: 'dismiss', reason: '' })
    assert.is((await listCases(db, asker)).rows.length, 2)
    assert.is((await listCases(db, asker, { order: 'cerradas' })).rows.length, 1)
    const { rows } = await listDecisionLog(db, asker)
    assert.is(rows.length, 4)
    assert.equal([rows[0]!.action, rows[0]!.admin], ['dismiss', 'Admin'])
    assert.ok(rows.some(({ reason }) => reason === `Nota ${two.name}`))
  },
)

decisions('only the admin decides and reads cases', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const asker = { user: ana, adminEmail: ADMIN }
  const input = { deed: 'hide', reason: 'x', days: null } as const
  assert.is((await refusal(applyCaseAction(db, dir, asker, ana.id, input)))[0], 403)
  assert.is((await refusal(listCases(db, asker)))[0], 403)
  assert.is((await refusal(listDecisionLog(db, { ...asker, user: null })))[0], 401)
})

decisions('a deleted account deletes its hidden items, its reports and its texts in the log', async (t) => {
  const { db, dir, act, admin: asker } = t
  const [ana, toby, luis, luna] = await seed(db, member({ alias: 'Ana' }), dog(), member({ alias: 'Luis' }), dog())
  await like(db, ana, luna.id)
  await addComment(db, ana, luna.id, 'Un secreto de Ana')
  const { id } = await addComment(db, ana, luna.id, 'Otro secreto')
  await act('comment', id, { deed: 'hide' })
  await act('dog', luna.id, { deed: 'hide' })
  await act('dog', toby.id, { deed: 'hide' })
  await report(db, ana, 'profile', luis.id)
  await deleteMemberAccount(db, dir, ana, 'delete')
  assert.equal(pluck(await listHiddenItems(db), 'id'), [luna.id])
  const everything = JSON.stringify(await readAllRows(db))
  assert.not(everything.includes('secreto') || everything.includes(ana.id))
  const { rows } = await listDecisionLog(db, asker)
  assert.not(rows.some(({ label }) => label.includes('secreto') || label.includes(toby.name)))
  assert.equal((await listCases(db, asker)).rows, [], 'a case that only she reported goes with her account')
})

decisions('a member who leaves without their dogs leaves a hidden one without them', async ({ db, dir, act }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await act('dog', toby.id, { deed: 'hide' })
  await deleteMemberAccount(db, dir, ana, 'keep')
  await act('dog', toby.id, { deed: 'restore' })
  assert.is((await getDog(db, toby.id)).owner_id, null)
})

decisions('the data export contains hidden content and decisions', async ({ db, act }) => {
  const [ana, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  await act('dog', toby.id, { deed: 'hide', reason: 'Es un anuncio.' })
  const data = JSON.parse((await Array.fromAsync(exportJson(db, ana.id))).join(''))
  assert.equal([data.perros[0].name, data.perros[0].oculto], ['Toby', true])
  assert.is(data.moderacion.decisiones[0].reason, 'Es un anuncio.')
})
