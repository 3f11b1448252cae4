import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPostgresRun } from '#tests/support/db.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import {
  commentOnToby,
  readPushEndpoints,
  type TwoMembers,
  createTwoMembers,
  disableQuietHours,
} from '#tests/support/notifications/two-members.ts'
import { type PushStub, startPushStub } from '#tests/support/stubs/push-service.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, call, contentOf, detailOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface Context extends TwoMembers, ServerWorld {
  stub: PushStub
}
const push = serverSuite<Context>('api/notifications/push', async (t) => {
  t.stub = await startPushStub()
  return { PUSH_HOSTS: t.stub.host }
})

let people = 0
push.after(({ stub }) => stub.stop())
push.before.each(async (t) => {
  people++
  Object.assign(t, await createTwoMembers(t.server))
  await disableQuietHours(t.server, t.ana)
  t.stub.received.length = 0
  t.stub.requests = 0
})

const subscribeDevice = ({ server, stub }: Context, { cookie }: TestMember, name: string) =>
  call(server, '/api/push', { method: 'POST', cookie, json: { ...stub.device(name), expirationTime: null } })
const state = async ({ server }: Context, { cookie }: TestMember) => (await call(server, '/api/push', { cookie })).body

/** From the operator's file, which only the site reads, or the table of nodes. */
async function readPublicKey(server: TestServer): Promise<string> {
  if (isPostgresRun)
    return (await server.db.selectFrom('push_keys').select('public_key').executeTakeFirstOrThrow()).public_key
  const file = join(server.dataDir, 'push-keys.json')
  assert.is(statSync(file).mode & 0o777, 0o600)
  return JSON.parse(readFileSync(file, 'utf8')).publicKey
}

push('a device is subscribed, notified and unsubscribed', async (t) => {
  const name = `movil-${people}`
  const publicKey = await readPublicKey(t.server)
  assert.equal(await state(t, t.ana), { key: publicKey, endpoint: null })
  assert.equal(contentOf(await subscribeDevice(t, t.ana, name)), [201, { endpoint: `${t.stub.url}/push/${name}` }])
  assert.is((await state(t, t.ana)).endpoint, `${t.stub.url}/push/${name}`)
  assert.is((await state(t, t.luis)).endpoint, null)

  await commentOnToby(t, 'Qué guapo')
  const [{ message, vapid, device }] = (await t.stub.waitForPushes(1)) as [PushStub['received'][0]]
  assert.is(device, name)
  assert.equal(
    [message.title, message.body, message.path],
    ['Nuevo comentario', `${t.luis.alias} ha comentado en Toby: «Qué guapo»`, `${t.toby.path}#comentarios`],
  )
  assert.equal([vapid.key, vapid.sub], [publicKey, 'mailto:perrario@localhost'])

  const off = await call(t.server, '/api/push', { method: 'DELETE', cookie: t.ana.cookie })
  assert.equal([off.status, (await state(t, t.ana)).endpoint], [204, null])
  await commentOnToby(t, 'Otra vez')
  assert.equal(await t.server.db.selectFrom('push_queue').selectAll().execute(), [])
  assert.is((await call(t.server, '/api/push', { method: 'DELETE', cookie: t.ana.cookie })).status, 204)
})

push('a subscription that is gone is deleted', async (t) => {
  t.stub.answers.muerto = [{ status: 410 }]
  await subscribeDevice(t, t.ana, 'muerto')
  await commentOnToby(t, 'Hola')
  const end = Date.now() + 10_000
  while ((await readPushEndpoints(t)).length > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  assert.equal([await readPushEndpoints(t), await state(t, t.ana).then(({ endpoint }) => endpoint)], [[], null])
})

push('signing out unsubscribes the device', async (t) => {
  await subscribeDevice(t, t.ana, `sale-${people}`)
  assert.is((await readPushEndpoints(t)).length, 1)
  await call(t.server, '/api/auth/sign-out', { method: 'POST', cookie: t.ana.cookie })
  assert.equal(await readPushEndpoints(t), [])
})

push('invalid devices are refused with a message', async (t) => {
  const good = t.stub.device('bueno')
  const send = async (json: unknown) => {
    const { status, body } = await call(t.server, '/api/push', { method: 'POST', cookie: t.ana.cookie, json })
    return [status, body.detail]
  }
  const wrong = [422, 'Este navegador no ha dado una dirección de avisos válida.']
  const unknown = [422, 'Este navegador usa un servicio de avisos que no conocemos.']
  assert.equal(await send({}), wrong)
  assert.equal(await send({ ...good, keys: { ...good.keys, auth: '' } }), wrong)
  assert.equal(await send({ ...good, keys: { ...good.keys, p256dh: `B${'A'.repeat(86)}` } }), wrong)
  assert.equal(await send({ ...good, endpoint: `${good.endpoint}${'a'.repeat(1024)}` }), wrong)
  for (const endpoint of ['https://otro.example/a', 'http://169.254.169.254/', 'http://127.0.0.1:1/a', 'nada'])
    assert.equal(await send({ ...good, endpoint }), unknown)
  assert.equal([await readPushEndpoints(t), t.stub.requests], [[], 0])
  assert.equal(detailOf(await call(t.server, '/api/push')), [401, 'Inicia sesión para continuar.'])
})

push('preferences are read and saved, by API clients and by the plain form', async (t) => {
  const { cookie } = t.luis
  const usual = {
    likes: true,
    comments: true,
    others: true,
    quiet: { from: '23:00', to: '08:00' },
    time_zone: 'Europe/Madrid',
    digest: true,
    follows: true,
    follows_digest: true,
    memories: true,
  }
  const read = async () => (await call(t.server, '/api/account/notices', { cookie })).body
  assert.equal(await read(), usual)
  const other = {
    ...usual,
    likes: false,
    quiet: { from: '22:30', to: '07:05' },
    time_zone: 'America/Bogota',
    digest: false,
  }
  const put = (json: unknown) => call(t.server, '/api/account/notices', { method: 'PUT', cookie, json })
  assert.equal((await put(other)).body, other)
  assert.equal(await read(), other)
  const bad = await put({ ...other, time_zone: 'Luna/Tranquilidad' })
  assert.equal([bad.status, bad.body.errors], [422, { time_zone: 'Elige una zona horaria de la lista.' }])
  const form = async (body: string) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await call(t.server, '/api/account/notices', { method: 'POST', cookie, body, headers })
    return [answer.status, answer.headers.get('location')]
  }
  assert.equal(await form('comments=on&from=23:00&to=08:00&time_zone=Atlantic/Canary&has_digest=1&digest=on'), [
    303,
    '/perfil/avisos?hecho=avisos#avisos',
  ])
  assert.equal(await read(), {
    likes: false,
    comments: true,
    others: false,
    quiet: null,
    time_zone: 'Atlantic/Canary',
    digest: true,
    follows: false,
    follows_digest: false,
    memories: false,
  })
  assert.is((await form('time_zone=Atlantic/Canary&has_digest=1'))[0], 303)
  assert.is((await read()).digest, false)
  // A form without the switch, of who has no address.
  assert.is((await form('time_zone=Atlantic/Canary'))[0], 303)
  assert.is((await read()).digest, true)
  assert.equal(await form('quiet=on&from=x&to=08:00&time_zone=Atlantic/Canary'), [
    303,
    '/perfil/avisos?error=horas#avisos',
  ])
  assert.equal(await form('time_zone=Luna'), [303, '/perfil/avisos?error=zona#avisos'])
})

push('unsent messages are sent after a restart', async (t) => {
  const name = `espera-${people}`
  t.stub.answers[name] = [{ status: 503 }, { status: 201 }]
  await subscribeDevice(t, t.ana, name)
  await commentOnToby(t, 'Perdura')
  const end = Date.now() + 10_000
  while (t.stub.requests < 1 && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  await t.server.stop()
  assert.equal(t.stub.received, [])
  await t.server.db.updateTable('push_queue').set({ due_at: Date.now() }).execute()
  await t.server.restart()
  const [{ message }] = (await t.stub.waitForPushes(1)) as [PushStub['received'][0]]
  assert.is(message.body, `${t.luis.alias} ha comentado en Toby: «Perdura»`)
})

push('with an invalid key file everything else works', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-push-'))
  writeFileSync(join(dataDir, 'push-keys.json'), 'roto')
  const server = await startServer({ DATA_DIR: dataDir })
  const ana = await signInMember(server)
  assert.match(server.output(), 'perrario · no hay avisos en los dispositivos: push-keys.json no es JSON')
  assert.equal((await call(server, '/api/push', { cookie: ana.cookie })).body, { key: null, endpoint: null })
  const { status, body } = await call(server, '/api/push', { method: 'POST', cookie: ana.cookie, json: {} })
  assert.equal([status, body.detail], [503, 'Este sitio no envía avisos a dispositivos.'])
  await server.dispose()
  rmSync(dataDir, { recursive: true, force: true })
})
