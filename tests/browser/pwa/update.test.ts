import type { BrowserContext, Page } from 'playwright'
import { watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, closeLanding, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import {
  waitUntilCached,
  waitUntilTrue,
  openContextWithWorker,
  waitForWorker,
} from '#tests/support/browser/service-worker.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// One browser, whose worker each test takes as the last one left it: installing one costs more than a page.
interface World extends BrowserWorld {
  front: FaultProxy
  context: BrowserContext
  /** The server whose worker goes. */
  retired?: TestServer
}
const update = browserSuite<World>('worker update')

update.before(async (t) => {
  t.front = await startFaultProxy(t.server.url)
  t.context = await openContextWithWorker(t.browser)
})
update.after.each(async ({ context, front }) => {
  for (const page of context.pages()) await page.close()
  front.intercept(() => false)
})
update.after(async ({ front, retired }) => {
  await front.dispose()
  // Whether the tests passed or not: a server that lives on keeps this file from ending.
  await retired?.stop()
})

/** Marks the page: a reload takes the mark away. */
const markPage = (page: Page) => page.evaluate(() => void Object.assign(window, { isOld: true }))
const isOld = (page: Page) => page.evaluate(() => 'isOld' in window)
const reloaded = (page: Page) => waitUntilTrue('the page to reload', async () => !(await isOld(page)))
/**
 * As a later visit does: asks for the worker anew. Chromium asks by itself a second after a page loads, and an update asked
 * for while that one runs gets its answer, which may be the version of before: hence until there is another.
 */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!
    const old = registration.active
    for (let tries = 0; tries < 20; tries++) {
      await registration.update()
      if (registration.installing || registration.waiting || registration.active !== old) return
      await new Promise((done) => setTimeout(done, 250))
    }
    throw new Error('no new worker')
  })
interface Registration {
  given: unknown[]
  at: number
  state: string
}

const WITHOUT_WORKER = ['/', '/perros', '/perfil', '/login', '/terminos', '/sin-conexion']

update('every page registers the worker at load, with no more code; it keeps the page later', async (t) => {
  const { context, front } = t
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.addInitScript((withoutWorker) => {
    const { serviceWorker } = navigator
    const register = serviceWorker.register.bind(serviceWorker)
    serviceWorker.register = (...given) => {
      Object.assign(window, { registered: { given, at: performance.now(), state: document.readyState } })
      return withoutWorker.includes(location.pathname) ? new Promise(() => {}) : register(...given)
    }
  }, WITHOUT_WORKER)
  for (const path of [...WITHOUT_WORKER, '/razas']) {
    await page.goto(front.url + path, { waitUntil: 'load' })
    await waitUntilTrue('the worker is registered', () => page.evaluate(() => 'registered' in window))
    const { given, state, late, code } = await page.evaluate(() => {
      const { given, at, state } = (window as unknown as { registered: Registration }).registered
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      const code = performance.getEntriesByType('resource').filter(({ name }) => /pwa\.client/.test(name)).length
      return { given, state, late: at - visit!.loadEventStart, code }
    })
    assert.equal(given, ['/sw.js', { updateViaCache: 'none' }], path)
    assert.is(state, 'complete', path)
    // Far less than the time after which somebody counts as there (layouts/deferred-loads.client.ts).
    assert.ok(late >= 0 && late < 1500, `${path}: ${late} ms after load`)
    assert.is(code, 0, path)
  }
  await waitUntilTrue('the worker serves the page', () =>
    page.evaluate(() => navigator.serviceWorker.controller !== null),
  )
  await markPage(page)
  await waitForWorker(page)
  await waitUntilCached(page, '/razas')
  assert.ok(await isOld(page), 'the first worker brings nothing new')
  // A new version reloads a page that holds nothing.
  front.releaseWorker()
  await checkForUpdate(page).catch(() => {})
  await reloaded(page)
  assert.is(front.requests.filter((line) => line === 'GET /razas').length, 3, 'page, copy to keep, page')
  assert.equal(errors, [])
  // Those that the server renders for a visitor, and those that are files.
  for (const path of ['/', '/perros', '/terminos']) {
    await page.goto(front.url + path)
    await waitUntilCached(page, path)
  }
})

update(
  'of two tabs the one with a half-filled form waits, and reloads after the save',
  async ({ context, front, server }) => {
    const ana = await signInMember(server)
    await useSession(context, front, ana)
    const dirty = await context.newPage()
    const errors = watchErrors(dirty)
    await dirty.goto(`${front.url}/perros`)
    await waitForWorker(dirty)
    const clean = await context.newPage()
    await clean.goto(`${front.url}/razas`)
    await markPage(clean)
    await markPage(dirty)
    const dialog = await openAddForm(dirty)
    await attachPhotos(dialog, await smallPhotos(1))
    await dialog.getByLabel('Nombre').fill('Nube')

    front.releaseWorker()
    await checkForUpdate(dirty)
    await reloaded(clean)
    // Twice as long as a waiting page takes to look again.
    await dirty.waitForTimeout(1200)
    assert.ok(await isOld(dirty), 'unsaved input stays')
    assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Nube')

    await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
    await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
    await submitForm(dialog)
    await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
    assert.ok(await isOld(dirty), 'the confirmation is not cut short')
    await dirty.waitForFunction(() => document.querySelector('dialog.landing[open]'))
    await dirty.waitForTimeout(1200)
    assert.ok(await isOld(dirty), 'nor is the landing of the sticker')
    await closeLanding(dirty)
    await reloaded(dirty)
    await dirty.getByText('Nube').first().waitFor()
    assert.equal(errors, [])
  },
)

update('a half-typed comment and a half-changed profile wait too', async ({ context, front, server }) => {
  const ana = await signInMember(server)
  await useSession(context, front, ana)
  const page = await context.newPage()
  await page.goto(`${front.url}/beagle/nube`)
  await waitForWorker(page)
  await markPage(page)
  const field = page.getByLabel('Tu comentario')
  await field.fill('Qué guap')
  await waitUntilTrue('the island says that it holds something', () => page.locator('[data-unsaved]').isVisible())
  const profile = await context.newPage()
  await profile.goto(`${front.url}/perfil?editar`)
  await markPage(profile)
  await profile.getByRole('textbox', { name: 'Alias' }).fill('Otra Ana')
  front.releaseWorker()
  await checkForUpdate(page)
  await page.waitForTimeout(1200)
  assert.ok(await isOld(page))
  assert.ok(await isOld(profile))
  await field.fill('Qué guapa')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await reloaded(page)
  await page.getByText('Qué guapa').waitFor()
  await profile.getByRole('button', { name: 'Guardar' }).click()
  await reloaded(profile)
  await profile.getByText('Otra Ana').first().waitFor()
})

update(
  'a retired worker goes with all it kept, and pages reload without one, a half-filled one after its save',
  async (t) => {
    const { context, front, server } = t
    const retired = (t.retired = await startServer({ SERVICE_WORKER: 'off', DATA_DIR: server.dataDir }))
    await context.clearCookies()
    const page = await context.newPage()
    const errors = watchErrors(page)
    await page.goto(`${front.url}/razas`)
    await waitForWorker(page)
    const dirty = await context.newPage()
    await dirty.goto(`${front.url}/perros`)
    const dialog = await openAddForm(dirty)
    await dialog.getByLabel('Nombre').fill('A medias')
    await markPage(page)
    await markPage(dirty)

    front.forwardTo(retired.url)
    await checkForUpdate(page).catch(() => {})
    await reloaded(page)
    await waitUntilTrue('nothing is kept', () => page.evaluate(async () => (await caches.keys()).length === 0))
    // As long as the retired worker waits for an answer, and longer than a waiting page takes to look again.
    await page.waitForTimeout(2600)
    assert.ok(await isOld(dirty), 'unsaved input stays')
    assert.is(await dialog.getByLabel('Nombre').inputValue(), 'A medias')
    await dialog.getByLabel('Nombre').fill('')
    await reloaded(dirty)
    await dirty.close()
    const controlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null)
    await waitUntilTrue('the worker is gone', async () => {
      await page.reload()
      return !(await controlled())
    })
    // It stays away, and nothing reloads in circles.
    await markPage(page)
    await page.waitForTimeout(800)
    assert.ok(await isOld(page))
    assert.not.ok(await controlled())
    assert.equal(await page.evaluate(() => caches.keys()), [])
    assert.equal(errors, [])

    // And back: a good one takes its place.
    front.forwardTo(server.url)
    await page.reload()
    await waitForWorker(page)
  },
)

update('a page whose script is broken is reloaded by the retired worker itself', async (t) => {
  const { context, front } = t
  const retired = t.retired!
  const page = await context.newPage()
  await page.goto(`${front.url}/razas`)
  await waitForWorker(page)
  // A bad build: no script of ours comes, neither from the worker's caches nor from the browser's, nor from the network, of
  // which `page.route` sees nothing that the worker asks for.
  front.intercept((req, res) => {
    if (!/^\/_astro\/.*\.js/.test(req.url!)) return false
    res.writeHead(200, { 'Content-Type': 'text/javascript' }).end()
    return true
  })
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const key of await cache.keys())
        if (key.url.endsWith('.js'))
          await cache.put(key, new Response('', { headers: { 'Content-Type': 'text/javascript' } }))
    }
  })
  await page.reload({ waitUntil: 'networkidle' })
  assert.is(await page.locator('time[data-today]').textContent(), '', 'no script of ours runs')
  await markPage(page)
  front.forwardTo(retired.url)
  await checkForUpdate(page).catch(() => {})
  await reloaded(page)
})
