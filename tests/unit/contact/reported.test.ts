import { decideReview, listReviews } from '#features/admin/review/queue.server.ts'
import { REPORTED_MESSAGE_DAYS } from '#features/contact/contact.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { exportReportedMessages } from '#features/account/export/export-messages.server.ts'
import { reportMessage } from '#features/contact/reported/report.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { openThread, readThread, type ContactReader } from '#features/contact/threads.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { formatDateTime } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, insert, member, refusal, type WorldOf } from '#tests/support/suites.ts'

const NOW = Date.parse('2026-11-20T11:00:00Z')
const ADMIN = 'admin@ejemplo.es'

const reported = dbSuite(
  'unit/contact/reported',
  { ana: member({ alias: 'Ana' }), toby: dog(), luis: member(), admin: member({ email: ADMIN }) },
  async ({ db, ana, toby, luis }) => {
    const caseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
    const { secret, hash } = finderSecret()
    const about = { lostCaseId: caseId, memberId: ana.id }
    /** With a finder that has an account, and with one that has none. */
    const threadId = (await openThread(db, { ...about, finder: { userId: luis.id } })).id
    const namelessId = (await openThread(db, { ...about, finder: { secretHash: hash } })).id
    const device: ContactReader = { userId: null, secrets: new Map([['x', secret]]) }
    return { caseId, threadId, namelessId, device }
  },
)
type World = WorldOf<typeof reported>

const of = (user: CurrentUser): ContactReader => ({ userId: user.id, secrets: new Map() })
const list = ({ db, admin }: World, options = {}) =>
  listReviews(db, { user: admin, adminEmail: ADMIN }, 'contact-message', options)

reported('a copy of a message outlives its case, and the admin reads whose it is', async (t) => {
  const { id } = await postMessage(t.db, 'finder', t.threadId, 'Págame 100 euros', NOW)
  await reportMessage(t.db, of(t.ana), t.threadId, id, { adminEmail: ADMIN, now: NOW })
  await reportMessage(t.db, of(t.ana), t.threadId, id, { adminEmail: ADMIN, now: NOW })
  await t.db.deleteFrom('lost_cases').execute()
  const created_at = new Date(NOW).toISOString()
  const exported = (user: CurrentUser) => Array.fromAsync(exportReportedMessages(t.db, user.id))
  assert.equal(await exported(t.ana), [{ mensaje: id, lo_denunciaste: true, created_at }])
  assert.equal(await exported(t.luis), [{ mensaje: id, texto: 'Págame 100 euros', created_at }])
  const { rows, nextCursor } = await list(t)
  assert.is(nextCursor, null)
  assert.equal(
    rows.map(({ words, people, facts }) => [words[0]?.text, ...people.map((person) => person.id), facts]),
    [['Págame 100 euros', t.luis.id, t.ana.id, formatDateTime(NOW)]],
  )
  const bell = await t.db.selectFrom('notifications').selectAll().where('user_id', '=', t.admin.id).execute()
  assert.is(bell.length, 1)
  assert.not.match(bell[0]!.content, 'euros')
  await decideReview(t.db, { user: t.admin, adminEmail: ADMIN }, 'contact-message', rows[0]!.id, 'keep')
  assert.equal((await list(t)).rows, [])
})

reported(
  'a finder without account reports too, and nobody reports their own words or others’ conversations',
  async (t) => {
    const { id } = await postMessage(t.db, 'member', t.namelessId, 'Insulto', NOW)
    const own = await postMessage(t.db, 'finder', t.namelessId, 'Hola', NOW)
    await reportMessage(t.db, t.device, t.namelessId, id)
    const [writer, reporter] = (await list(t)).rows[0]!.people
    assert.equal([writer!.alias, reporter!.id], ['Ana', null])
    assert.is((await refusal(reportMessage(t.db, t.device, t.namelessId, own.id)))[0], 422)
    assert.is((await refusal(reportMessage(t.db, of(t.luis), t.namelessId, id)))[0], 404)
    assert.is((await refusal(reportMessage(t.db, of(t.luis), t.threadId, id)))[0], 404)
    await ban(t.db, t.ana.id, { until: null, reason: 'No' })
    assert.is((await refusal(reportMessage(t.db, of(t.ana), t.namelessId, own.id)))[0], 403)
  },
)

reported('only the admin reads and resolves', async (t) => {
  for (const user of [null, t.ana]) {
    const requester = { user, adminEmail: ADMIN }
    assert.ok([401, 403].includes((await refusal(listReviews(t.db, requester, 'contact-message')))[0]))
    assert.ok(
      [401, 403].includes((await refusal(decideReview(t.db, requester, 'contact-message', t.threadId, 'keep')))[0]),
    )
  }
})

reported('the list has pages', async (t) => {
  for (const text of ['Uno', 'Dos', 'Tres']) {
    const { id } = await postMessage(t.db, 'finder', t.threadId, text, NOW)
    await reportMessage(t.db, of(t.ana), t.threadId, id, { now: NOW })
  }
  const first = await list(t, { limit: 2 })
  const second = await list(t, { limit: 2, cursor: first.nextCursor })
  assert.is(second.nextCursor, null)
  assert.equal([...first.rows, ...second.rows].map(({ words }) => words[0]!.text).toSorted(), ['Dos', 'Tres', 'Uno'])
})

reported('the admin’s deletion of a message ends its conversation for both', async (t) => {
  const { id } = await postMessage(t.db, 'finder', t.namelessId, 'Págame', NOW)
  await reportMessage(t.db, of(t.ana), t.namelessId, id, { now: NOW })
  await decideReview(
    t.db,
    { user: t.admin, adminEmail: ADMIN },
    'contact-message',
    (await list(t)).rows[0]!.id,
    'delete',
  )
  assert.equal([(await list(t)).rows, (await readThread(t.db, t.device, t.namelessId)).messages], [[], []])
  for (const side of ['member', 'finder'] as const)
    assert.is((await refusal(postMessage(t.db, side, t.namelessId, 'Otro')))[0], 409)
  await postMessage(t.db, 'finder', t.threadId, 'El otro sigue')
})

reported('a copy goes after ninety days and with its writer’s account; of its reporter the id goes', async (t) => {
  assert.is(REPORTED_MESSAGE_DAYS, 90)
  const { id } = await postMessage(t.db, 'finder', t.threadId, 'Palabra', NOW)
  await reportMessage(t.db, of(t.ana), t.threadId, id, { now: NOW })
  await eraseRows(t.db, t.ana.id, ['contact_threads', 'reported_messages'])
  assert.is((await list(t)).rows[0]!.people[1]!.id, null)
  assert.is(await deleteExpiredRows(t.db, NOW + 90 * DAY_MS - 1, ['reported_messages']), 0)
  await eraseRows(t.db, t.luis.id, ['contact_threads', 'reported_messages'])
  assert.equal((await list(t)).rows, [])
  await insert(t.db, 'reported_messages', {
    id: 'a',
    message_id: 'b',
    side: 'finder',
    text: 'c',
    writer_id: null,
    reporter_id: null,
    written_at: 1,
    created_at: NOW,
  })
  assert.is(await deleteExpiredRows(t.db, NOW + 90 * DAY_MS, ['reported_messages']), 1)
})
