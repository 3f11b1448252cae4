import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { countSightings } from '#features/lost/sighting-count.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addSighting, type NewSighting } from '#features/sightings/add.server.ts'
import { decideReview, listReviews } from '#features/admin/review/queue.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { judgeSighting } from '#features/sightings/judge.server.ts'
import { listSightings, readSightingPhoto } from '#features/sightings/list.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { allPages, assert, dbSuite, dog, member, pluck, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

const rules = dbSuite(
  'unit/sightings/sighting-rules',
  { luis: member(), ana: member(), toby: dog({ name: 'Toby' }) },
  async ({ db, ana, toby }) => {
    const dogId = toby.id
    const now = Date.now()
    const caseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id, since: now - 2 * HOUR_MS })
    return { dogId, now, caseId }
  },
)
type World = WorldOf<typeof rules>

const NETWORK = '192.0.2.7'
const OWN_NETWORK = '192.0.2.8'
const PHOTO = { data: Buffer.from('jpeg'), width: 800, height: 600, ext: 'jpg', blur: '' } as const

const send = ({ db, dogId, now }: World, fields: Partial<NewSighting> & { words?: string } = {}, at = now) =>
  addSighting(
    db,
    {
      dogId,
      input: { at: now, point: { lat: 40.31234, lon: -3.71234 }, zone: 'Getafe, Madrid', words: fields.words ?? '' },
      photo: null,
      userId: null,
      network: NETWORK,
      ...fields,
    },
    at,
  )

const addOwner = async ({ db }: World) => (await seed(db, member()))[0]

/** A network that nobody has refused from. */
const ownNetwork = () => `2001:db8:${(networks++).toString(16)}::/64`
let networks = 0

/** Another member's lost dog, and a sighting of it that they refuse. @param isNew their account */
async function refuseElsewhere(t: World, fields: Partial<NewSighting> = {}, isNew = false) {
  const owner = await addOwner(t)
  const [other] = await seed(t.db, dog({ owner_id: owner.id, created_at: t.now - (isNew ? 0 : 8) * DAY_MS }))
  if (!isNew)
    await t.db
      .updateTable('users')
      .set({ created_at: t.now - 15 * DAY_MS })
      .where('id', '=', owner.id)
      .execute()
  await addLostCase(t.db, { dogId: other.id, ownerId: owner.id })
  const { id } = await send(t, { dogId: other.id, ...fields })
  await judgeSighting(t.db, owner, id, 'refuse', { network: ownNetwork(), now: t.now })
}

rules('a visitor’s sighting is in the owner’s list, and rings their bell without its place', async (t) => {
  const { id } = await send(t, { photo: PHOTO, words: 'Cojea un poco' })
  const { sightings, nextCursor } = await listSightings(t.db, t.ana, t.dogId)
  const photo = { path: `/api/sightings/${id}/photo`, width: 800, height: 600 }
  const place = { lat: 40.31234, lon: -3.71234, zone: 'Getafe, Madrid' }
  const words = { words: 'Cojea un poco', warning: null }
  const sighting = { id, at: t.now, ...place, ...words, state: 'delivered', photo, can_write: false, created_at: t.now }
  assert.equal(sightings, [sighting])
  assert.is(nextCursor, null)
  assert.equal(await readSightingPhoto(t.db, { user: t.ana, adminEmail: undefined }, id), Buffer.from('jpeg'))
  const bell = await t.db.selectFrom('notifications').selectAll().execute()
  assert.is(bell.length, 1)
  assert.is(bell[0]!.user_id, t.ana.id)
  assert.is(bell[0]!.link, `/perdidos/${t.dogId}/avistamientos`)
  assert.not.match(bell[0]!.content, /Getafe/)
  assert.is(await countSightings(t.db, t.caseId), 1)
})

rules('its push waits for nothing', async (t) => {
  await createSession(t.db, t.ana.id)
  const { id: session_id } = await t.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
  await t.db
    .insertInto('push_subscriptions')
    .values({ id: 'p', user_id: t.ana.id, session_id, endpoint: 'https://x', p256dh: 'x', auth: 'x', created_at: 1 })
    .execute()
  await send(t)
  const [queued] = await t.db.selectFrom('push_queue').selectAll().execute()
  assert.is(queued?.due_at, t.now)
})

rules('nobody but the owner reads the list or a photo', async (t) => {
  const { id } = await send(t, { photo: PHOTO, userId: t.luis.id })
  assert.is((await refusal(listSightings(t.db, null, t.dogId)))[0], 401)
  assert.is((await refusal(listSightings(t.db, t.luis, t.dogId)))[0], 403)
  assert.is((await refusal(listSightings(t.db, t.ana, UNKNOWN_ID)))[0], 404)
  const admin = { id: t.luis.id, email: 'admin@ejemplo.es' }
  for (const user of [t.luis, admin])
    assert.is((await refusal(readSightingPhoto(t.db, { user, adminEmail: 'admin@ejemplo.es' }, id)))[0], 404)
  assert.is((await refusal(readSightingPhoto(t.db, { user: null, adminEmail: undefined }, id)))[0], 401)
})

rules('pages continue after the last one seen', async (t) => {
  for (let i = 0; i < 5; i++) await send(t, {}, t.now + i)
  const seen = (await allPages((cursor) => listSightings(t.db, t.ana, t.dogId, { cursor, limit: 2 }))).flatMap((page) =>
    page.sightings.map(({ id }) => id),
  )
  assert.is(new Set(seen).size, 5)
  assert.is((await refusal(listSightings(t.db, t.ana, t.dogId, { cursor: 'x' })))[0], 422)
})

rules('a dog that is not lost, hidden or of a banned or leaving owner has no sightings', async (t) => {
  const [, other] = await seed(t.db, member(), dog())
  assert.equal(await refusal(send(t, { dogId: other.id })), [409, 'Este perro ya no está marcado como perdido.'])
  assert.is((await refusal(send(t, { dogId: UNKNOWN_ID })))[0], 404)
  await ban(t.db, t.ana.id, { until: null, reason: 'x' })
  const [status, advice] = await refusal(send(t))
  assert.is(status, 403)
  assert.match(String(advice), /avisa al 112/)
  await t.db.deleteFrom('bans').execute()
  await addDeletionRow(t.db, t.ana.id)
  assert.is((await refusal(send(t)))[0], 404)
  // The deletion is due: its row is gone, and the erasure has begun.
  await t.db.deleteFrom('account_deletions').execute()
  await t.db.insertInto('account_erasures').values({ user_id: t.ana.id, dogs: 'keep', created_at: t.now }).execute()
  assert.is((await refusal(send(t)))[0], 404)
  assert.is((await t.db.selectFrom('sightings_all').select('id').execute()).length, 0)
})

rules('a banned or blocked member sends none', async (t) => {
  await t.db.transaction().execute((trx) => addBlock(trx, t.ana, t.luis.id))
  assert.is((await refusal(send(t, { userId: t.luis.id })))[0], 403)
  await t.db.deleteFrom('blocks').execute()
  await ban(t.db, t.luis.id, { until: null, reason: 'x' })
  assert.is((await refusal(send(t, { userId: t.luis.id })))[0], 403)
})

rules('words about money, links and telephone numbers are delivered with their warning', async (t) => {
  for (const [words, warning] of [
    ['Hazme un bizum de 50 euros y te lo devuelvo', 'money'],
    ['Mira www.ejemplo.com/foto', 'link'],
    ['Llámame al 612 345 678', 'phone'],
    ['Está junto al río', null],
  ] as const) {
    await send(t, { words })
    const { sightings } = await listSightings(t.db, t.ana, t.dogId)
    assert.is(sightings.find((sighting) => sighting.words === words)?.warning, warning, words)
  }
})

rules('the same request sends one sighting', async (t) => {
  const requestKey = { sender: 'anonymous', key: 'k'.repeat(40) }
  const first = await send(t, { requestKey })
  assert.equal(await send(t, { requestKey }), { ...first, isNew: false })
  assert.is((await t.db.selectFrom('sightings_all').select('id').execute()).length, 1)
  assert.is((await t.db.selectFrom('notifications').select('id').execute()).length, 1)
})

rules('a flood of sightings of a dog is refused', async (t) => {
  for (let i = 0; i < 40; i++) await send(t, { network: `192.0.2.${i}` })
  const [status, detail] = await refusal(send(t))
  assert.is(status, 429)
  assert.match(String(detail), /muchísimos avisos/)
  // Visitors leave members their share.
  for (let i = 0; i < 20; i++) await send(t, { userId: t.luis.id })
  assert.is((await refusal(send(t, { userId: t.luis.id })))[0], 429)
  await send(t, {}, t.now + HOUR_MS)
})

rules('refusals by three different owners send the network’s sightings to review for a day', async (t) => {
  await refuseElsewhere(t)
  await refuseElsewhere(t)
  const { id: second } = await send(t)
  await refuseElsewhere(t)
  const { id } = await send(t)
  const { sightings } = await listSightings(t.db, t.ana, t.dogId)
  assert.equal(pluck(sightings, 'id'), [second])
  assert.is(await countSightings(t.db, t.caseId), 1)
  // A network of another site is not concerned.
  await send(t, { network: '198.51.100.1' })
  assert.is(await countSightings(t.db, t.caseId), 2)
  const admin = { user: { id: t.luis.id, email: 'admin@ejemplo.es' }, adminEmail: 'admin@ejemplo.es' }
  assert.equal(pluck((await listReviews(t.db, admin, 'sighting')).rows, 'id'), [id])
  // Past midnight, too.
  await send(t, {}, t.now + 23 * HOUR_MS)
  assert.is(await countSightings(t.db, t.caseId), 2)
  await send(t, {}, t.now + 25 * HOUR_MS)
  assert.is(await countSightings(t.db, t.caseId), 3)
})

rules('refusals by new accounts hold up nobody', async (t) => {
  for (let i = 0; i < 3; i++) await refuseElsewhere(t, {}, true)
  await send(t)
  assert.is(await countSightings(t.db, t.caseId), 1)
})

rules('a member’s refusals follow them to other networks', async (t) => {
  for (let i = 0; i < 3; i++) await refuseElsewhere(t, { userId: t.luis.id, network: `203.0.113.${i}` })
  await send(t, { userId: t.luis.id, network: '198.51.100.1' })
  assert.is(await countSightings(t.db, t.caseId), 0)
})

rules('a refusal that is taken back counts no more', async (t) => {
  const { id } = await send(t)
  await judgeSighting(t.db, t.ana, id, 'refuse', { network: OWN_NETWORK, now: t.now })
  assert.is(await countSightings(t.db, t.caseId), 0)
  await judgeSighting(t.db, t.ana, id, 'keep', { network: OWN_NETWORK, now: t.now })
  assert.is(await countSightings(t.db, t.caseId), 1)
  assert.is((await t.db.selectFrom('sighting_refusals').select('sighting_id').execute()).length, 0)
})

rules('a reported sighting waits for the admin, whose refusal reviews its sender at once', async (t) => {
  const adminEmail = 'admin@ejemplo.es'
  const [boss] = await seed(t.db, member({ email: adminEmail }))
  const admin = { user: boss, adminEmail }
  const { id } = await send(t, { photo: PHOTO })
  await judgeSighting(t.db, t.ana, id, 'report', { network: OWN_NETWORK, adminEmail, now: t.now })
  assert.is((await listSightings(t.db, t.ana, t.dogId)).sightings.length, 0)
  assert.is((await refusal(readSightingPhoto(t.db, { user: t.ana, adminEmail }, id)))[0], 404)
  await readSightingPhoto(t.db, admin, id)
  assert.equal((await listReviews(t.db, admin, 'sighting')).rows[0]?.reasons, ['Denunciado'])
  const told = await t.db.selectFrom('notifications').select('link').where('user_id', '=', boss.id).execute()
  assert.equal(told, [{ link: '/admin?tab=denuncias&clase=avistamiento' }])
  assert.is((await refusal(decideReview(t.db, { user: t.luis, adminEmail }, 'sighting', id, 'delete', t.now)))[0], 403)
  await decideReview(t.db, admin, 'sighting', id, 'delete', t.now)
  assert.is((await refusal(decideReview(t.db, admin, 'sighting', id, 'delete', t.now)))[0], 404)
  const { id: next } = await send(t)
  assert.is(await countSightings(t.db, t.caseId), 0)
  await decideReview(t.db, admin, 'sighting', next, 'keep', t.now)
  assert.is(await countSightings(t.db, t.caseId), 1)
  assert.is((await refusal(decideReview(t.db, admin, 'sighting', next, 'keep', t.now)))[0], 409)
})

rules('only the owner judges a sighting', async (t) => {
  const { id } = await send(t)
  assert.is((await refusal(judgeSighting(t.db, null, id, 'refuse', { network: OWN_NETWORK })))[0], 401)
  assert.is((await refusal(judgeSighting(t.db, t.luis, id, 'refuse', { network: OWN_NETWORK })))[0], 404)
  assert.is((await refusal(judgeSighting(t.db, t.ana, UNKNOWN_ID, 'refuse', { network: OWN_NETWORK })))[0], 404)
})

rules('everything of a case goes with it, and what is left of a sender after three days', async (t) => {
  const { id } = await send(t, { photo: PHOTO })
  await judgeSighting(t.db, t.ana, id, 'refuse', { network: OWN_NETWORK, now: t.now })
  await refuseElsewhere(t)
  await t.db.deleteFrom('lost_cases').execute()
  assert.is((await t.db.selectFrom('sightings_all').select('id').execute()).length, 0)
  assert.is((await t.db.selectFrom('sighting_photos').select('sighting_id').execute()).length, 0)
  assert.is((await t.db.selectFrom('sighting_refusals').select('sighting_id').execute()).length, 1)
  assert.is(await deleteExpiredRows(t.db, t.now + DAY_MS), 0)
  assert.is(await deleteExpiredRows(t.db, t.now + 3 * DAY_MS + 1), 2)
})

rules('the network of a sighting is forgotten after three days', async (t) => {
  await send(t)
  const [row] = await t.db.selectFrom('sightings_all').select('network').execute()
  assert.match(row?.network ?? '', /^[\w-]{22}$/)
  await deleteExpiredRows(t.db, t.now + 3 * DAY_MS)
  assert.equal(await t.db.selectFrom('sightings_all').select('network').execute(), [{ network: null }])
})

rules('an erased member’s sightings go with them', async (t) => {
  await send(t, { userId: t.luis.id, photo: PHOTO })
  await send(t)
  await eraseRows(t.db, t.luis.id, ['sightings_all'])
  assert.equal(await t.db.selectFrom('sightings_all').select('member_id').execute(), [{ member_id: null }])
  assert.is((await t.db.selectFrom('sighting_photos').select('sighting_id').execute()).length, 0)
})
