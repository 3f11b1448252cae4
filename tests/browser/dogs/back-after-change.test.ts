import type { Browser, BrowserContext, Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { launchBrowser, launchWithBackForwardCache, openContext } from '#tests/support/browser/chromium.ts'
import { dogForm, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Ana changes something and presses Back. Each journey runs with the back/forward cache and without, where the browser takes
// the page from its HTTP cache. No route is intercepted: that would switch the HTTP cache off.

interface Context {
  server: TestServer
  browser: Browser
  ana: TestMember
  context: BrowserContext
  page: Page
  toby: Dog
  /** When the first page's dogs were added, one a second before. */
  from: number
}

const fromBackForwardCache = suite<Context>('Back, with the back/forward cache')
const fromHttpCache = suite<Context>('Back, without the back/forward cache')
addJourneys(fromBackForwardCache, launchWithBackForwardCache)
addJourneys(fromHttpCache, launchBrowser)

function addJourneys(back: typeof fromHttpCache, launch: () => Promise<Browser>): void {
  back.before(async (t) => {
    t.server = await startServer()
    t.browser = await launch()
    t.ana = await signInMember(t.server, 'ana@ejemplo.es')
    t.from = Date.now()
    for (let i = 1; i <= 40; i++) await seed(t.server.db, dog({ owner_id: null, created_at: t.from - i * 1000 }))
  })
  back.after(async (t) => {
    await t.browser.close()
    await t.server.dispose()
  })
  back.before.each(async (t) => {
    // The last one of the list's first page.
    const fields = { name: 'Toby', owner_id: t.ana.id, created_at: t.from - 23_500 }
    t.toby = (await seed(t.server.db, dog(fields)))[0]
    t.context = await openContext(t.browser)
    await useSession(t.context, t.server, t.ana)
    t.page = await t.context.newPage()
  })
  back.after.each(async (t) => {
    await t.context.close()
    await t.server.db.deleteFrom('dogs_all').where('owner_id', '=', t.ana.id).execute()
  })

  const card = (page: Page, { id }: Dog) => page.locator(`main [data-dog="${id}"]`)
  const entryIndex = (page: Page) => page.evaluate(() => navigation.currentEntry!.index)
  /** @returns where the list was left */
  const openFromList = async ({ page, server, toby }: Context, { isExtended = false } = {}) => {
    await page.goto(`${server.url}/perros`)
    await page.waitForSelector('main astro-island:not([ssr])', { state: 'attached' })
    if (isExtended) {
      await page.getByRole('link', { name: 'Ver más' }).click()
      await page.locator('.dogs > li').nth(24).waitFor()
    }
    await card(page, toby).locator('h3 a').scrollIntoViewIfNeeded()
    const y = await page.evaluate(() => scrollY)
    await card(page, toby).locator('h3 a').click()
    await page.waitForURL(server.url + toby.path)
    return y
  }

  back('a deleted dog is gone from every page before', async (t) => {
    const { page, server, toby } = t
    await page.goto(`${server.url}/perfil`)
    await card(page, toby).locator('h3 a').click()
    await page.getByRole('link', { name: 'Eliminar', exact: true }).click()
    await page.getByRole('link', { name: 'Cancelar' }).click()
    await page.waitForURL(server.url + toby.path)
    await page.getByRole('link', { name: 'Eliminar', exact: true }).click()
    await page.getByRole('button', { name: 'Eliminar a Toby' }).click()
    await page.getByText('El perro ya no está en el álbum.').waitFor()
    assert.is(new URL(page.url()).pathname, '/perfil')
    for (let i = 0; i < 4; i++) {
      await page.goBack()
      await page.getByRole('heading', { name: 'Perro no encontrado' }).waitFor()
    }
    await page.goBack()
    await page.waitForURL(`${server.url}/perfil`)
    await card(page, toby).waitFor({ state: 'detached' })
  })

  back('the list shows an edited dog as it is now', async (t) => {
    const { page, server, toby } = t
    await openFromList(t, { isExtended: true })
    await submitEdit(page, toby.id)
    await page.waitForURL(`${server.url}/beagle/tobias`)
    await page.getByRole('heading', { name: 'Tobías', level: 1 }).waitFor()
    await page.goBack()
    await page.waitForURL(`${server.url}/perros`)
    await card(page, toby).getByRole('link', { name: 'Tobías' }).waitFor()
    // The island would put these in the place of what the server has just rendered.
    assert.equal(await page.evaluate(() => JSON.parse(sessionStorage.getItem('perrario.cards')!).dogs), [])
  })

  back('the list shows a like that was given on the dog’s page', async (t) => {
    const { page, server, toby } = t
    await openFromList(t)
    const liked = page.waitForResponse((response) => response.url().endsWith('/like'))
    await page.locator(`.dog-page [data-like="${toby.id}"]`).click()
    await liked
    await page.goBack()
    await page.waitForURL(`${server.url}/perros`)
    await card(page, toby).locator('[data-like][aria-pressed=true]', { hasText: '1' }).waitFor()
  })

  back('«Volver» goes back to the list, where it was left', async (t) => {
    const { page, server } = t
    await page.goto(`${server.url}/perros`)
    const index = await entryIndex(page)
    const y = await openFromList(t)
    assert.ok(y > 300, `${y}`)
    const listIndex = (await entryIndex(page)) - 1
    await page.locator('.top [data-back]').click()
    await page.waitForURL(`${server.url}/perros`)
    assert.is(await entryIndex(page), listIndex)
    assert.ok(listIndex >= index)
    await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 5, y)
  })

  back('«Volver» goes back to where the list was left below its first page', async (t) => {
    const y = await openBelowFirstPage(t)
    await t.page.locator('.top [data-back]').click()
    await t.page.waitForURL(`${t.server.url}/perros`)
    await t.page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 5, y)
  })

  back('«Volver» is a plain link after any other page', async (t) => {
    const { page, server, toby } = t
    await page.goto(`${server.url}/comunidad`)
    await page.goto(server.url + toby.path)
    const index = await entryIndex(page)
    await page.locator('.top [data-back]').click()
    await page.waitForURL(`${server.url}/`)
    assert.is(await entryIndex(page), index + 1)
  })
}

/** Opens the list's last dog, after «Ver más». @returns where the list was left: its first page ends above */
async function openBelowFirstPage({ page, server }: Context): Promise<number> {
  await page.goto(`${server.url}/perros`)
  await page.waitForSelector('main astro-island:not([ssr])', { state: 'attached' })
  const firstPageEnd = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  await page.getByRole('link', { name: 'Ver más' }).click()
  const last = page.locator('.dogs > li').nth(40).locator('h3 a')
  await last.scrollIntoViewIfNeeded()
  const y = await page.evaluate(() => scrollY)
  assert.ok(y > firstPageEnd, `${y}`)
  await last.click()
  await page.waitForURL((url) => url.pathname.startsWith('/beagle/'))
  return y
}

async function submitEdit(page: Page, id: string): Promise<void> {
  await page.locator(`[data-edit-dog="${id}"]`).click()
  const dialog = dogForm(page)
  await dialog.getByLabel('Nombre').fill('Tobías')
  await submitForm(dialog)
}
