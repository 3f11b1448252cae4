import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setDigest, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, PHONE, visit, watchErrors } from '#tests/support/browser.ts'
import { signedIn, type TestMember, useSession } from '#tests/support/members.ts'
import { type PushStub, pushStub } from '#tests/support/push.ts'
import { until, visitWithWorker, workerReady } from '#tests/support/pwa.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Only the browser's PushManager is stubbed: it hands out addresses of a local push service, which receives what the
// server really encrypts. What it decrypts goes to the real worker by the browser's own debugging protocol.

interface Shared {
  server: TestServer
  browser: Browser
  stub: PushStub
  ana: TestMember
  luis: TestMember
  toby: { id: string; path: string }
}
const push = suite<Shared>('push in the browser')

let people = 0
push.before(async (t) => {
  t.stub = await pushStub()
  t.server = await startServer({ PUSH_HOSTS: t.stub.host })
  t.browser = await launchBrowser(true)
})
push.after(async ({ server, browser, stub }) => {
  await browser.close()
  stub.stop()
  await server.dispose()
})
push.after.each(async ({ browser }) => {
  for (const context of browser.contexts()) await context.close()
})
push.before.each(async (t) => {
  const n = ++people
  t.ana = await signedIn(t.server, `ana${n}@ejemplo.es`)
  t.luis = await signedIn(t.server, `luis${n}@ejemplo.es`)
  const [toby] = await withDatabase(t.server, (db) => seed(db, dog({ owner_id: t.ana.id, name: 'Toby', photos: 0 })))
  t.toby = toby
  const settings = { likes: true, comments: true, others: true, quiet: null, time_zone: 'Europe/Madrid', digest: true }
  await call(t.server, '/api/account/notices', { method: 'PUT', cookie: t.ana.cookie, json: settings })
})

const bell = (page: Page) => page.locator('[data-bell]')
const row = (page: Page) => page.getByRole('switch', { name: 'Avisos en este dispositivo' })
const hint = (page: Page) => page.locator('#np-push-hint')

/** Ana's browser, whose PushManager keeps what it handed out, as a real one does over a reload. */
async function open(t: Shared, { worker = false, ...options }: BrowserContextOptions & { worker?: boolean } = {}) {
  const context = await (worker ? visitWithWorker : visit)(t.browser, {
    reducedMotion: 'reduce',
    ...DESKTOP,
    ...options,
  })
  await useSession(context, t.server, t.ana)
  await context.grantPermissions(['notifications'], { origin: t.server.url })
  const device = t.stub.device(`navegador-${people}`)
  await context.addInitScript((device) => {
    const HELD = 'prueba-push'
    const make = (key: string) => ({
      endpoint: device.endpoint,
      options: {
        applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
          c.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => ({ ...device, expirationTime: null }),
      unsubscribe: async () => {
        localStorage.removeItem(HELD)
        return true
      },
    })
    const held = () => localStorage.getItem(HELD)
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (held() ? make(held()!) : null),
      subscribe: async (options: { userVisibleOnly: boolean; applicationServerKey: string }) => {
        if (!options.userVisibleOnly) throw new Error('userVisibleOnly')
        localStorage.setItem(HELD, options.applicationServerKey)
        return make(options.applicationServerKey)
      },
    })
  }, device)
  const page = await context.newPage()
  return { context, page }
}
const devices = ({ server, ana }: Shared) =>
  withDatabase(
    server,
    async (db) =>
      (await db.selectFrom('push_subscriptions').select('endpoint').where('user_id', '=', ana.id).execute()).length,
  )
const comment = ({ server, toby, luis }: Shared, content: string) =>
  call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: luis.cookie, json: { content } })

push('a press turns the device on; what is said of Toby is shown, and leads there', async (t) => {
  const { context, page } = await open(t, { worker: true })
  const errors = watchErrors(page)
  await page.goto(`${t.server.url}/comunidad`)
  await workerReady(page)
  await page.goto(`${t.server.url}/comunidad`)
  await bell(page).click()
  await row(page).waitFor()
  await until('the row knows', () => row(page).isEnabled())
  assert.is(await row(page).isChecked(), false)
  assert.is(await devices(t), 0)
  await row(page).click()
  await until('the device is known', async () => (await devices(t)) === 1)
  assert.is(await row(page).isChecked(), true)
  await page.reload()
  await bell(page).click()
  await until('it is on after a reload', () => row(page).isChecked())

  t.stub.received.length = 0
  await comment(t, 'Qué guapo')
  const [{ message }] = (await t.stub.arrived(1)) as [PushStub['received'][0]]
  const client = await context.newCDPSession(page)
  const registrationId = await new Promise<string>((done) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) done(registrations[0].registrationId)
    })
    void client.send('ServiceWorker.enable')
  })
  const deliver = (data: string) =>
    client.send('ServiceWorker.deliverPushMessage', { origin: t.server.url, registrationId, data })
  const shown = () =>
    page.evaluate(async () => {
      const list = await (await navigator.serviceWorker.ready).getNotifications()
      return list.map(({ title, body, data, tag }) => ({ title, body, path: data as string, tag }))
    })
  await deliver(JSON.stringify(message))
  await until('it is shown', async () => (await shown()).length === 1)
  assert.equal(await shown(), [message])
  assert.is(message.body, `${t.luis.alias} ha comentado en Toby: «Qué guapo»`)
  // The same line again takes its place; what cannot be read is shown all the same.
  await deliver(JSON.stringify({ ...message, body: 'Otra cosa' }))
  await until('it is replaced', async () => (await shown())[0]?.body === 'Otra cosa')
  await deliver('no es JSON')
  await until('something is shown', async () => (await shown()).length === 2)
  assert.ok((await shown()).some(({ title, body }) => title === 'Perrario' && body === 'Tienes avisos nuevos.'))

  // A click on it, whose window browsers open only for real ones.
  const worker = context.serviceWorkers()[0]!
  const opened = await worker.evaluate(async (tag) => {
    const own = globalThis as any
    const opened: string[] = []
    own.clients.openWindow = async (url: string) => void opened.push(url)
    const [notification] = await own.registration.getNotifications({ tag })
    const work: Promise<unknown>[] = []
    const event = new own.NotificationEvent('notificationclick', { notification })
    event.waitUntil = (done: Promise<unknown>) => work.push(done)
    own.dispatchEvent(event)
    await Promise.all(work)
    return opened
  }, message.tag)
  assert.equal(opened, [`${t.server.url}${t.toby.path}#comentarios`])
  const { body } = await call(t.server, '/api/notifications', { cookie: t.ana.cookie })
  assert.equal([body.unread, body.notifications[0].is_read], [0, true])
  assert.is((await shown()).length, 1)

  // The browser gives the device a new address.
  const moved = t.stub.device(`mudado-${people}`)
  await worker.evaluate(async (device) => {
    const own = globalThis as any
    own.registration.pushManager.constructor.prototype.subscribe = async () => device
    const work: Promise<unknown>[] = []
    const event = new own.ExtendableEvent('pushsubscriptionchange')
    event.waitUntil = (done: Promise<unknown>) => work.push(done)
    own.dispatchEvent(event)
    await Promise.all(work)
  }, moved)
  const { endpoint } = (await call(t.server, '/api/push', { cookie: t.ana.cookie })).body
  assert.is(endpoint, moved.endpoint)

  await row(page).click()
  await until('the device is forgotten', async () => (await devices(t)) === 0)
  assert.is(await row(page).isChecked(), false)
  assert.is(await page.evaluate(() => localStorage.getItem('prueba-push')), null)

  // Whoever signs out leaves no notice on the screen.
  assert.is((await shown()).length, 1)
  await page.evaluate(() => fetch('/api/auth/sign-out', { method: 'POST' }))
  await until('no notice is left', async () => (await shown()).length === 0)
  assert.equal(errors, [])
})

push('nothing is asked before the press, and the panel’s row comes only with the panel', async (t) => {
  const { page } = await open(t)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${t.server.url}/comunidad`)
  await page.waitForLoadState('networkidle')
  assert.is(
    asked.some((url) => /PushRow|\/api\/push/.test(url)),
    false,
  )
  await page.evaluate(() => {
    Notification.requestPermission = async () => {
      document.title = 'preguntado'
      return 'denied'
    }
  })
  await bell(page).click()
  await until('the row knows', () => row(page).isEnabled())
  assert.not.equal(await page.title(), 'preguntado')
  await row(page).click()
  await hint(page).getByText('Los tienes bloqueados.').waitFor()
  assert.is(await page.title(), 'preguntado')
  assert.equal([await row(page).isChecked(), await row(page).isDisabled()], [false, true])
})

push('where its row does not arrive, the panel works', async (t) => {
  const { page } = await open(t)
  await page.route(/PushRow/, (route) => route.abort())
  await comment(t, 'Hola')
  await page.goto(`${t.server.url}/comunidad`)
  await bell(page).click()
  await page.getByRole('button', { name: 'Marcar todas como leídas' }).click()
  await page.locator('.nt.un').waitFor({ state: 'detached' })
  assert.is(await row(page).count(), 0)
})

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1'

push('where notices cannot be, the row says why', async (t) => {
  const say = async (options: BrowserContextOptions, script: () => void) => {
    const { page } = await open(t, options)
    await page.addInitScript(script)
    await page.goto(`${t.server.url}/comunidad`)
    await bell(page).click()
    await hint(page).filter({ hasText: /./ }).waitFor()
    assert.is(await row(page).isDisabled(), true)
    const { violations } = await new AxeBuilder({ page }).include('.np').analyze()
    assert.equal(violations, [])
    return hint(page).textContent()
  }
  const without = () => void delete (window as { PushManager?: unknown }).PushManager
  assert.is(await say(DESKTOP, without), 'Este navegador no sabe mostrar avisos.')
  assert.is(
    await say({ ...PHONE, userAgent: IPHONE }, without),
    'En iPhone y iPad, añade antes Perrario a la pantalla de inicio y enciéndelos allí.',
  )
  const denied = () => void Object.defineProperty(Notification, 'permission', { get: () => 'denied' })
  assert.is(
    await say(DESKTOP, denied),
    'Los tienes bloqueados. Permite las notificaciones de este sitio en los ajustes del navegador.',
  )
})

push('a server that fails leaves the switch as it was, and says so', async (t) => {
  const { context, page } = await open(t, { worker: true })
  await page.goto(`${t.server.url}/comunidad`)
  await workerReady(page)
  await page.goto(`${t.server.url}/comunidad`)
  await context.route('**/api/push', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  )
  await bell(page).click()
  await until('the row knows', () => row(page).isEnabled())
  await row(page).click()
  await hint(page).getByText('No se pudieron encender los avisos. Intenta de nuevo.').waitFor()
  assert.equal([await row(page).isChecked(), await devices(t)], [false, 0])
  assert.is(await page.evaluate(() => localStorage.getItem('prueba-push')), null)
})

push('the settings are a plain form, and work without script', async (t) => {
  const { page } = await open(t, { javaScriptEnabled: false, ...PHONE })
  await page.goto(`${t.server.url}/perfil/cuenta`)
  const panel = page.getByRole('region', { name: 'Avisos' })
  assert.is(await panel.getByRole('switch', { name: 'Horas de silencio' }).isChecked(), false)
  assert.is(await panel.getByLabel('De', { exact: true }).isVisible(), false)
  await panel.getByRole('switch', { name: 'Comentarios' }).click()
  await panel.getByRole('switch', { name: 'Horas de silencio' }).click()
  await panel.getByLabel('De', { exact: true }).fill('22:15')
  await panel.getByLabel('A', { exact: true }).fill('07:30')
  await panel.getByLabel('Hora de').selectOption('Canarias')
  await panel.getByRole('button', { name: 'Guardar avisos' }).click()
  await panel.getByText('Avisos guardados.').waitFor()
  const { body } = await call(t.server, '/api/account/notices', { cookie: t.ana.cookie })
  assert.equal([body.likes, body.comments, body.others], [true, false, true])
  assert.is(body.digest, true)
  assert.equal([body.quiet, body.time_zone], [{ from: '22:15', to: '07:30' }, 'Atlantic/Canary'])
})

push('the last link of a weekly mail asks, and its button unsubscribes, without script', async (t) => {
  const token = await withDatabase(t.server, async (db) => {
    await setDigest(db, t.ana.id, true)
    return (await db.selectFrom('digests').select('token').where('user_id', '=', t.ana.id).executeTakeFirstOrThrow())
      .token
  })
  const wants = () => withDatabase(t.server, (db) => wantsDigest(db, t.ana.id))
  const context = await visit(t.browser, { ...PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${t.server.url}/baja?token=${token}`)
  await page.getByRole('heading', { level: 1, name: '¿Sin resumen semanal?' }).waitFor()
  assert.is(await wants(), true)
  await page.getByRole('button', { name: 'No recibir más resúmenes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hecho: no recibirás más resúmenes' }).waitFor()
  assert.is(await wants(), false)
  const response = await page.goto(`${t.server.url}/baja?token=otro`)
  assert.is(response?.status(), 404)
  await page.getByRole('heading', { level: 1, name: 'Este enlace no vale' }).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const)
  push(`axe finds nothing in the panel and the settings, ${colorScheme}`, async (t) => {
    const { page } = await open(t, { colorScheme })
    await page.goto(`${t.server.url}/perfil/cuenta`)
    const check = async () => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
    await page.getByRole('switch', { name: 'Horas de silencio' }).click()
    assert.equal(await check(), [])
    await bell(page).click()
    await until('the row knows', () => row(page).isEnabled())
    assert.equal(await check(), [])
  })

push.run()
