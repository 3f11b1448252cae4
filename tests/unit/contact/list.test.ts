import { listThreads } from '#features/contact/list.server.ts'
import { messageMails } from '#features/contact/relay/send-mails.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { type ContactReader, markThreadRead, openThread, readThread } from '#features/contact/threads.server.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, member, onlyOnSqlite, pick, pluck } from '#tests/support/suites.ts'
import { refusal } from '#tests/support/refusal.ts'

const NOW = Date.parse('2026-11-20T11:00:00Z')

const list = dbSuite(
  'unit/contact/list',
  { ana: member({ alias: 'Ana' }), toby: dog({ name: 'Toby' }), luis: member({ alias: 'Luis' }) },
  async ({ db, ana, toby, luis }) => {
    const about = { lostCaseId: await addLostCase(db, { dogId: toby.id, ownerId: ana.id }), memberId: ana.id }
    const { secret, hash } = finderSecret()
    const device: ContactReader = { userId: null, secrets: new Map([['x', secret]]) }
    const ofLuis = await openThread(db, { ...about, finder: { userId: luis.id } }, NOW)
    const ofDevice = await openThread(db, { ...about, finder: { secretHash: hash } }, NOW + 1000)
    /** Of Ana with Luis, and with the device. */
    const ids: [string, string] = [ofLuis.id, ofDevice.id]
    return { device, ids }
  },
)

const of = (user: CurrentUser): ContactReader => ({ userId: user.id, secrets: new Map() })

list('each side lists its own conversations, the latest written in first, and what is unread', async (t) => {
  const { db, ana, luis, device, ids } = t
  await postMessage(db, 'member', ids[0], 'Hola', NOW + 2000)
  const own = (await listThreads(db, of(ana))).threads
  assert.equal(pick(own, 'id', 'dog', 'other', 'isUnread'), [
    [ids[0], 'Toby', 'Luis', false],
    [ids[1], 'Toby', 'Quien avisó', false],
  ])
  const [seen] = (await listThreads(db, of(luis))).threads
  assert.equal([seen!.id, seen!.other, seen!.isUnread], [ids[0], 'Ana', true])
  await readThread(db, of(luis), ids[0])
  assert.ok((await listThreads(db, of(luis))).threads[0]!.isUnread)
  await markThreadRead(db, of(luis), ids[0], NOW + 1999)
  assert.ok((await listThreads(db, of(luis))).threads[0]!.isUnread)
  await markThreadRead(db, of(luis), ids[0], NOW + 2000)
  assert.not.ok((await listThreads(db, of(luis))).threads[0]!.isUnread)
  assert.equal(pluck((await listThreads(db, device)).threads, 'id'), [ids[1]])
  // A member with the device in their hands has both.
  assert.is((await listThreads(db, { ...of(luis), secrets: device.secrets })).threads.length, 2)
  assert.equal((await listThreads(db, { userId: null, secrets: new Map() })).threads, [])
})

list('the list has pages, and refuses a cursor of another', async ({ db, ana, ids }) => {
  const first = await listThreads(db, of(ana), { limit: 1 })
  const second = await listThreads(db, of(ana), { limit: 1, cursor: first.nextCursor! })
  assert.equal(pluck([...first.threads, ...second.threads], 'id'), ids.toReversed())
  assert.equal([second.nextCursor, (await refusal(listThreads(db, of(ana), { cursor: 'x' })))[0]], [null, 422])
})

onlyOnSqlite(list)('no query of lists and mails reads all conversations', async ({ db, ana, device }) => {
  const mailer = { siteUrl: '', send: () => Promise.resolve(), isRefused: () => false, isMailRefusal: () => false }
  const plans = [
    ...(await explainQueries(db, (explained) => listThreads(explained, { ...device, userId: ana.id }))),
    ...(await explainQueries(db, (explained) => runDueJobs(explained, [messageMails(mailer)], { now: NOW }))),
  ]
  assert.ok(plans.length > 1)
  assert.equal(
    plans.flatMap(({ steps }) => steps.filter((step) => step.startsWith('SCAN '))),
    [],
  )
})
