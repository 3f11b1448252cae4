import { createSession, endSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { openSender } from '#features/notifications/push/sender.server.ts'
import { findDeviceEndpoint, subscribe, unsubscribe } from '#features/notifications/push/subscriptions.server.ts'
import { AppError } from '#lib/errors.ts'
import { startPushStub } from '#tests/support/stubs/push-service.ts'
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
} from '#tests/support/notifications/sender-suite.ts'
import { assert, captureConsole, member, pluck, seed, update } from '#tests/support/suites.ts'

const sending = senderSuite('unit/notifications/push-devices')

sending('a failing push service is retried with increasing pauses, and then given up', async (t) => {
  await subscribeDevice(t, t.ana)
  t.stub.answers.ana = [{ status: 500 }]
  await notifyAna(t)
  await t.sender.flush()
  const waits: number[] = []
  for (let tries = 1; tries < 8; tries++) {
    const [row] = await listQueued(t)
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
  assert.equal([t.stub.requests, await listQueued(t), await listDevices(t)], [8, [], ['ana']])
  t.stub.answers.ana = [{ status: 201 }]
  t.clock.now += 3 * HOUR
  await notifyAna(t, 'Aviso', 'Otra vez')
  await t.sender.flush()
  assert.equal(listBodies(t), ['Otra vez'])
})

sending('a 429 is respected, also by later messages', async (t) => {
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
  assert.equal(listBodies(t), ['Primero', 'Segundo'])
})

sending('a push service that never answers, or does not exist, delays its own device only', async (t) => {
  await subscribeDevice(t, t.ana, 'lento')
  await subscribeDevice(t, t.ana, 'rapido')
  t.stub.answers.lento = [null]
  await notifyAna(t)
  await t.sender.flush()
  assert.equal(pluck(t.stub.received, 'device'), ['rapido'])
  assert.equal(pluck(await listQueued(t), 'tries'), [1])
  t.stub.stop()
  t.clock.now += HOUR
  await t.sender.flush()
  assert.equal(pluck(await listQueued(t), 'tries'), [2])
})

sending('a redirect is not followed', async (t) => {
  using said = captureConsole()
  await subscribeDevice(t, t.ana)
  const other = await startPushStub()
  t.stub.answers.ana = [{ status: 307, headers: { Location: `${other.url}/push/ana` } }]
  await notifyAna(t)
  await t.sender.flush()
  assert.equal([t.stub.requests, other.requests, await listQueued(t)], [1, 0, []])
  assert.equal(said, [`perrario · ${t.stub.host} rechaza un aviso (307): lo que dice el servicio`])
  other.stop()
})

sending('a subscription that is refused five times in a row is deleted', async (t) => {
  using _ = captureConsole()
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
  assert.equal(await listDevices(t), ['ana'])
  await refuse(1)
  assert.equal(await listDevices(t), [])
})

sending('queued messages survive the process, and are discarded after a day', async (t) => {
  await subscribeDevice(t, t.ana)
  await t.sender.close()
  await notifyAna(t, 'Viejo', 'Viejo')
  t.clock.now += 24 * HOUR
  await notifyAna(t, 'Nuevo', 'Nuevo')
  t.sender = openTestSender(t)
  await t.sender.flush()
  assert.equal([listBodies(t), await listQueued(t)], [['Nuevo'], []])
})

sending('a like during a delivery is sent after it', async (t) => {
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
  assert.equal(listBodies(t), ['A Eva y 1 más les gusta Toby'])
})

sending('a device shows one member’s notifications', async (t) => {
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

sending('a device is deleted with its session, by itself or with all', async (t) => {
  const { token } = await subscribeDevice(t, t.ana, 'movil')
  const { session } = await subscribeDevice(t, t.ana, 'mesa')
  await subscribeDevice(t, t.ana, 'tableta')
  await endSession(t.db, token)
  assert.equal(await listDevices(t), ['mesa', 'tableta'])
  await unsubscribe(t.db, t.ana, session)
  assert.equal(await listDevices(t), ['tableta'])
  // A session that ended by itself and was not swept yet.
  await update(t.db, 'sessions', {}, { expires_at: Math.floor(t.clock.now / 1000) - 1 })
  await notifyAna(t)
  await t.sender.flush()
  assert.equal([t.stub.requests, await listDevices(t)], [0, []])
})

sending('no member unsubscribes another member’s device', async (t) => {
  const { session } = await subscribeDevice(t, t.ana, 'movil')
  await unsubscribe(t.db, t.luis, session)
  assert.equal(await listDevices(t), ['movil'])
})

sending('of too many devices the oldest is deleted', async (t) => {
  for (let i = 1; i <= 12; i++) {
    t.clock.now++
    await subscribeDevice(t, t.ana, `aparato-${i}`)
  }
  assert.equal(
    await listDevices(t),
    Array.from({ length: 10 }, (_, i) => `aparato-${i + 3}`),
  )
})

sending('an address that is not a push service’s is refused, and an already stored one receives nothing', async (t) => {
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
  assert.equal([t.stub.requests, await listDevices(t)], [0, []])
})
