import type { Page } from 'playwright'
import { storeNotification } from '#features/notifications/notifications.server.ts'
import { openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { selectStates, startTemplateWorld, walkTemplates } from '#tests/support/browser/template-walk.ts'
import { FAILURE_STATES } from '#tests/support/browser/templates.ts'
import { translatePage } from '#tests/support/browser/translation.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { dogId, pressPin, TOLEDO_PINS, waitForCards } from '#tests/support/map/map-suite.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { waitUntilHydrated } from '#tests/support/browser/requests.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Pages that the browser has translated before their scripts run, and goes on translating.
const translated = browserSuite<{ page: Page; errors: string[] }>('translated pages')

translated.before(async (t) => {
  const ana = await signInMember(t.server)
  const { db } = t.server

  await storeNotification(db, { userId: ana.id, title: 'Aviso', content: 'Hola' })
  await seed(db, member({ alias: 'Luis' }))
  for (let i = 1; i <= 30; i++)
    await seed(db, dog({ id: dogId(i), name: `Bolo ${i}`, breed: i > 18 ? 'Boxer' : 'Beagle', zone: 'Toledo' }))
  const context = await openContext(t.browser)
  await context.addInitScript(translatePage)
  await useSession(context, t.server, ana)
  t.page = await context.newPage()
  t.errors = watchErrors(t.page)
})

/** Waits until an element shows this alone. Playwright’s words know no capitals. */
const says = (page: Page, selector: string, text: string) =>
  page
    .locator(selector, { hasText: new RegExp(`^\\s*${text}\\s*$`, 'i') })
    .first()
    .waitFor({ state: 'attached' })

translated('the list pages, filters, counts and takes likes', async ({ page, server }) => {
  await page.goto(server.url)
  await waitUntilHydrated(page)
  await page.locator('a.more').click()
  await says(page, '[role=status]', '6 perros más: 30 en la lista')
  assert.is(await page.locator('.dogs > li').count(), 30)
  await page.locator('.dogs .heart').first().click()
  await says(page, '.dogs > li:first-child [data-like-count]', '1')
  await page.getByLabel('Razas').selectOption('boxer')
  await says(page, '[role=status]', '12 perros en la lista')
  await says(page, '.stats dd', '12')
  await page.getByRole('link', { name: 'Edad' }).click()
  await says(page, '[aria-current=true] .sr', 'de mayor a menor')
})

translated('comments are written, refused, deleted and counted', async ({ page, server }) => {
  await page.goto(server.url)
  await page.getByRole('link', { name: 'Bolo 2' }).first().click()
  await page.locator('#comentario-texto').click()
  await page.keyboard.type('Hola')
  await says(page, '#comentario-cuenta', '4/300')
  await page.route('**/comments', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Enviar' }).click()
  await says(page, '.talk .err', 'No se pudo conectar con el servidor.')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await says(page, '.comment .text', 'Hola')
  await says(page, '.talk h2', 'Comentarios 1')
  await says(page, '[data-comment-count]', '1 comentario')
  await page.getByRole('button', { name: 'Eliminar comentario' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await says(page, '.talk .soft', 'Todavía nadie ha comentado.')
  await says(page, '.talk h2', 'Comentarios 0')
})

translated('the form is checked, fails, saves and closes', async ({ page, server }) => {
  await page.goto(server.url)
  const dialog = await openAddForm(page)
  await submitForm(dialog)
  await says(page, '#df-images-error', 'Por favor, sube al menos una imagen del perro.')
  await attachPhotos(dialog, await smallPhotos(2))
  await dialog.getByLabel('Nombre').fill('Nube')
  await dialog.getByRole('combobox', { name: 'Raza' }).fill('mesti')
  await dialog.getByRole('option').first().click()
  await dialog.getByLabel('Zona').fill('Toledo')
  await page.getByRole('button', { name: 'Quitar foto 2' }).click()
  await says(page, '#df-photos-label', 'Fotos 1 de 10')
  const problem = { status: 500, contentType: 'application/problem+json', body: '{"detail":"Error inesperado."}' }
  await page.route('**/api/dogs', (route) => route.fulfill(problem), { times: 1 })
  await submitForm(dialog)
  await says(page, '.df-says .err', 'Error guardando el perro: Error inesperado.')
  await submitForm(dialog)
  await dialog.waitFor({ state: 'detached' })
  await says(page, '.dogs > li:first-child h3 a', 'Nube')
})

translated('the map counts, opens a popup, filters and searches', async ({ page, server }) => {
  await page.goto(`${server.url}/?view=map&${TOLEDO_PINS}`)
  await waitForCards(page)
  const name = await pressPin(page)
  await says(page, '.pop b a', name)
  await page.locator('.pop').getByRole('button', { name: 'Cerrar' }).click()
  await page.getByLabel('Buscar dirección').fill('Toledo')
  await page.waitForURL(/zoom=14/)
  await says(page, '.map-count', '31 perros visibles')
  await page.getByLabel('Razas').selectOption('boxer')
  await says(page, '.strip h2', '12 perros en esta zona')
})

translated('bell and album say what is new', async ({ page, server }) => {
  await page.goto(`${server.url}/razas`)
  await page.locator('[data-bell]').click()
  await says(page, '.np .nt b', 'Aviso, sin leer: Aviso')
  await page.getByRole('button', { name: 'Marcar todas como leídas' }).click()
  await says(page, '.np .nt b', 'Aviso: Aviso')
  await page.keyboard.press('Escape')
  await page.locator('#album-q').fill('beagle')
  await page.waitForURL(/beagle/)
  const order = page.locator('#album-order a', { hasText: 'Estado' })
  await order.click()
  await order.and(page.locator('[aria-current=true]:focus')).waitFor()
})

translated('none of these pages logs an error', ({ errors }) => {
  const ofScripts = errors.filter((text) => !text.startsWith('Failed to load resource'))
  assert.equal(ofScripts, [])
})

translated('every template’s islands take over what was translated', async () => {
  const t = await startTemplateWorld()
  const context = await openContext(t.browser)
  const wake = async (page: Page) => {
    await page.evaluate(translatePage)
    for (const island of await page.locator('astro-island[client=interaction]').all())
      await island.dispatchEvent('island:wake')
    await page.waitForFunction(() => !document.querySelector('astro-island:not([client=demand])[ssr]'))
    return []
  }
  const states = selectStates(t, (state) => !FAILURE_STATES.includes(state))
  assert.equal(await walkTemplates(t, context, states, { wake }), [])
  await t.dispose()
})
