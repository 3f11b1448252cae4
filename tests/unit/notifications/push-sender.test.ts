import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { createSession, endSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { markAllRead, notify } from '#features/notifications/notifications.server.ts'
import { readPushKeys } from '#features/notifications/push/vapid-keys.server.ts'
import {
  listDueDevices,
  deferUntil,
  nextDueAt,
  postpone,
  readDueJob,
} from '#features/notifications/push/queue.server.ts'
import { openSender, type Sender } from '#features/notifications/push/sender.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { saveSettings } from '#features/notifications/push/settings.server.ts'
import { findDeviceEndpoint, subscribe, unsubscribe } from '#features/notifications/push/subscriptions.server.ts'
import { AppError } from '#lib/errors.ts'
import { freshDb } from '#tests/support/db.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { type PushStub, startPushStub } from '#tests/support/stubs/push-service.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-push-'))
const KEYS = readPushKeys(dataDir)
/** A Friday at noon in Madrid. */
const NOON = Date.parse('2026-11-20T11:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Context {
  db: Db
  stub: PushStub
  sender: Sender
  ana: CurrentUser
  luis: CurrentUser
  toby: { id: string; path: string }
  clock: { now: number }
  quiet?: () => void
}
const sending = suite<Context>('push sender')

sending.after(() => rmSync(dataDir, { recursive: true }))
sending.before.each(async (t) => {
  t.db = freshDb()
  t.stub = await startPushStub()
  t.clock = { now: NOON }
  const [ana, toby, luis] = await seed(t.db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), member({ alias: 'Luis' }))
  Object.assign(t, { ana, toby, luis })
  t.sender = open(t)
})
sending.after.each(async (t) => {
  t.quiet?.()
  await t.sender.close()
  t.stub.stop()
  await t.db.destroy()
})

const open = ({ db, stub, clock }: Context, patience = 300) =>
  openSender(db, {
    keys: KEYS,
    subject: 'https://perrario.example',
    hosts: [stub.host],
    clock: () => clock.now,
    timeoutMs: patience,
  })

/** What goes to the log instead of the screen, until the test is over. */
function captureLog(t: Context): string[] {
  const said: string[] = []
  const { error } = console
  console.error = (line: string) => void said.push(line)
  t.quiet = () => {
    console.error = error
    delete t.quiet
  }
  return said
}

/** Turns notices on in a browser of the member's, in a session of its own. */
async function subscribeDevice({ db, stub, clock }: Context, user: CurrentUser, name = user.alias.toLowerCase()) {
  const { token } = await createSession(db, user.id)
  const session = toSessionId(token)
  await subscribe(db, user, session, stub.device(name), [stub.host], clock.now)
  return { token, session }
}
const notifyAna = (t: Context, title = 'Aviso', content = 'Hola') =>
  notify(t.db, { userId: t.ana.id, type: 'other', title, content }, t.clock.now)
const queued = async ({ db }: Context) =>
  (await db.selectFrom('push_queue').select(['tries', 'due_at', 'held']).orderBy('due_at').execute()).map((row) => ({
    ...row,
  }))
const devices = async ({ db }: Context) =>
  (await db.selectFrom('push_subscriptions').select('endpoint').orderBy('created_at').execute()).map(({ endpoint }) =>
    endpoint.split('/').at(-1),
  )
const bodies = ({ stub }: Context) => stub.received.map(({ message }) => message.body)

sending('a comment reaches every device of the dog’s people, encrypted and signed', async (t) => {
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
  assert.equal(await queued(t), [])
  assert.is(t.sender.key, KEYS.publicKey)
})

sending('likes of a dog that come together are told once, and later ones take their place', async (t) => {
  await subscribeDevice(t, t.ana)
  const more = await seed(t.db, member({ alias: 'Eva' }), member({ alias: 'Iker' }))
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await like(t.db, more[0], t.toby.id, t.clock.now + 5000)
  await t.sender.flush()
  assert.equal(bodies(t), [], 'they are gathered first')
  t.clock.now += 20_000
  await t.sender.flush()
  assert.equal(bodies(t), ['A Eva y 1 más les gusta Toby'])
  await like(t.db, more[1], t.toby.id, t.clock.now)
  t.clock.now += 30_000
  await t.sender.flush()
  assert.equal(bodies(t).at(-1), 'A Iker y 2 más les gusta Toby')
  assert.is(new Set(t.stub.received.map(({ message }) => message.tag)).size, 1)
  assert.is(new Set(t.stub.received.map(({ headers }) => headers.topic)).size, 1)
})

sending('a like taken back, or given again by the same person, is no news', async (t) => {
  await subscribeDevice(t, t.ana)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await unlike(t.db, t.luis, t.toby.id)
  t.clock.now += HOUR
  await t.sender.flush()
  assert.equal([bodies(t), await queued(t)], [[], []])
  const [eva] = await seed(t.db, member({ alias: 'Eva' }))
  await like(t.db, eva, t.toby.id, t.clock.now)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  t.clock.now += MINUTE
  await t.sender.flush()
  assert.is(t.stub.received.length, 1)
  await unlike(t.db, t.luis, t.toby.id)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  t.clock.now += MINUTE
  await t.sender.flush()
  assert.is(t.stub.received.length, 1)
})

sending('what was read meanwhile is not told', async (t) => {
  await subscribeDevice(t, t.ana)
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  await markAllRead(t.db, t.ana)
  t.clock.now += MINUTE
  await t.sender.flush()
  assert.equal([t.stub.requests, await queued(t)], [0, []])
})

sending('a deed that fails tells nothing', async (t) => {
  await subscribeDevice(t, t.ana)
  const failing = t.db.transaction().execute(async (trx) => {
    await notify(trx, { userId: t.ana.id, type: 'other', title: 'Aviso', content: 'Hola' }, t.clock.now)
    throw new Error('no')
  })
  await failing.catch(() => {})
  await t.sender.flush()
  assert.equal([t.stub.requests, await queued(t)], [0, []])
})

sending('each type can be switched off', async (t) => {
  await subscribeDevice(t, t.ana)
  const all = async () => {
    await like(t.db, t.luis, t.toby.id, t.clock.now)
    await addComment(t.db, t.luis, t.toby.id, 'Hola', t.clock.now)
    await notifyAna(t)
    t.clock.now += MINUTE
    await t.sender.flush()
    await unlike(t.db, t.luis, t.toby.id)
    return t.stub.received.splice(0).map(({ message }) => message.title)
  }
  assert.equal((await all()).sort(), ['Aviso', 'Nuevo comentario', 'Nuevo like'])
  for (const [field, title] of Object.entries({ likes: 'Nuevo like', comments: 'Nuevo comentario', others: 'Aviso' })) {
    await saveSettings(t.db, t.ana, { ...DEFAULT_SETTINGS, [field]: false })
    assert.is((await all()).includes(title), false)
  }
  await saveSettings(t.db, t.ana, { ...DEFAULT_SETTINGS, likes: false, comments: false, others: false })
  assert.equal([await all(), await queued(t)], [[], []])
})

sending('quiet hours wait for their end, in one message', async (t) => {
  await subscribeDevice(t, t.ana)
  t.clock.now = Date.parse('2026-11-20T23:30:00Z')
  await notifyAna(t, 'Uno', 'Primero')
  await t.sender.flush()
  assert.is(t.stub.requests, 0)
  const morning = Date.parse('2026-11-21T07:00:00Z')
  assert.equal(await queued(t), [{ tries: 0, due_at: morning, held: 1 }])
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
  assert.equal(
    t.stub.received.map(({ message }) => message),
    [
      {
        title: '3 avisos nuevos',
        body: 'A Luis le gusta Toby\nSegundo\nY 1 más.',
        path: '/notificaciones',
        tag: 'resumen',
      },
    ],
  )
  assert.equal(await queued(t), [])
})

sending('a night with one line tells that line', async (t) => {
  await subscribeDevice(t, t.ana)
  t.clock.now = Date.parse('2026-11-21T02:00:00Z')
  await notifyAna(t, 'Uno', 'Primero')
  await t.sender.flush()
  t.clock.now = Date.parse('2026-11-21T07:00:00Z')
  await t.sender.flush()
  assert.equal(bodies(t), ['Primero'])
})

sending('very many at once are one message', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.close()
  for (let i = 1; i <= 3; i++) await notifyAna(t, 'Aviso', `Número ${i}`)
  t.sender = open(t)
  await t.sender.flush()
  assert.equal(bodies(t).sort(), ['Número 1', 'Número 2', 'Número 3'])
  await t.sender.close()
  t.clock.now += MINUTE
  for (let i = 1; i <= 30; i++) {
    t.clock.now++
    await notifyAna(t, 'Aviso', `Número ${i}`)
  }
  t.sender = open(t)
  await t.sender.flush()
  assert.is(t.stub.received.length, 4)
  assert.is(bodies(t).at(-1), 'Número 30\nNúmero 29\nY 28 más.')
})

sending('a device is left in peace for half a minute, and then told together', async (t) => {
  await subscribeDevice(t, t.ana)
  for (let second = 0; second < 30; second++) {
    await addComment(t.db, t.luis, t.toby.id, `Número ${second}`, t.clock.now)
    await t.sender.flush()
    t.clock.now += 1000
  }
  await t.sender.flush()
  assert.equal(
    t.stub.received.map(({ message }) => message.title),
    ['Nuevo comentario', '29 avisos nuevos'],
  )
})

sending('every query of it reads an index', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.close()
  const plans = await explainQueries(t.db, async (db) => {
    await notify(db, { userId: t.ana.id, type: 'other', title: 'Aviso', content: 'Hola' }, t.clock.now)
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
  sending(`a device that is gone is forgotten: ${status}`, async (t) => {
    await subscribeDevice(t, t.ana, 'movil')
    await subscribeDevice(t, t.ana, 'mesa')
    t.stub.answers.movil = [{ status }]
    await notifyAna(t)
    await t.sender.flush()
    assert.equal([await devices(t), await queued(t)], [['mesa'], []])
    assert.is(t.stub.received.length, 1)
  })

sending('a service in trouble is tried again, later each time, and then no more', async (t) => {
  await subscribeDevice(t, t.ana)
  t.stub.answers.ana = [{ status: 500 }]
  await notifyAna(t)
  await t.sender.flush()
  const waits: number[] = []
  for (let tries = 1; tries < 8; tries++) {
    const [row] = await queued(t)
    assert.is(row?.tries, tries)
    waits.push(row!.due_at - t.clock.now)
    t.clock.now = row!.due_at - 1
    await t.sender.flush()
    assert.is(t.stub.requests, tries, 'not before its time')
    t.clock.now++
    await t.sender.flush()
  }
  assert.ok(waits[0]! >= 24_000 && waits[0]! <= 36_000, String(waits[0]))
  assert.ok(waits[3]! > 10 * waits[0]!, String(waits))
  assert.equal([t.stub.requests, await queued(t), await devices(t)], [8, [], ['ana']])
  t.stub.answers.ana = [{ status: 201 }]
  t.clock.now += 3 * HOUR
  await notifyAna(t, 'Aviso', 'Otra vez')
  await t.sender.flush()
  assert.equal(bodies(t), ['Otra vez'])
})

sending('«too many» is respected, also by what comes after', async (t) => {
  await subscribeDevice(t, t.ana)
  t.stub.answers.ana = [{ status: 429, headers: { 'Retry-After': '600' } }, { status: 201 }]
  await notifyAna(t, 'Uno', 'Primero')
  await t.sender.flush()
  t.clock.now += MINUTE
  await notifyAna(t, 'Dos', 'Segundo')
  await t.sender.flush()
  assert.is(t.stub.requests, 1)
  t.clock.now += 9 * MINUTE
  await t.sender.flush()
  assert.equal(bodies(t), ['Primero', 'Segundo'])
})

sending('a service that never answers, or is not there, costs its own device only', async (t) => {
  await subscribeDevice(t, t.ana, 'lento')
  await subscribeDevice(t, t.ana, 'rapido')
  t.stub.answers.lento = [null]
  await notifyAna(t)
  await t.sender.flush()
  assert.equal(
    t.stub.received.map(({ device }) => device),
    ['rapido'],
  )
  assert.equal(
    (await queued(t)).map(({ tries }) => tries),
    [1],
  )
  t.stub.stop()
  t.clock.now += HOUR
  await t.sender.flush()
  assert.equal(
    (await queued(t)).map(({ tries }) => tries),
    [2],
  )
})

sending('a redirect is not followed', async (t) => {
  const said = captureLog(t)
  await subscribeDevice(t, t.ana)
  const other = await startPushStub()
  t.stub.answers.ana = [{ status: 307, headers: { Location: `${other.url}/push/ana` } }]
  await notifyAna(t)
  await t.sender.flush()
  assert.equal([t.stub.requests, other.requests, await queued(t)], [1, 0, []])
  assert.equal(said, [`perrario · ${t.stub.host} rechaza un aviso (307): lo que dice el servicio`])
  other.stop()
})

sending('who refuses us five times in a row is not asked again', async (t) => {
  captureLog(t)
  await subscribeDevice(t, t.ana)
  const refuse = async (count: number) => {
    for (let i = 0; i < count; i++) {
      t.clock.now += MINUTE
      await notifyAna(t)
      await t.sender.flush()
    }
  }
  t.stub.answers.ana = [{ status: 403 }]
  await refuse(4)
  t.stub.answers.ana = [{ status: 201 }]
  await refuse(1)
  t.stub.answers.ana = [{ status: 403 }]
  await refuse(4)
  assert.equal(await devices(t), ['ana'])
  await refuse(1)
  assert.equal(await devices(t), [])
})

sending('what waits outlives the process; what is a day old is news no longer', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.close()
  await notifyAna(t, 'Viejo', 'Viejo')
  t.clock.now += 24 * HOUR
  await notifyAna(t, 'Nuevo', 'Nuevo')
  t.sender = open(t)
  await t.sender.flush()
  assert.equal([bodies(t), await queued(t)], [['Nuevo'], []])
})

sending('a new like while the last is on its way is told after it', async (t) => {
  await subscribeDevice(t, t.ana)
  const [eva] = await seed(t.db, member({ alias: 'Eva' }))
  t.stub.answers.ana = [null, { status: 201 }]
  await like(t.db, t.luis, t.toby.id, t.clock.now)
  t.clock.now += 20_000
  const draining = t.sender.flush()
  while (t.stub.requests === 0) await new Promise((done) => setTimeout(done, 5))
  await like(t.db, eva, t.toby.id, t.clock.now)
  await draining
  t.clock.now += HOUR
  await t.sender.flush()
  assert.equal(bodies(t), ['A Eva y 1 más les gusta Toby'])
})

sending('a device shows one member’s notices', async (t) => {
  const { session } = await subscribeDevice(t, t.ana, 'compartido')
  const device = t.stub.device('compartido')
  const { token } = await createSession(t.db, t.luis.id)
  await subscribe(t.db, t.luis, toSessionId(token), device, [t.stub.host], t.clock.now)
  assert.is(await findDeviceEndpoint(t.db, t.ana, session), null)
  assert.is(await findDeviceEndpoint(t.db, t.luis, toSessionId(token)), device.endpoint)
  await notifyAna(t)
  await t.sender.flush()
  assert.is(t.stub.requests, 0)
})

sending('a device goes with its session, by itself or with all', async (t) => {
  const { token } = await subscribeDevice(t, t.ana, 'movil')
  const { session } = await subscribeDevice(t, t.ana, 'mesa')
  await subscribeDevice(t, t.ana, 'tableta')
  await endSession(t.db, token)
  assert.equal(await devices(t), ['mesa', 'tableta'])
  await unsubscribe(t.db, t.ana, session)
  assert.equal(await devices(t), ['tableta'])
  // A session that ended by itself and was not swept yet.
  await t.db
    .updateTable('sessions')
    .set({ expires_at: Math.floor(t.clock.now / 1000) - 1 })
    .execute()
  await notifyAna(t)
  await t.sender.flush()
  assert.equal([t.stub.requests, await devices(t)], [0, []])
})

sending('nobody turns off the device of somebody else', async (t) => {
  const { session } = await subscribeDevice(t, t.ana, 'movil')
  await unsubscribe(t.db, t.luis, session)
  assert.equal(await devices(t), ['movil'])
})

sending('of too many devices the oldest goes', async (t) => {
  for (let i = 1; i <= 12; i++) {
    t.clock.now++
    await subscribeDevice(t, t.ana, `aparato-${i}`)
  }
  assert.equal(
    await devices(t),
    Array.from({ length: 10 }, (_, i) => `aparato-${i + 3}`),
  )
})

sending('an address that is no push service’s is refused, and not sent to where it once was one', async (t) => {
  const { token } = await createSession(t.db, t.ana.id)
  const device = t.stub.device('movil')
  const refusal = async (endpoint: string, keys = device.keys, hosts: string[] = []) => {
    try {
      await subscribe(t.db, t.ana, toSessionId(token), { endpoint, keys }, hosts)
    } catch (error) {
      return error instanceof AppError ? `${error.status} ${error.message}` : String(error)
    }
    return null
  }
  const unknown = '422 Este navegador usa un servicio de avisos que no conocemos.'
  assert.is(await refusal(device.endpoint), unknown)
  assert.is(await refusal('https://otro.example/a'), unknown)
  const notOnCurve = { ...device.keys, p256dh: `B${'A'.repeat(86)}` }
  assert.is(
    await refusal('https://fcm.googleapis.com/a', notOnCurve),
    '422 Este navegador no ha dado una dirección de avisos válida.',
  )
  assert.is(await refusal(device.endpoint, device.keys, [t.stub.host]), null)
  await t.sender.close()
  t.sender = openSender(t.db, { keys: KEYS, subject: 'mailto:a@b.es', hosts: [], clock: () => t.clock.now })
  await notifyAna(t)
  await t.sender.flush()
  assert.equal([t.stub.requests, await devices(t)], [0, []])
})

sending.run()
