import { decideReview, listReviews } from '#features/admin/review/queue.server.ts'
import { addNotice, type NewNotice } from '#features/found/add.server.ts'
import { addClaim, decideClaim } from '#features/found/claims.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { FOUND_REPORT_REASONS, type FoundViewer } from '#features/found/found.ts'
import { matchLostCase } from '#features/found/matching.server.ts'
import { closeNotice, readNotice } from '#features/found/notice.server.ts'
import { reportClaim, reportNotice } from '#features/found/reports.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { readReviewedPhoto } from '#features/found/reviews.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, member, pluck, seed, type WorldOf } from '#tests/support/suites.ts'
import { refusal } from '#tests/support/refusal.ts'
import { update } from '#tests/support/rows.ts'

const ADMIN = 'admin@ejemplo.es'

const reports = dbSuite('unit/found/reports', {}, async ({ db }) => {
  const now = Date.now()
  const [boss] = await seed(db, member({ email: ADMIN }))
  const admin: { user: CurrentUser; adminEmail: string } = { user: boss, adminEmail: ADMIN }
  /** Look for a dog in Getafe each. */
  const owners: CurrentUser[] = []
  for (let n = 0; n < 3; n++) {
    // Established, as only such members' reports count.
    const [owner, lost] = await seed(db, member(), dog({ created_at: now - 8 * DAY_MS }))
    await update(db, 'users', { id: owner.id }, { created_at: now - 15 * DAY_MS })
    await addLostCase(db, { dog_id: lost.id, owner_id: owner.id, opened_at: now - HOUR_MS })
    owners.push(owner)
  }
  return { now, admin, owners }
})
type World = WorldOf<typeof reports>

const PLACE = { zone: 'Getafe, Madrid', province: '28', matchPoint: { lat: 40.306, lon: -3.731 } }
const NOTHING = { size: null, coat: '', collar: '', words: '', question: '' }
const viewerOf = (user: CurrentUser | null, secrets: [string, string][] = []): FoundViewer => ({
  userId: user?.id ?? null,
  secrets: new Map(secrets),
})

/** A notice in Getafe, of which the three owners are told unless it waits. */
async function find({ db, now }: World, fields: Partial<NewNotice> = {}) {
  const { id, secret } = await addNotice(
    db,
    {
      input: { foundAt: now - 1000, place: PLACE, ...NOTHING, words: 'Paga 50 € y te lo doy' },
      photo: { data: Buffer.from('jpeg'), width: 4, height: 3 },
      breedSlug: null,
      userId: null,
      network: '203.0.113.7',
      adminEmail: ADMIN,
      ...fields,
    },
    now,
  )
  return { id, finder: viewerOf(null, [[id, secret ?? '']]) }
}
/** Each owner has a network of their own. */
const report = (
  { db, now, owners }: World,
  owner: CurrentUser,
  id: string,
  network = networkOf(owners.indexOf(owner)),
) => reportNotice(db, viewerOf(owner), id, { reason: 'money', network }, { adminEmail: ADMIN, now })
const networkOf = (n: number) => `198.51.100.${20 + n}`
const statusFor = async ({ db, now }: World, viewer: FoundViewer, id: string) =>
  readNotice(db, viewer, id, now).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
const listFound = async ({ db, admin }: World, kind: 'found' | 'answer' = 'found') =>
  (await listReviews(db, admin, kind)).rows
const waiting = async (t: World) => [...(await listFound(t)), ...(await listFound(t, 'answer'))].map(({ id }) => id)
/** A dog that is lost in Getafe now, and what it is compared with. */
async function addLostCaseNear({ db, now }: World) {
  const [owner, lost] = await seed(db, member(), dog())
  const id = await addLostCase(db, { dog_id: lost.id, owner_id: owner.id, opened_at: now })
  await matchLostCase(db, id, now)
  return db.selectFrom('found_matches').selectAll().execute()
}
const bellOf = async ({ db }: World, { id }: CurrentUser) =>
  db.selectFrom('notifications_all').select(['title', 'content', 'link']).where('user_id', '=', id).execute()

reports('an owner who was told reports a notice, and the admin reads it with its photo', async (t) => {
  const { id } = await find(t)
  const [owner] = t.owners as [CurrentUser]
  await report(t, owner, id)
  await report(t, owner, id)
  const [notice] = await listFound(t)
  assert.equal(
    [notice?.id, notice?.words[2]?.text, notice?.reasons, notice?.heading.text, notice?.people[0]?.id],
    [id, 'Paga 50 € y te lo doy', ['Pide dinero'], 'Aviso denunciado', null],
  )
  assert.equal(String(await readReviewedPhoto(t.db, t.admin, id)), 'jpeg')
  assert.equal(await bellOf(t, t.admin.user), [
    {
      title: 'Perros encontrados por revisar',
      content: '1 aviso o respuesta por revisar.',
      link: '/admin?tab=denuncias&clase=encontrado',
    },
  ])
  const read = await readNotice(t.db, viewerOf(owner), id, t.now)
  assert.is(read.role === 'owner' && read.isReported, true)
  assert.is(await statusFor(t, viewerOf(t.owners[1]!), id), 200, 'others see it until the admin decides')
})

reports('a reported notice that its finder closes is kept for the admin alone', async (t) => {
  const { id, finder } = await find(t)
  const [owner, other] = t.owners as [CurrentUser, CurrentUser]
  const { id: claim } = await addClaim(t.db, viewerOf(other), id, 'Una mancha', t.now)
  await decideClaim(t.db, finder, id, { id: claim, accept: true }, t.now)
  await report(t, owner, id)
  await closeNotice(t.db, finder, id, t.now)
  for (const viewer of [finder, viewerOf(owner), viewerOf(other)]) assert.is(await statusFor(t, viewer, id), 404)
  for (const table of ['found_claims', 'found_matches', 'contact_threads'] as const)
    assert.equal(await t.db.selectFrom(table).selectAll().execute(), [], table)
  assert.equal(
    (await listFound(t)).map((notice) => [notice.id, notice.heading.text, notice.reasons]),
    [[id, 'Aviso denunciado, que su autor ya ha cerrado', ['Pide dinero']]],
  )
  assert.is((await addLostCaseNear(t)).length, 0, 'it is compared with no dog any more')
  await decideReview(t.db, t.admin, 'found', id, 'keep', t.now)
  assert.equal(await t.db.selectFrom('found_notices_all').selectAll().execute(), [])
})

reports('a notice that nobody reported is deleted when it is closed', async (t) => {
  const { id, finder } = await find(t)
  const lines = () => t.db.selectFrom('notifications').select('id').where('link', '=', `/encontrados/${id}`).execute()
  assert.ok((await lines()).length > 0)
  await closeNotice(t.db, finder, id, t.now)
  assert.equal(await t.db.selectFrom('found_notices_all').selectAll().execute(), [])
  assert.equal(await lines(), [], 'no line of a bell leads to it')
})

reports('with a deleted answer goes the conversation that it opened', async (t) => {
  const { id, finder } = await find(t)
  const [owner] = t.owners as [CurrentUser]
  const { id: claim } = await addClaim(t.db, viewerOf(owner), id, 'Dame 50 €', t.now)
  await decideClaim(t.db, finder, id, { id: claim, accept: true }, t.now)
  assert.is((await t.db.selectFrom('contact_threads').selectAll().execute()).length, 1)
  await reportClaim(t.db, finder, { noticeId: id, claimId: claim }, 'money', { adminEmail: ADMIN, now: t.now })
  await decideReview(t.db, t.admin, 'answer', claim, 'delete', t.now)
  assert.equal(await t.db.selectFrom('contact_threads').selectAll().execute(), [])
  const { state, answer } = await t.db.selectFrom('found_claims').selectAll().executeTakeFirstOrThrow()
  assert.equal([state, answer], ['refused', ''])
})

reports('nobody else reports it: its finder, who was not told, a visitor and banned members', async (t) => {
  const { id, finder } = await find(t)
  const [stranger] = await seed(t.db, member())
  for (const viewer of [finder, viewerOf(stranger), viewerOf(null)])
    assert.is(
      (await refusal(reportNotice(t.db, viewer, id, { reason: 'false', network: networkOf(0) }, { now: t.now })))[0],
      404,
    )
  await ban(t.db, t.owners[0]!.id, { until: null, reason: 'Insultos.' })
  assert.equal([(await refusal(report(t, t.owners[0]!, id)))[0], await waiting(t)], [403, []])
})

reports('reports of three owners hide it, and send what its network reports to the admin for a day', async (t) => {
  const { id, finder } = await find(t)
  for (const owner of t.owners) await report(t, owner, id)
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), id), 404)
  assert.is(await statusFor(t, finder, id), 200, 'its finder is not told')
  await t.db.deleteFrom('notifications_all').execute()

  const next = await find(t)
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), next.id), 404)
  assert.equal(await bellOf(t, t.owners[0]!), [])
  assert.equal(pluck(await bellOf(t, t.admin.user), 'content'), ['2 avisos o respuestas por revisar.'])
  assert.equal(new Set(await waiting(t)), new Set([id, next.id]))
  const other = await find(t, { network: '198.51.100.1' })
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), other.id), 200)
  t.now += 25 * HOUR_MS
  const later = await find(t)
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), later.id), 200)
})

reports('reports of new accounts wait for the admin, and hide nothing', async (t) => {
  await t.db.updateTable('users').set({ created_at: t.now }).execute()
  const { id } = await find(t)
  for (const owner of t.owners) await report(t, owner, id)
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), id), 200)
  assert.equal(await waiting(t), [id])
  // Of another network: an owner is told of two of one network a day.
  const next = await find(t, { network: '198.51.100.9' })
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), next.id), 200)
})

reports('one that the admin keeps is seen, its owners are told, and its reports count no more', async (t) => {
  const { id } = await find(t)
  for (const owner of t.owners) await report(t, owner, id)
  const held = await find(t)
  await t.db.deleteFrom('notifications_all').execute()
  await decideReview(t.db, t.admin, 'found', held.id, 'keep', t.now)
  assert.equal(pluck(await bellOf(t, t.owners[2]!), 'link'), [`/encontrados/${held.id}`])
  await decideReview(t.db, t.admin, 'found', id, 'keep', t.now)
  assert.equal([await statusFor(t, viewerOf(t.owners[0]!), id), await waiting(t)], [200, []])
  // Of another network: an owner is told of two of one network a day.
  const next = await find(t, { network: '198.51.100.9' })
  assert.is(await statusFor(t, viewerOf(t.owners[0]!), next.id), 200)
  assert.is((await refusal(decideReview(t.db, t.admin, 'found', id, 'keep', t.now)))[0], 409)
})

reports('one that the admin deletes goes with its photo, and its sender is reviewed at once', async (t) => {
  const [finder] = await seed(t.db, member())
  const { id } = await find(t, { userId: finder.id })
  await report(t, t.owners[0]!, id)
  assert.is((await refusal(decideReview(t.db, { user: finder, adminEmail: ADMIN }, 'found', id, 'delete')))[0], 403)
  await decideReview(t.db, t.admin, 'found', id, 'delete', t.now)
  for (const table of ['found_notices_all', 'found_photos', 'found_reports'] as const)
    assert.equal(await t.db.selectFrom(table).selectAll().execute(), [], table)
  assert.match((await bellOf(t, finder))[0]!.content, 'Hemos eliminado tu aviso de un perro encontrado')
  // The member, from another network; and the network, without account.
  for (const fields of [{ userId: finder.id, network: '198.51.100.9' }, {}])
    assert.is(await statusFor(t, viewerOf(t.owners[0]!), (await find(t, fields)).id), 404)
})

reports('an answer is reported by the finder without account, and the admin deletes its words', async (t) => {
  const { id, finder } = await find(t)
  const [owner] = t.owners as [CurrentUser]
  const { id: claim } = await addClaim(t.db, viewerOf(owner), id, 'Dámelo o verás', t.now)
  const ids = { noticeId: id, claimId: claim }
  assert.is((await refusal(reportClaim(t.db, viewerOf(owner), ids, 'other', { now: t.now })))[0], 404)
  for (const _ of [1, 2]) await reportClaim(t.db, finder, ids, 'other', { adminEmail: ADMIN, now: t.now })
  assert.equal(
    (await listFound(t, 'answer')).map(({ words, people, reasons }) => [words[0]?.text, people[0]?.id, reasons]),
    [['Dámelo o verás', owner.id, [FOUND_REPORT_REASONS.other]]],
  )
  assert.is((await readNotice(t.db, viewerOf(owner), id, t.now)).claims[0]!.isReported, false, 'its author is not told')
  await decideReview(t.db, t.admin, 'answer', claim, 'delete', t.now)
  const [left] = (await readNotice(t.db, finder, id, t.now)).claims
  assert.equal([left!.answer, left!.state], ['', 'refused'])
  const told = (await bellOf(t, owner)).map(({ content }) => content)
  assert.ok(told.some((content) => content.startsWith('Hemos eliminado tu respuesta a quien encontró un perro')))
  assert.is((await refusal(decideReview(t.db, t.admin, 'answer', claim, 'delete')))[0], 409)
  assert.is((await refusal(reportClaim(t.db, finder, ids, 'other', { now: t.now })))[0], 404)
  await addClaim(t.db, viewerOf(owner), id, 'Otra', t.now)
  const again = await readNotice(t.db, viewerOf(owner), id, t.now)
  assert.is(again.role === 'owner' && again.triesLeft, 1, 'the deleted one was a try')
})

reports('reports go with their notice, with who sent them, and networks after three days', async (t) => {
  const { id } = await find(t)
  await report(t, t.owners[0]!, id)
  await report(t, t.owners[1]!, id)
  await eraseRows(t.db, t.owners[0]!.id, ['found_reports'])
  assert.is((await t.db.selectFrom('found_reports').selectAll().execute()).length, 1)
  await deleteExpiredRows(t.db, t.now + 3 * DAY_MS, ['found_notices_all', 'found_reports'])
  for (const table of ['found_notices_all', 'found_reports'] as const)
    assert.equal(await t.db.selectFrom(table).select('network').execute(), [{ network: null }], table)
  await t.db.deleteFrom('found_notices_all').execute()
  assert.equal(await t.db.selectFrom('found_reports').selectAll().execute(), [])
})
