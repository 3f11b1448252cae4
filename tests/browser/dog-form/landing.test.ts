import type { Browser, BrowserContext, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { DESKTOP, openContext, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, dogForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// The sticker of a member's new dog lands once (docs/product.md §11.8).
const landings = browserSuite('the landing of a new sticker')

const openForm = (page: Page) => page.locator('[data-add-dog]:visible').first().click()

async function addDog(page: Page, breed: string, role?: string): Promise<void> {
  const dialog = dogForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Nombre').fill('Nube')
  await dialog.getByRole('combobox', { name: 'Raza' }).fill(breed)
  await dialog.getByRole('option', { name: breed, exact: true }).click()
  if ((await dialog.getByLabel('Zona').inputValue()) === '') await dialog.getByLabel('Zona').fill('Getafe, Madrid')
  if (role) await dialog.getByText(role).first().click()
  await submitForm(dialog)
  await page.locator('dialog.landing').waitFor()
}

async function openMember(t: { server: TestServer; browser: Browser }, email: string, options: object) {
  const context: BrowserContext = await openContext(t.browser, options)
  const page = await context.newPage()
  await useSession(context, t.server, await signInMember(t.server, email))
  await page.goto(`${t.server.url}/perfil`)
  return { context, page, errors: watchErrors(page) }
}

for (const reducedMotion of ['reduce', 'no-preference'] as const)
  landings(`a sticker lands once with motion «${reducedMotion}», and the next keeps the zone only`, async (t) => {
    const { context, page, errors } = await openMember(t, `${reducedMotion}@ejemplo.es`, { ...DESKTOP, reducedMotion })
    assert.is(await page.getByRole('heading', { name: 'Pega tu primer perro' }).count(), 1)
    await openForm(page)
    await addDog(page, 'Beagle')
    const landing = page.getByRole('dialog', { name: 'Nube' })
    assert.match(await landing.innerText(), /Beagle, 1 de \d+/)
    const animation = await landing.locator('.sticker').evaluate((sticker) => getComputedStyle(sticker).animationName)
    assert.is(animation, reducedMotion === 'reduce' ? 'none' : 'landing')
    await page.getByRole('heading', { name: 'Pega tu primer perro' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dogForm(page).locator('form').waitFor()
    assert.is(await landing.count(), 0)
    assert.is(await dogForm(page).getByLabel('Zona').inputValue(), 'Getafe, Madrid')
    assert.is(await dogForm(page).getByLabel('Nombre').inputValue(), '')
    await addDog(page, 'Bóxer', 'Descubridor')
    await landing.getByRole('button', { name: 'Otro perro de este paseo' }).click()
    assert.ok(await dogForm(page).getByRole('radio', { name: 'Descubridor' }).isChecked())
    await addDog(page, 'Dálmata')
    await page.goBack()
    await landing.waitFor({ state: 'detached' })
    assert.is(new URL(page.url()).pathname, '/perfil')
    await page.reload()
    await page.locator('.carnet').waitFor()
    assert.is(await page.locator('dialog.landing').count(), 0)
    assert.equal(errors, [])
    await context.close()
  })

landings(
  'sharing hands over the picture, is silent when cancelled, and leads to WhatsApp without a sheet',
  async (t) => {
    const { context, page, errors } = await openMember(t, 'comparte@ejemplo.es', { ...PHONE, reducedMotion: 'reduce' })
    await page.evaluate(() => {
      const shared: ShareData[] = []
      Object.assign(window, { shared })
      Object.assign(navigator, {
        canShare: () => true,
        share: (data: ShareData) => {
          shared.push(data)
          return Promise.reject(new DOMException('cancelled', 'AbortError'))
        },
      })
    })
    await openForm(page)
    await addDog(page, 'Galgo español')
    const landing = page.locator('dialog.landing')
    const isFetched = ({ dataset }: HTMLElement) =>
      performance.getEntriesByName(new URL(dataset.sharePicture!, location.href).href).length > 0
    await waitUntilTrue('the picture', () => landing.locator('[data-share-picture]').evaluate(isFetched))
    await landing.getByRole('link', { name: 'Compartir' }).click()
    await page.waitForFunction(() => (window as unknown as { shared: unknown[] }).shared.length === 1)
    const file = await page.evaluate(
      () => (window as unknown as { shared: { files?: File[] }[] }).shared[0]!.files?.[0]?.name,
    )
    assert.is(file, 'nube-galgo-espanol-perrario.jpg')
    assert.is(context.pages().length, 1)
    const href = await landing.getByRole('link', { name: 'Compartir' }).getAttribute('href')
    assert.match(href!, /^https:\/\/wa\.me\/\?text=Nube.*galgo-espanol/)
    await landing.getByRole('link', { name: 'Ver ficha' }).click()
    await page.waitForURL(/\/galgo-espanol\/nube/)
    assert.equal(errors, [])
    await context.close()
  },
)

landings('a sticker lands in each of two tabs that save at once', async (t) => {
  const { context, page } = await openMember(t, 'dos@ejemplo.es', { ...DESKTOP, reducedMotion: 'reduce' })
  const other = await context.newPage()
  await other.goto(page.url())
  for (const tab of [page, other]) await openForm(tab)
  await Promise.all([addDog(page, 'Beagle'), addDog(other, 'Bóxer')])
  assert.match(await page.locator('dialog.landing').innerText(), /Beagle, [12] de \d+/)
  assert.match(await other.locator('dialog.landing').innerText(), /Bóxer, [12] de \d+/)
  for (const { viewport } of [DESKTOP, { viewport: { width: 320, height: 568 } }]) {
    await page.setViewportSize(viewport)
    assert.equal(await axeFaultsInBothThemes(page, { within: 'dialog.landing' }), [])
    assert.is(await page.locator('dialog.landing').evaluate((landing) => landing.scrollWidth - landing.clientWidth), 0)
  }
  await context.close()
})
