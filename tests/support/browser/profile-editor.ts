import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import { aliasKey } from '#features/profiles/profiles.ts'
import { DESKTOP, launchBrowser } from '#tests/support/browser/chromium.ts'
import { type PooledPage, takePage } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

export interface EditWorld {
  server: TestServer
  browser: Browser
  ana: TestMember
  /** What a test has opened. */
  taken: PooledPage[]
  /** Ana's profile, which tests that save nothing hand on to each other. */
  shared?: PooledPage
}

/** A suite over one server with Ana, who edits her profile, and Luis. */
export function editSuite(name: string) {
  const edit = suite<EditWorld>(name)
  edit.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
    t.taken = []
    t.ana = await signInMember(t.server, 'ana@ejemplo.es')
    const luis = await signInMember(t.server, 'luis@ejemplo.es')
    await setProfile(t.server, luis.id, 'Luis', '🐱')
  })
  edit.after(async ({ server, browser }) => {
    await browser.close()
    await server.dispose()
  })
  edit.before.each(({ server, ana }) => setProfile(server, ana.id, 'Ana', '🐶'))
  edit.after.each(async ({ taken }) => {
    for (const each of taken.splice(0)) await each.release()
  })
  return edit
}

const setProfile = (server: TestServer, id: string, alias: string, emoji: string) =>
  withDatabase(server, (db) =>
    db
      .updateTable('profiles_all')
      .set({ alias, alias_key: aliasKey(alias), emoji })
      .where('id', '=', id)
      .execute()
      .then(() => {}),
  )

export async function visitProfile(t: EditWorld, options: BrowserContextOptions = DESKTOP): Promise<Page> {
  const taken = await openProfile(t, options)
  t.taken.push(taken)
  return taken.page
}

async function openProfile(t: EditWorld, options: BrowserContextOptions): Promise<PooledPage> {
  const taken = await takePage(t.browser, options)
  await useSession(taken.context, t.server, t.ana)
  await taken.page.goto(`${t.server.url}/perfil`)
  return taken
}

/** The editor, opened on the profile as the last of these tests left it: nothing was saved there. */
export async function openSharedEditor(t: EditWorld): Promise<Page> {
  t.shared ??= await openProfile(t, DESKTOP)
  const { page } = t.shared
  if (await modal(page).isVisible()) await modal(page).getByRole('button', { name: 'Cancelar' }).click()
  await openEditor(page)
  return page
}
export const modal = (page: Page) => page.getByRole('dialog', { name: 'Editar perfil' })
export const picker = (page: Page) => page.getByRole('dialog', { name: 'Elige un emoji' })
export const alias = (page: Page) => modal(page).getByLabel('Alias')
export const messageLine = (page: Page) => modal(page).locator('[data-status]')
export const shownEmoji = (page: Page) => modal(page).locator('[data-emoji-shown]').innerText()

export async function openEditor(page: Page): Promise<void> {
  await page.getByLabel('Opciones').click()
  await page.getByRole('link', { name: 'Editar perfil' }).click()
  await modal(page).waitFor()
}
export const waitForMessage = (page: Page, text: string) => messageLine(page).getByText(text, { exact: true }).waitFor()
