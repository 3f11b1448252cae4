import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright'
import { suite } from 'uvu'
import { call } from '#tests/support/api.ts'
import { launchBrowser } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from './dog-form.ts'
import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import type { TestMember } from '#tests/support/members.ts'
import { openBehindProxy } from '#tests/support/browser/service-worker.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import type { Dog } from '#features/dogs/dogs.ts'

export interface QueueWorld {
  server: TestServer
  browser: Browser
  front: FaultProxy
}

/** A suite over one server and one browser; each test gets a front of its own, which it may take down. */
export function queueSuite(name: string) {
  const queue = suite<QueueWorld>(name)
  queue.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
  })
  queue.before.each(async (t) => {
    t.front = await startFaultProxy(t.server.url)
  })
  queue.after.each(({ front }) => front.dispose())
  queue.after(async ({ browser, server }) => {
    await browser.close()
    await server.dispose()
  })
  return queue
}

/** What browsers log of a network that is gone and a server that fails, whatever a page does. */
export const withoutNetworkErrors = (errors: string[]) =>
  errors.filter((text) => !/net::ERR_|Failed to fetch|Error al cargar las razas|status of 50[03]/.test(text))

/** The dogs' page, in the browser of `who`. */
export const openDogsPage = (t: QueueWorld, who?: TestMember, options: BrowserContextOptions = {}) =>
  openBehindProxy(t, '/perros', { ...options, who })

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
