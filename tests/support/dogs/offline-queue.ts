import type { Browser, BrowserContext, Locator, Page } from 'playwright'
import { call } from '#tests/support/api.ts'
import { launchBrowser, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from './dog-form.ts'
import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import { type TestMember, useSession } from '#tests/support/members.ts'
import { openBehindProxy, waitUntilCached } from '#tests/support/browser/service-worker.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { suite } from '#tests/support/suites.ts'

export interface QueueWorld {
  server: TestServer
  browser: Browser
  /** Stands before the server; each test finds it up, passing everything on. */
  front: FaultProxy
  /** One for the suite, whose worker is ready: each test finds it without session, drafts and queued dogs. */
  context: BrowserContext
}

/** A suite over one server and one browser context behind a front, which each test may take down. */
export function queueSuite(name: string) {
  const queue = suite<QueueWorld>(name)
  queue.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
    t.front = await startFaultProxy(t.server.url)
    t.context = (await openBehindProxy(t, '/perros')).context
  })
  queue.before.each(async ({ front, context }) => {
    front.up()
    front.intercept(() => false)
    front.loseAnswers(() => false)
    await context.setOffline(false)
    await context.clearCookies()
    const [page, ...others] = context.pages().toReversed()
    for (const other of others) await other.close()
    await clearDevice(page ?? (await context.newPage()), front)
    front.requests.length = 0
  })
  queue.after(async ({ browser, server, front }) => {
    await browser.close()
    await front.dispose()
    await server.dispose()
  })
  return queue
}

/** Empties what the site keeps on the device, but for its worker, from an address of it that runs no script. */
async function clearDevice(page: Page, front: FaultProxy): Promise<void> {
  await page.goto(`${front.url}/healthz`)
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    await caches.delete('perrario-paginas')
    for (const { name } of await indexedDB.databases())
      await new Promise<void>((done, fail) => {
        const opening = indexedDB.open(name!)
        opening.addEventListener('error', () => fail(opening.error))
        opening.addEventListener('success', () => {
          const stores = [...opening.result.objectStoreNames]
          const clearing = opening.result.transaction(stores, 'readwrite')
          for (const store of stores) clearing.objectStore(store).clear()
          clearing.addEventListener('complete', () => {
            opening.result.close()
            done()
          })
        })
      })
  })
}

/** What browsers log of a network that is gone and a server that fails, whatever a page does. */
export const withoutNetworkErrors = (errors: string[]) =>
  errors.filter((text) => !/net::ERR_|Failed to fetch|Error al cargar las razas|status of 50[03]/.test(text))

/** The dogs' page in the suite's browser, with the session of `who`, once it is kept for a time without network. */
export async function openDogsPage({ context, front }: QueueWorld, who?: TestMember) {
  if (who) await useSession(context, front, who)
  const page = context.pages()[0]!
  const errors = watchErrors(page)
  await page.goto(`${front.url}/perros`)
  await waitUntilCached(page, '/perros')
  return { context, page, errors }
}

/** Fills in the whole form and sends it; waits for the message without a network. */
export async function addOffline(page: Page, name: string, photos = 1): Promise<void> {
  const dialog = await fillForm(page, name, photos)
  await submitForm(dialog)
  await dialog.getByText('Guardado en este dispositivo. Se enviará cuando vuelva la conexión.').waitFor()
  await dialog.waitFor({ state: 'detached' })
}
export async function fillForm(page: Page, name: string, photos = 1): Promise<Locator> {
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(photos))
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
  await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
  await dialog.getByLabel('Zona').fill('Jaca')
  return dialog
}

export const queuePanel = (page: Page) => page.getByRole('complementary', { name: 'Perros por enviar' })
export const queueRow = (page: Page, name: string) => queuePanel(page).getByRole('listitem').filter({ hasText: name })
export const dogsNamed = async (server: TestServer, name: string) =>
  (await call(server, '/api/dogs?limit=50')).body.dogs.filter((dog: Dog) => dog.name === name)
export const waitUntilAdded = (page: Page, name: string) =>
  page.getByText(`${name} ya está en el álbum.`).first().waitFor()
/** The adds that reached the server. */
export const countPosts = (front: FaultProxy) => front.requests.filter((line) => line === 'POST /api/dogs').length
/** As a phone that finds its network again: the server is there, and the browser says so. */
export async function goOnline(front: FaultProxy, ...pages: Page[]): Promise<void> {
  front.up()
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('online')))
}
