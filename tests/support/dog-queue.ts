import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright'
import { suite } from 'uvu'
import { call } from './api.ts'
import { launchBrowser } from './browser.ts'
import { givePhotos, openAdd, smallPhotos, submit } from './dog-form.ts'
import { type Front, startFront } from './front.ts'
import type { TestMember } from './members.ts'
import { openBehind } from './pwa.ts'
import { startServer, type TestServer } from './server.ts'

export interface QueueWorld {
  server: TestServer
  browser: Browser
  front: Front
}

/** A suite over one server and one browser; each test gets a front of its own, which it may take down. */
export function queueSuite(name: string) {
  const queue = suite<QueueWorld>(name)
  queue.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
  })
  queue.before.each(async (t) => {
    t.front = await startFront(t.server.url)
  })
  queue.after.each(({ front }) => front.dispose())
  queue.after(async ({ browser, server }) => {
    await browser.close()
    await server.dispose()
  })
  return queue
}

/** What browsers log of a network that is gone and a server that fails, whatever a page does. */
export const withoutNetwork = (errors: string[]) =>
  errors.filter((text) => !/net::ERR_|Failed to fetch|Error al cargar las razas|status of 50[03]/.test(text))

/** The dogs' page, in the browser of `who`. */
export const open = (t: QueueWorld, who?: TestMember, options: BrowserContextOptions = {}) =>
  openBehind(t, '/perros', { ...options, who })

/** Fills the whole form in and sends it; waits for what a person without network is told. */
export async function addOffline(page: Page, name: string, photos = 1): Promise<void> {
  const dialog = await fill(page, name, photos)
  await submit(dialog)
  await dialog.getByText('Guardado en este dispositivo. Se enviará cuando vuelva la conexión.').waitFor()
  await dialog.waitFor({ state: 'detached' })
}
export async function fill(page: Page, name: string, photos = 1): Promise<Locator> {
  const dialog = await openAdd(page)
  await givePhotos(dialog, await smallPhotos(photos))
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
  await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
  await dialog.getByLabel('Zona').fill('Jaca')
  return dialog
}

export const panel = (page: Page) => page.getByRole('complementary', { name: 'Perros por enviar' })
export const row = (page: Page, name: string) => panel(page).getByRole('listitem').filter({ hasText: name })
export const dogsNamed = async (server: TestServer, name: string) =>
  (await call(server, '/api/dogs?limit=50')).body.dogs.filter((dog: any) => dog.name === name)
export const added = (page: Page, name: string) => page.getByText(`${name} ya está en el álbum.`).first().waitFor()
/** The adds that reached the server. */
export const posts = (front: Front) => front.asked.filter((line) => line === 'POST /api/dogs').length
/** As a phone that finds its network again: the server is there, and the browser says so. */
export async function backOnline(front: Front, ...pages: Page[]): Promise<void> {
  front.up()
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('online')))
}
