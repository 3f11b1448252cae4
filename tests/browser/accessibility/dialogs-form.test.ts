import type { BrowserContext, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { STEP_TIMEOUT_MS, walkDialogs } from '#tests/support/browser/dialog-walk.ts'
import { dogForm, attachPhotos, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { browserSuite } from '#tests/support/suites.ts'

// What opens inside the dog's form, by keyboard alone: the photos' view, the lists of breeds and of places, the question
// before something is lost.
const inside = browserSuite<{ context: BrowserContext; page: Page }>('dialogs, the form’s')

inside.before(async (t) => {
  t.context = await openContext(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })
  t.context.setDefaultTimeout(STEP_TIMEOUT_MS)
  t.page = await t.context.newPage()
})
inside.before.each(async ({ server, context, page }) => {
  // No test has a draft of the one before it.
  await page.goto('about:blank')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'all' })
  await page.goto(server.url)
})

const withPhotos = async (page: Page) => attachPhotos(await openAddForm(page), await smallPhotos(3))

inside('a photo, big, over the form', async ({ server, page }) => {
  const opener = 'button[aria-label="Ver foto 2"]'
  const walks = [{ path: '/', way: withPhotos, opener, name: 'Foto 2 de 3' }]
  assert.equal(await walkDialogs(page, server.url, walks), [])
})

/** What the list's field says of itself. */
const combobox = (page: Page, id: string) =>
  page.locator(id).evaluate((field) => {
    const active = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
    const list = document.getElementById(field.getAttribute('aria-controls')!)
    return {
      open: field.ariaExpanded,
      focused: field === document.activeElement,
      list: list?.ariaLabel,
      role: active?.role ?? null,
      chosen: active?.ariaSelected ?? null,
    }
  })

for (const [id, typed, list] of [
  ['#df-breed', 'gal', 'Razas'],
  ['#df-zone', 'tor', 'Municipios y barrios'],
] as const)
  inside(`the list of «${list}»`, async ({ page }) => {
    await openAddForm(page)
    await page.locator(id).focus()
    await page.keyboard.type(typed)
    await page.getByRole('listbox', { name: list }).waitFor()
    const said = dogForm(page)
      .getByRole('status')
      .filter({ hasText: /\d (razas? encontradas?|lugar(es)? propuestos?)$/ })
    await said.waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowDown')
    const open = { open: 'true', focused: true, list, role: 'option', chosen: 'true' }
    assert.equal(await combobox(page, id), open)
    assert.equal(await axeFaultsInBothThemes(page), [])
    for (const size of [
      { width: 320, height: 568 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(size)
      await page.keyboard.press('ArrowDown')
      const isSeen = () => {
        const active = document.activeElement!.getAttribute('aria-activedescendant')!
        const option = document.getElementById(active)!
        const { left, right, top, bottom } = option.getBoundingClientRect()
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return left >= 0 && right <= innerWidth && option.contains(hit)
      }
      await page.waitForFunction(isSeen)
    }
    await page.setViewportSize(DESKTOP.viewport)
    // Escape is the list's first, the form's then.
    await page.keyboard.press('Escape')
    assert.equal(await combobox(page, id), { ...open, open: 'false', role: null, chosen: null })
    assert.ok(await dogForm(page).isVisible())
    await page.keyboard.press('ArrowDown')
    if (id === '#df-zone') await page.keyboard.type('r')
    await page.getByRole('listbox', { name: list }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.is((await combobox(page, id)).open, 'false')
    assert.ok((await page.locator(id).inputValue()).length > 4)
    await page.keyboard.press('Escape')
    await dogForm(page).waitFor({ state: 'hidden' })
  })

inside('what is asked before something is lost has the focus on what loses nothing', async ({ page }) => {
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  const dialog = await openAddForm(page)
  await dialog.locator('#df-name').fill('Lola')
  await dialog.getByRole('button', { name: 'Cancelar' }).press('Enter')
  const stay = dialog.getByRole('button', { name: 'Seguir editando' })
  await stay.and(page.locator(':focus')).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Cancelar' }).and(page.locator(':focus')).waitFor()
  assert.is(await dialog.locator('#df-name').inputValue(), 'Lola')
})

inside('what is wrong is said where it is, and the first of it has the focus', async ({ page }) => {
  const dialog = await openAddForm(page)
  await dialog.getByLabel('Peso').fill('-12')
  await dialog.getByLabel('Zona').fill('Madrid!')
  await dialog.getByRole('button', { name: 'Añadir perro' }).press('Enter')
  await page.waitForFunction(() => document.activeElement?.id === 'df-images')
  const described = await dialog.locator('#df-images, [aria-invalid=true]').evaluateAll((fields) =>
    fields.map((field) => {
      const ids = field.getAttribute('aria-describedby')!.split(' ')
      return `${field.id}: ${ids.map((id) => document.getElementById(id)?.textContent).join(' ')}`
    }),
  )
  assert.equal(described, [
    'df-images: Por favor, sube al menos una imagen del perro.',
    'df-weight: Hasta 250 kg, con un decimal El peso debe ser un número positivo.',
    'df-zone: Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.',
  ])
  assert.equal(await axeFaultsInBothThemes(page), [])
})
