import type { BrowserContextOptions, Page } from 'playwright'
import { aliasKey } from '#features/profiles/profiles.ts'
import { openContext } from '#tests/support/browser/chromium.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

export interface EditWorld extends BrowserWorld {
  ana: TestMember
  /** Ana's profile, which tests that save nothing hand on to each other. */
  shared?: Page
}

/** A suite over one server with Ana, who edits her profile, and Luis. */
export function editSuite(name: string) {
  const edit = browserSuite<EditWorld>(name)
  edit.before(async (t) => {
    t.ana = await signInMember(t.server, 'ana@ejemplo.es')
    const luis = await signInMember(t.server, 'luis@ejemplo.es')
    await setProfile(t.server, luis.id, 'Luis', '🐱')
  })
  edit.before.each(({ server, ana }) => setProfile(server, ana.id, 'Ana', '🐶'))
  return edit
}

const setProfile = (server: TestServer, id: string, alias: string, emoji: string) =>
  server.db
    .updateTable('profiles_all')
    .set({ alias, alias_key: aliasKey(alias), emoji })
    .where('id', '=', id)
    .execute()
    .then(() => {})

export const visitProfile = async (t: EditWorld, options?: BrowserContextOptions): Promise<Page> =>
  (await visit(t, '/perfil', options, t.ana)).page

/** The editor, opened on the profile as the last of these tests left it: nothing was saved there. */
export async function openSharedEditor(t: EditWorld): Promise<Page> {
  if (!t.shared) {
    const context = await openContext(t.browser)
    await useSession(context, t.server, t.ana)
    t.shared = await context.newPage()
    await t.shared.goto(`${t.server.url}/perfil`)
  }
  const page = t.shared
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
