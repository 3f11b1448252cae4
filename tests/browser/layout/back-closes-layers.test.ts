import type { BrowserContext, Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { openContext, PHONE } from '#tests/support/browser/chromium.ts'
import { openAddForm } from '#tests/support/dogs/dog-form.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const back = browserSuite<{ context: BrowserContext; page: Page; toby: Dog }>('Back over layers')
back.before(async (t) => {
  t.toby = (await seed(t.server.db, dog({ name: 'Toby', breed: 'Beagle' })))[0]
})
back.before.each(async (t) => {
  t.context = await openContext(t.browser, PHONE)
  t.page = await t.context.newPage()
  await t.page.goto(`${t.server.url}/comunidad`)
  await t.page.goto(t.server.url + t.toby.path)
})
back.after.each((t) => t.context.close())

back('the lightbox closes at Back, and once more Back leaves the page', async ({ page, server, toby }) => {
  const lightbox = page.getByRole('dialog', { name: 'Fotos a pantalla completa' })
  await page.getByRole('button', { name: 'Ver a pantalla completa' }).tap()
  await lightbox.waitFor()
  await page.goBack()
  await lightbox.waitFor({ state: 'detached' })
  assert.is(page.url(), server.url + toby.path)
  await page.goBack()
  assert.is(page.url(), `${server.url}/comunidad`)
})

back('a layer that was closed otherwise costs no press', async ({ page, server }) => {
  const dialog = await openAddForm(page)
  await dialog.getByRole('button', { name: 'Cerrar' }).tap()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack().catch(() => {})
  await page.waitForURL(`${server.url}/comunidad`)
})

back('the top one closes first, the form keeps its draft, and asks where the device keeps none', async ({ page }) => {
  const dialog = await openAddForm(page)
  await dialog.getByLabel('Nombre').fill('Luna')
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await openAddForm(page)
  await dialog.getByText('Borrador recuperado').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Luna')

  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await dialog.getByLabel('Nombre').fill('Lunares')
  await page.goBack()
  await dialog.getByText('No se ha podido guardar el borrador: si cierras ahora, pierdes lo que has escrito.').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Lunares')
})

back('a menu closes at Back, too', async ({ page, server, toby }) => {
  await page.locator('h1').first().tap()
  await page.locator('#side').evaluate((side: HTMLElement) => side.showPopover())
  await page.locator('#side').getByRole('link', { name: 'Comunidad' }).waitFor()
  await page.goBack()
  await page.locator('#side').waitFor({ state: 'hidden' })
  assert.is(page.url(), server.url + toby.path)
})
