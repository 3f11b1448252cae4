import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endAllSessions } from '#features/auth/sessions/sessions.server.ts'
import { DESKTOP, launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface Shared {
  server: TestServer
  browser: Browser
}

// A session that ends while the form is open (docs/product.md §11.5): the dog never becomes a visitor's.
const ended = suite<Shared>('a session that ends under the form')

ended.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
})
ended.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

const dogsNamed = (server: TestServer, name: string) =>
  withDatabase(server, (db) => db.selectFrom('dogs').select(['owner_id']).where('name', '=', name).execute())

ended(
  'the form keeps everything, says so at every press, and sends it once they are back',
  async ({ server, browser }) => {
    const ana = await signInMember(server, 'ana@ejemplo.es')
    const context = await openContext(browser, DESKTOP)
    await useSession(context, server, ana)
    const page = await context.newPage()
    await page.goto(`${server.url}/perros`)
    const dialog = await openAddForm(page)
    await attachPhotos(dialog, await smallPhotos(1))
    await dialog.getByLabel('Nombre').fill('Trueno')
    await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
    await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
    await withDatabase(server, (db) => endAllSessions(db, ana.id))
    // The first answer takes the dead cookie away; the second press is sent without any.
    for (const _ of ['with the dead cookie', 'without a cookie']) {
      await submitForm(dialog)
      await dialog.getByText('Error: Usuario no autenticado').waitFor()
      await dialog.getByText('Tu sesión ha terminado.').waitFor()
      assert.equal(await dogsNamed(server, 'Trueno'), [])
      assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Trueno')
      assert.is(await dialog.locator('.df-gallery .df-tile img').count(), 1)
    }
    // In another tab.
    await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
    await submitForm(dialog)
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await dogsNamed(server, 'Trueno'), [{ owner_id: ana.id }])
    await context.close()
  },
)

ended.run()
