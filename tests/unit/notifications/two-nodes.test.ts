import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { createSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { digests } from '#features/notifications/digest/digest.server.ts'
import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { countUnread, markAllRead, storeNotification } from '#features/notifications/notifications.server.ts'
import { openSender } from '#features/notifications/push/sender.server.ts'
import { subscribe } from '#features/notifications/push/subscriptions.server.ts'
import { generatePushKeys } from '#features/notifications/push/vapid-keys.server.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { type PushStub, startPushStub } from '#tests/support/stubs/push-service.ts'
import { assert, type Db, dog, member, pluck, seed, suite } from '#tests/support/suites.ts'

// Two nodes: two pools on one PostgreSQL.

const nodes = suite<{ stub: PushStub }>('unit/notifications/two-nodes')
nodes.before.each(async (t) => {
  t.stub = await startPushStub()
})
nodes.after.each(({ stub }) => stub.stop())

const NOON = Date.parse('2026-11-20T11:00:00Z')
const MONDAY = Date.parse('2026-11-23T09:00:00Z')
const DAY_MS = 86_400_000

async function withNodes(test: (first: Db, second: Db) => Promise<void>): Promise<void> {
  await using first = freshPostgresDb()
  await first.selectFrom('users').select('id').execute()
  await using second = openPostgres(await postgresUrlOf(first), { maxConnections: 6 })
  await test(first, second)
}

nodes('each notification is pushed to each device by one of two nodes', ({ stub }) =>
  withNodes(async (first, second) => {
    const [ana] = await seed(first, member({ alias: 'Ana' }))
    const names = Array.from({ length: 8 }, (_, i) => `aparato-${i}`)
    for (const name of names) {
      const { token } = await createSession(first, ana.id)
      await subscribe(first, ana, toSessionId(token), stub.device(name), [stub.host], NOON)
    }
    await storeNotification(first, { userId: ana.id, title: 'Uno', content: 'Hola' }, NOON)
    await storeNotification(first, { userId: ana.id, title: 'Dos', content: 'Hola' }, NOON)
    const options = {
      keys: generatePushKeys(),
      subject: 'https://perrario.example',
      hosts: [stub.host],
      clock: () => NOON,
      timeoutMs: 2000,
    }
    const senders = [first, second].map((db) => openSender(db, options))
    await Promise.all(senders.map((sender) => sender.flush()))
    for (let i = 0; i < 100 && stub.received.length < 16; i++) await wait(20)
    await Promise.all(senders.map((sender) => sender.flush()))
    assert.equal(
      stub.received.map(({ device, message }) => `${device} ${message.title}`).toSorted(),
      names.flatMap((name) => [`${name} Dos`, `${name} Uno`]),
    )
    assert.equal(await first.selectFrom('push_queue').selectAll().execute(), [])
    for (const sender of senders) await sender.close()
  }),
)

nodes('a week’s digest is mailed by one of two nodes that run at the same time', () =>
  withNodes(async (first, second) => {
    const members = await seed(first, ...Array.from({ length: 12 }, () => member()))
    for (const { id } of members)
      await storeNotification(first, { userId: id, title: 'Aviso', content: 'Hola' }, MONDAY - DAY_MS)
    const sent: string[] = []
    const send = async ({ to }: OutgoingMail) => {
      await wait(5)
      sent.push(to)
    }
    await Promise.all(
      [first, second].map((db) =>
        runDueJobs(db, [digests({ siteUrl: 'https://perrario.example', send })], { now: MONDAY }),
      ),
    )
    assert.equal(sent.toSorted(), members.map(({ email }) => email).toSorted())
  }),
)

nodes('a like taken back on one node and given again on the other makes nothing unread', () =>
  withNodes(async (first, second) => {
    const [ana, toby, luis] = await seed(
      first,
      member({ alias: 'Ana' }),
      dog({ name: 'Toby' }),
      member({ alias: 'Luis' }),
    )
    await like(first, luis, toby.id, NOON)
    await markAllRead(second, ana)
    assert.is(await countUnread(first, ana.id), 0)
    await unlike(second, luis, toby.id, NOON + 60_000)
    await like(first, luis, toby.id, NOON + 120_000)
    assert.is(await countUnread(second, ana.id), 0)
    const retracted = first.selectFrom('secrets').selectAll().where('kind', '=', 'retracted-like')
    const rows = await retracted.execute()
    assert.is(rows.length, 1)
    for (const { id } of [ana, luis, toby]) assert.not.match(JSON.stringify(rows), id)
    // A day later it is forgotten.
    await unlike(second, luis, toby.id, NOON + 180_000 + DAY_MS)
    assert.equal(pluck(await retracted.execute(), 'created_at'), [NOON + 180_000 + DAY_MS])
  }),
)
