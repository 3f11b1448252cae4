import { setTimeout as wait } from 'node:timers/promises'
import { countStatements } from '#db/statement-count.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { markAllRead, storeNotification } from '#features/notifications/notifications.server.ts'
import { readDueJob } from '#features/notifications/push/due-job.server.ts'
import {
  listDueDevices,
  deferUntil,
  LIKE_GATHER_MS,
  nextDueAt,
  postpone,
} from '#features/notifications/push/queue.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { saveSettings } from '#features/notifications/push/settings.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import {
  HOUR,
  KEYS,
  listBodies,
  listDevices,
  listQueued,
  MINUTE,
  notifyAna,
  openTestSender,
  senderSuite,
  subscribeDevice,
  type Context,
} from '#tests/support/notifications/sender-suite.ts'
import { assert, member, onlyOnSqlite, pluck, seed } from '#tests/support/suites.ts'

const sending = senderSuite('unit/notifications/push-sender')

/** Lets the time pass, and sends what is due then. */
async function flushAfter({ clock, sender }: Context, ms: number): Promise<void> {
  clock.now += ms
  await sender.flush()
}

sending('a comment reaches every device of the dog’s members, encrypted and signed', async (t) => {
  await subscribeDevice(t, t.ana, 'movil')
  await subscribeDevice(t, t.ana, 'mesa')
  await subscribeDevice(t, t.luis)
  await addComment(t.db, t.luis, t.toby.id, 'Qué guapo 🐶', t.clock.now)
  await t.sender.flush()
  assert.equal(t.stub.received.map(({ device }) => device).sort(), ['mesa', 'movil'])
  const [{ message, headers, vapid }] = t.stub.received as [(typeof t.stub.received)[0]]
  const line = await t.db.selectFrom('notifications').select('id').executeTakeFirstOrThrow()
  assert.equal(message, {
    title: 'Nuevo comentario',
    body: 'Luis ha comentado en Toby: «Qué guapo 🐶»',
    path: `${t.toby.path}#comentarios`,
    tag: line.id,
  })
  assert.is(headers['content-encoding'], 'aes128gcm')
  assert.is(headers.ttl, '86400')
  assert.match(String(headers.topic), /^[\w-]{32}$/)
  assert.equal([vapid.aud, vapid.sub, vapid.key], [t.stub.url, 'https://perrario.example', KEYS.publicKey])
  assert.equal(await listQueued(t), [])
  assert.is(t.sender.key, KEYS.publicKey)
})

sending('likes of a dog in quick succession are one message, and later ones replace it', async (t) => {
  await subscribeDevice(t, t.ana)
  const more = await seed(t.db, member({ alias: 'Eva' }), member({ alias: 'Iker' }))
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await like(t.db, more[0], t.toby.id, t.clock.now + 5000)
  await t.sender.flush()
  assert.equal(listBodies(t), [], 'they are gathered first')
  await flushAfter(t, 20_000)
  assert.equal(listBodies(t), ['A Eva y 1 más les gusta Toby'])
  await like(t.db, more[1], t.toby.id, t.clock.now)
  await flushAfter(t, 30_000)
  assert.equal(listBodies(t).at(-1), 'A Iker y 2 más les gusta Toby')
  assert.is(new Set(t.stub.received.map(({ message }) => message.tag)).size, 1)
  assert.is(new Set(t.stub.received.map(({ headers }) => headers.topic)).size, 1)
})

sending('likes that wait for more are looked for when they are due, and not before', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.flush()
  await wait(50)
  const sent = countStatements()
  await like(t.db, t.luis, t.toby.id, t.clock.now - LIKE_GATHER_MS + 200)
  const cost = countStatements() - sent
  await wait(100)
  assert.is(countStatements() - sent, cost)
  t.clock.now += 200
  for (let waited = 0; t.stub.received.length === 0 && waited < 5000; waited += 20) await wait(20)
  assert.equal(listBodies(t), ['A Luis le gusta Toby'])
})

sending('an unlike, or a repeated like of the same member, sends nothing', async (t) => {
  await subscribeDevice(t, t.ana)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await unlike(t.db, t.luis, t.toby.id, t.clock.now)
  await flushAfter(t, HOUR)
  assert.equal([listBodies(t), await listQueued(t)], [[], []])
  const [eva] = await seed(t.db, member({ alias: 'Eva' }))
  await like(t.db, eva, t.toby.id, t.clock.now)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await flushAfter(t, MINUTE)
  assert.is(t.stub.received.length, 1)
  await unlike(t.db, t.luis, t.toby.id, t.clock.now)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await flushAfter(t, MINUTE)
  assert.is(t.stub.received.length, 1)
})

sending('a notification read meanwhile is not sent', async (t) => {
  await subscribeDevice(t, t.ana)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await markAllRead(t.db, t.ana)
  await flushAfter(t, MINUTE)
  assert.equal([t.stub.requests, await listQueued(t)], [0, []])
})

sending('a failed action publishes nothing', async (t) => {
  await subscribeDevice(t, t.ana)
  const failing = t.db.transaction().execute(async (trx) => {
    await storeNotification(trx, { userId: t.ana.id, title: 'Aviso', content: 'Hola' }, t.clock.now)
    throw new Error('no')
  })
  await failing.catch(() => {})
  await t.sender.flush()
  assert.equal([t.stub.requests, await listQueued(t)], [0, []])
})

sending('each type can be switched off', async (t) => {
  await subscribeDevice(t, t.ana)
  const all = async () => {
    await like(t.db, t.luis, t.toby.id, t.clock.now)
    await addComment(t.db, t.luis, t.toby.id, 'Hola', t.clock.now)
    await notifyAna(t)
    await flushAfter(t, MINUTE)
    await unlike(t.db, t.luis, t.toby.id, t.clock.now)
    // A like that is given again within a day is not pushed again.
    t.clock.now += 24 * HOUR
    return t.stub.received.splice(0).map(({ message }) => message.title)
  }
  assert.equal((await all()).sort(), ['Aviso', 'Nuevo comentario', 'Nuevo like'])
  for (const [field, title] of Object.entries({ likes: 'Nuevo like', comments: 'Nuevo comentario', others: 'Aviso' })) {
    await saveSettings(t.db, t.ana, { ...DEFAULT_SETTINGS, [field]: false })
    assert.is((await all()).includes(title), false)
  }
  await saveSettings(t.db, t.ana, { ...DEFAULT_SETTINGS, likes: false, comments: false, others: false })
  assert.equal([await all(), await listQueued(t)], [[], []])
})

sending('messages wait for the end of quiet hours, and become one', async (t) => {
  await subscribeDevice(t, t.ana)
  t.clock.now = Date.parse('2026-11-20T23:30:00Z')
  await notifyAna(t, 'Uno', 'Primero')
  await t.sender.flush()
  assert.is(t.stub.requests, 0)
  const morning = Date.parse('2026-11-21T07:00:00Z')
  assert.equal(await listQueued(t), [{ tries: 0, due_at: morning, held: 1 }])
  t.clock.now += HOUR
  await notifyAna(t, 'Dos', 'Segundo')
  t.clock.now += HOUR
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await t.sender.flush()
  t.clock.now = morning - 1
  await t.sender.flush()
  assert.is(t.stub.requests, 0)
  t.clock.now = morning
  await t.sender.flush()
  const body = 'A Luis le gusta Toby\nSegundo\nY 1 más.'
  const summary = { title: '3 avisos nuevos', body, path: '/notificaciones', tag: 'resumen' }
  assert.equal(pluck(t.stub.received, 'message'), [summary])
  assert.equal(await listQueued(t), [])
})

sending('a night with one notification sends that one', async (t) => {
  await subscribeDevice(t, t.ana)
  t.clock.now = Date.parse('2026-11-21T02:00:00Z')
  await notifyAna(t, 'Uno', 'Primero')
  await t.sender.flush()
  t.clock.now = Date.parse('2026-11-21T07:00:00Z')
  await t.sender.flush()
  assert.equal(listBodies(t), ['Primero'])
})

sending('very many at once become one message', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.close()
  for (let i = 1; i <= 3; i++) await notifyAna(t, 'Aviso', `Número ${i}`)
  t.sender = openTestSender(t)
  await t.sender.flush()
  assert.equal(listBodies(t).sort(), ['Número 1', 'Número 2', 'Número 3'])
  await t.sender.close()
  t.clock.now += MINUTE
  for (let i = 1; i <= 30; i++) {
    t.clock.now++
    await notifyAna(t, 'Aviso', `Número ${i}`)
  }
  t.sender = openTestSender(t)
  await t.sender.flush()
  assert.is(t.stub.received.length, 4)
  assert.is(listBodies(t).at(-1), 'Número 30\nNúmero 29\nY 28 más.')
})

sending('after a message a device waits half a minute, and then receives one for all', async (t) => {
  await subscribeDevice(t, t.ana)
  for (let second = 0; second < 30; second++) {
    await notifyAna(t, 'Aviso', `Número ${second}`)
    await t.sender.flush()
    t.clock.now += 1000
  }
  await t.sender.flush()
  assert.equal(pluck(pluck(t.stub.received, 'message'), 'title'), ['Aviso', '29 avisos nuevos'])
})

onlyOnSqlite(sending)('every query of the sender reads an index', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.close()
  const plans = await explainQueries(t.db, async (db) => {
    await storeNotification(db, { userId: t.ana.id, title: 'Aviso', content: 'Hola' }, t.clock.now)
    const [id] = await listDueDevices(db, t.clock.now, 10)
    await nextDueAt(db)
    await readDueJob(db, id!, t.clock.now)
    await deferUntil(db, id!, t.clock.now + 1)
    await postpone(db, id!, t.clock.now + 2, 8)
  })
  const touched = plans.filter(({ sql }) => /push_/.test(sql))
  assert.ok(touched.length >= 8)
  // Ordering one device's lines is bounded by what is due for it.
  const bounded = touched.map(({ sql, steps }) => ({ sql, steps: steps.filter((step) => !/TEMP B-TREE/.test(step)) }))
  assert.equal(findSlowSteps(bounded), [])
  assert.equal(
    touched.flatMap(({ steps }) =>
      steps.filter((step) => /^SCAN (push_|[qs]$|[qs] )/.test(step) && !/USING (COVERING )?INDEX/.test(step)),
    ),
    [],
  )
})

for (const status of [404, 410])
  sending(`a device that no longer exists is deleted: ${status}`, async (t) => {
    await subscribeDevice(t, t.ana, 'movil')
    await subscribeDevice(t, t.ana, 'mesa')
    t.stub.answers.movil = [{ status }]
    await notifyAna(t)
    await t.sender.flush()
    assert.equal([await listDevices(t), await listQueued(t)], [['mesa'], []])
    assert.is(t.stub.received.length, 1)
  })
