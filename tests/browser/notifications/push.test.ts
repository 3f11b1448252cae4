import type { BrowserContextOptions } from 'playwright'
import * as assert from 'uvu/assert'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { call, type Json } from '#tests/support/api.ts'
import { DESKTOP, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { commentOnToby, readPushEndpoints } from '#tests/support/notifications/two-members.ts'
import type { PushStub } from '#tests/support/stubs/push-service.ts'
import { bellButton, pushHint, openDevice, pushSuite, deviceSwitch } from '#tests/support/notifications/push-suite.ts'
import { waitUntilTrue, waitForWorker } from '#tests/support/browser/service-worker.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const push = pushSuite('push in the browser')

push('a press turns the device on; what is said of Toby is shown, and leads there', async (t) => {
  const { context, page } = await openDevice(t, { worker: true })
  const errors = watchErrors(page)
  await page.goto(`${t.server.url}/comunidad`)
  await waitForWorker(page)
  await page.goto(`${t.server.url}/comunidad`)
  await bellButton(page).click()
  await deviceSwitch(page).waitFor()
  await waitUntilTrue('the row knows', () => deviceSwitch(page).isEnabled())
  assert.is(await deviceSwitch(page).isChecked(), false)
  assert.equal(await readPushEndpoints(t), [])
  await deviceSwitch(page).click()
  await waitUntilTrue('the device is known', async () => (await readPushEndpoints(t)).length === 1)
  assert.is(await deviceSwitch(page).isChecked(), true)
  await page.reload()
  await bellButton(page).click()
  await waitUntilTrue('it is on after a reload', () => deviceSwitch(page).isChecked())

  t.stub.received.length = 0
  await commentOnToby(t, 'Qué guapo')
  const [{ message }] = (await t.stub.waitForPushes(1)) as [PushStub['received'][0]]
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
  await waitUntilTrue('it is shown', async () => (await shown()).length === 1)
  assert.equal(await shown(), [message])
  assert.is(message.body, `${t.luis.alias} ha comentado en Toby: «Qué guapo»`)
  // The same line again takes its place; what cannot be read is shown all the same.
  await deliver(JSON.stringify({ ...message, body: 'Otra cosa' }))
  await waitUntilTrue('it is replaced', async () => (await shown())[0]?.body === 'Otra cosa')
  await deliver('no es JSON')
  await waitUntilTrue('something is shown', async () => (await shown()).length === 2)
  assert.ok((await shown()).some(({ title, body }) => title === 'Perrario' && body === 'Tienes avisos nuevos.'))

  // Somebody's script is words in a notice, and no address to go to.
  const script = '<img src=x onerror=ran=1> «javascript:ran=1//»'
  const nasty = { title: script, body: script, path: 'javascript:ran=1//', tag: 'malo' }
  await deliver(JSON.stringify(nasty))
  await waitUntilTrue('the script is shown', async () => (await shown()).some(({ tag }) => tag === 'malo'))
  assert.equal(
    (await shown()).find(({ tag }) => tag === 'malo'),
    nasty,
  )

  // A click on it, whose window browsers open only for real ones.
  const worker = context.serviceWorkers()[0]!
  const press = (tag: string) =>
    worker.evaluate(async (tag) => {
      const own: Json = globalThis
      const opened: string[] = []
      own.clients.openWindow = async (url: string) => void opened.push(url)
      const [notification] = await own.registration.getNotifications({ tag })
      const work: Promise<unknown>[] = []
      const event = new own.NotificationEvent('notificationclick', { notification })
      event.waitUntil = (done: Promise<unknown>) => work.push(done)
      own.dispatchEvent(event)
      await Promise.all(work)
      return opened
    }, tag)
  assert.equal(await press(message.tag), [`${t.server.url}${t.toby.path}#comentarios`])
  assert.equal(await press('malo'), [`${t.server.url}/notificaciones`])
  assert.is(await page.evaluate(() => 'ran' in window), false)
  const { body } = await call(t.server, '/api/notifications', { cookie: t.ana.cookie })
  assert.equal([body.unread, body.notifications[0].is_read], [0, true])
  assert.is((await shown()).length, 1)

  // The browser gives the device a new address.
  const moved = t.stub.device(`mudado-${t.ana.id}`)
  await worker.evaluate(async (device) => {
    const own: Json = globalThis
    own.registration.pushManager.constructor.prototype.subscribe = async () => device
    const work: Promise<unknown>[] = []
    const event = new own.ExtendableEvent('pushsubscriptionchange')
    event.waitUntil = (done: Promise<unknown>) => work.push(done)
    own.dispatchEvent(event)
    await Promise.all(work)
  }, moved)
  const { endpoint } = (await call(t.server, '/api/push', { cookie: t.ana.cookie })).body
  assert.is(endpoint, moved.endpoint)

  await deviceSwitch(page).click()
  await waitUntilTrue('the device is forgotten', async () => (await readPushEndpoints(t)).length === 0)
  assert.is(await deviceSwitch(page).isChecked(), false)
  assert.is(await page.evaluate(() => localStorage.getItem('prueba-push')), null)

  // Whoever signs out leaves no notice on the screen.
  assert.is((await shown()).length, 1)
  await page.evaluate(() => fetch('/api/auth/sign-out', { method: 'POST' }))
  await waitUntilTrue('no notice is left', async () => (await shown()).length === 0)
  assert.equal(errors, [])
})

push('nothing is asked before the press, and the panel’s row comes only with the panel', async (t) => {
  const { page } = await openDevice(t)
  const requests = watchRequests(page)
  await page.goto(`${t.server.url}/comunidad`)
  await waitUntilQuiet(page, requests)
  assert.is(
    requests.urls.some((url) => /PushRow|\/api\/push/.test(url)),
    false,
  )
  await page.evaluate(() => {
    Notification.requestPermission = async () => {
      document.title = 'preguntado'
      return 'denied'
    }
  })
  await bellButton(page).click()
  await waitUntilTrue('the row knows', () => deviceSwitch(page).isEnabled())
  assert.not.equal(await page.title(), 'preguntado')
  await deviceSwitch(page).click()
  await pushHint(page).getByText('Los tienes bloqueados.').waitFor()
  assert.is(await page.title(), 'preguntado')
  assert.equal([await deviceSwitch(page).isChecked(), await deviceSwitch(page).isDisabled()], [false, true])
})

push('where its row does not arrive, the panel works', async (t) => {
  const { page } = await openDevice(t)
  await page.route(/PushRow/, (route) => route.abort())
  await commentOnToby(t, 'Hola')
  await page.goto(`${t.server.url}/comunidad`)
  await bellButton(page).click()
  await page.getByRole('button', { name: 'Marcar todas como leídas' }).click()
  await page.locator('.nt.un').waitFor({ state: 'detached' })
  assert.is(await deviceSwitch(page).count(), 0)
})

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1'

push('where notices cannot be, the row says why', async (t) => {
  const say = async (options: BrowserContextOptions, script: () => void) => {
    const { page } = await openDevice(t, options)
    await page.addInitScript(script)
    await page.goto(`${t.server.url}/comunidad`)
    await bellButton(page).click()
    await pushHint(page).filter({ hasText: /./ }).waitFor()
    assert.is(await deviceSwitch(page).isDisabled(), true)
    assert.equal(await axeFaults(page, { within: '.np' }), [])
    return pushHint(page).textContent()
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
  const { context, page } = await openDevice(t, { worker: true })
  await page.goto(`${t.server.url}/comunidad`)
  await waitForWorker(page)
  await page.goto(`${t.server.url}/comunidad`)
  await context.route('**/api/push', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  )
  await bellButton(page).click()
  await waitUntilTrue('the row knows', () => deviceSwitch(page).isEnabled())
  await deviceSwitch(page).click()
  await pushHint(page).getByText('No se pudieron encender los avisos. Intenta de nuevo.').waitFor()
  assert.equal([await deviceSwitch(page).isChecked(), await readPushEndpoints(t)], [false, []])
  assert.is(await page.evaluate(() => localStorage.getItem('prueba-push')), null)
})
