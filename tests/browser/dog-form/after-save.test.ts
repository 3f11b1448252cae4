import type { Page } from 'playwright'
import { DESKTOP, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, openEditForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  page: Page
  errors: string[]
}

// After a save the page one is on shows it, without being loaded again (docs/product.md §11.5).
const saved = browserSuite<Shared>('what a page shows after a dog was saved on it', { ADMIN_EMAIL: 'ana@ejemplo.es' })

saved.before(async (t) => {
  t.page = await (await openContext(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })).newPage()
  t.errors = watchErrors(t.page)
})

/** Opens a page and marks it: what is loaded again has no mark. */
async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.evaluate(() => Object.assign(window, { stayed: true }))
}

async function add(page: Page, name: string, breed: string): Promise<void> {
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByRole('combobox', { name: 'Raza' }).fill(breed)
  await dialog.getByRole('option', { name: breed, exact: true }).click()
  await dialog.getByLabel('Zona').fill('Getafe, Madrid')
  await submitForm(dialog)
  await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

const tally = (page: Page) => page.locator('.side .tally dd').allTextContents()
const stayed = (page: Page) => page.evaluate(() => 'stayed' in window)
/** Waits for what a page says, and says it where it does not. */
const waitForText = (page: Page, selector: string, text: string | RegExp) =>
  page.locator('main').locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 15_000 })

saved(
  'a member’s first dog appears on their profile without a reload, an edit too, and the next on a phone',
  async (t) => {
    const { page, errors } = t
    await useSession(page.context(), t.server, await signInMember(t.server, 'nueva@ejemplo.es'))
    await visit(page, `${t.server.url}/perfil`)
    assert.is(await page.getByText('Todavía no has subido ningún perro').count(), 1)
    const addAndCheck = async (at: number, breed: string) => {
      await add(page, `Nube${at}`, breed)
      await waitForText(page, '.dogs h3', `Nube${at}`)
      assert.is(await page.getByText('Todavía no has subido ningún perro').count(), 0)
      const counters = await page.locator('.carnet .counters dd').allTextContents()
      assert.match(counters.join(' '), new RegExp(`^${at + 1} ${at + 1}/\\d+ 0$`))
      assert.is(await page.locator('.carnet .badge').innerText(), 'Dueño')
      assert.match(await page.locator('.tabs a').first().innerText(), new RegExp(`Perros\\s+${at + 1}`))
      assert.equal((await tally(page)).slice(0, 2), [`${at + 1}`, `${at + 1}`])
      assert.ok(await stayed(page))
    }
    await addAndCheck(0, 'Beagle')

    const id = await page.locator('.dogs [data-dog]').first().getAttribute('data-dog')
    const dialog = await openEditForm(page, id!)
    await dialog.getByLabel('Nombre').fill('Toby')
    await submitForm(dialog)
    await dialog.waitFor({ state: 'detached' })
    await waitForText(page, '.dogs h3', 'Toby')
    assert.is(await page.locator('.dogs h3', { hasText: 'Nube0' }).count(), 0)

    await page.setViewportSize(PHONE.viewport)
    await addAndCheck(1, 'Galgo español')
    await page.setViewportSize(DESKTOP.viewport)
    assert.equal(errors, [])
  },
)

saved('a new dog appears on every page from which the form opens', async (t) => {
  const ana = await signInMember(t.server, 'ana@ejemplo.es')
  // Each with a breed of its own, and where its dog, or what it counts, is seen.
  const PAGES: [path: string, breed: string, selector: string, text: (n: number, name: string) => string | RegExp][] = [
    ['/perros', 'Beagle', 'h3', (_, name) => name],
    [`/usuario/${ana.id}`, 'Bóxer', '.dogs h3', (_, name) => name],
    ['/perfil?tab=razas', 'Azawakh', '#album-found', () => /Azawakh/],
    ['/razas?orden=estado', 'Dálmata', '#album-found', () => /Dálmata/],
    ['/?tab=mine', 'Kuvasz', 'dl.mine', (n) => new RegExp(`Razas\\s*${n}/`)],
    ['/razas/mastin-espanol', 'Mastín español', '#perros h3', (_, name) => name],
    ['/comunidad', 'Whippet', '.ranking .own', (n) => new RegExp(`\\b${n}\\b`)],
    ['/buscar?q=Saluki', 'Saluki', '.hits', (_, name) => name],
    ['/admin?tab=perros', 'Samoyedo', '[data-refresh=filas]', (_, name) => name],
    ['/terminos', 'Mestizo', 'h1', () => /./],
  ]
  const { page, errors } = t
  await useSession(page.context(), t.server, ana)
  for (const [at, [path, breed, selector, text]] of PAGES.entries()) {
    await visit(page, t.server.url + path)
    const name = path.startsWith('/buscar') ? 'Saluki de Ana' : `Luna ${'abcdefghijkl'[at]}`
    try {
      await add(page, name, breed)
      await waitForText(page, selector, text(at + 1, name))
      await page.waitForFunction(
        (dogs) => document.querySelector('.side .tally dd')?.textContent === dogs,
        String(at + 1),
        { timeout: 15_000 },
      )
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
    }
    assert.ok(await stayed(page), path)
    assert.equal(errors, [], path)
  }
})
