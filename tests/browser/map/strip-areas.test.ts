import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { madridSuite, openMadrid, waitForStrip } from '#tests/support/map/madrid-suite.ts'
import { callsTo, waitForCards, waitUntilAtRest } from '#tests/support/map/map-suite.ts'
import {
  chevron,
  nextDog,
  stepCards,
  STRIP_CALL,
  visibleCards,
  STRIP_DOG_COUNT,
  stripTitle,
} from '#tests/support/map/strip.ts'

const strip = madridSuite('map strip, its areas', STRIP_DOG_COUNT)

strip('the sort buttons order it, and its marks and counter stay', async (t) => {
  for (const [name, votes, weight] of [
    ['Perro 7', 9, 4],
    ['Perro 50', 8, null],
    ['Perro 31', 7, 60],
  ] as const)
    await t.server.db
      .updateTable('dogs_all')
      .set({ votes, weight, updated_at: Date.now() })
      .where('id', '=', t.dogs.get(name)!.id)
      .execute()
  const { page } = t
  await openMadrid(t)
  const asked = () => callsTo(t, STRIP_CALL)
  const sort = (name: string) => page.locator('.sorts').getByRole('link', { name }).click()
  const first = (...names: string[]) =>
    page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('.strip-card h3 a')]
          .slice(0, wanted.length)
          .map((a) => a.textContent)
          .join() === wanted.join(),
      names,
    )
  await nextDog(page).click()
  await sort('+ Likes')
  await first('Perro 7', 'Perro 50', 'Perro 31')
  assert.is(asked().at(-1)!.searchParams.get('sort'), 'votes-desc')
  assert.is(new URL(page.url()).searchParams.get('sort'), 'votes-desc')
  assert.is(await stripTitle(page).innerText(), '60 perros en esta zona')
  assert.match((await page.locator('.stats').innerText()).replace(/\s+/g, ' '), /likes máx\./)
  // It goes on in that order, each dog once.
  await stepCards(page, 30)
  await page.locator('.strip li[aria-posinset="30"]').waitFor()
  assert.ok(asked().some((url) => url.searchParams.has('cursor') && url.searchParams.get('sort') === 'votes-desc'))
  await sort('Peso')
  await first('Perro 31', 'Perro 7')
  // By weight only dogs that have one (docs/product.md §16.4); the map goes on showing all.
  assert.is(await stripTitle(page).innerText(), '2 perros en esta zona')
  assert.match(await page.locator('.map-count').innerText(), /^60\s+perros visibles$/)
  await sort('Peso')
  await first('Perro 7', 'Perro 31')
  await page.reload()
  await first('Perro 7', 'Perro 31')
  await sort('Nuevos')
  await first('Perro 0', 'Perro 1')
  assert.is(new URL(page.url()).searchParams.get('sort'), null)
})

strip('what fails says so and can be tried again, the next page too', async (t) => {
  const { page } = t
  t.expectedErrors = /Failed to load resource|503|500/
  // Else the last test's own request would fail.
  await waitForStrip(page)
  let status = 500
  const detail = 'El mapa no está disponible ahora mismo. Inténtalo dentro de un momento.'
  await page.route('**/api/map/dogs?**', (route) => {
    if (status === 200) return route.continue()
    if (status === 0) return route.abort('internetdisconnected')
    return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, detail }) })
  })
  await page.locator('.strip-card h3 a').first().focus()
  await stepCards(page, 20)
  for (let i = 0; i < 4; i++) await nextDog(page).click()
  const more = page.locator('.strip-more')
  await more.getByRole('alert').waitFor()
  assert.is(await more.getByRole('alert').innerText(), 'No se pudieron cargar los perros. Intenta de nuevo más tarde.')
  status = 200
  await more.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.strip-card h3 a', { hasText: 'Perro 24' }).waitFor()
  status = 503
  await page.getByRole('textbox', { name: 'Buscar dirección' }).fill('Lugo')
  await page.keyboard.press('Enter')
  const state = page.locator('.strip-state[role="alert"]')
  await state.waitFor()
  assert.ok((await state.innerText()).startsWith('El mapa no está disponible ahora mismo.'))
  status = 0
  await state.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.strip-state', { hasText: 'Error de red al cargar los perros.' }).waitFor()
  status = 200
  await state.getByRole('button', { name: 'Reintentar' }).click()
  await state.waitFor({ state: 'detached' })
})

strip('nobody there: a warm word, and the way to add a dog', async ({ page }) => {
  await waitForCards(page)
  assert.is(await stripTitle(page).innerText(), 'Por aquí aún no hay perros')
  assert.ok((await page.locator('.strip-state').innerText()).includes('Mueve el mapa, aléjalo un poco'))
  await page.locator('.strip-state').getByRole('link', { name: 'Añadir perro' }).waitFor()
})

strip('the old cards stay until another area’s come', async (t) => {
  const { page } = t
  const search = page.getByRole('textbox', { name: 'Buscar dirección' })
  await search.fill('Madrid')
  await page.keyboard.press('Enter')
  await page.locator('.strip-card h3 a', { hasText: 'Perro 0' }).waitFor()
  await waitForStrip(page)
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/api/map/dogs?**', async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await search.fill('Vigo')
  await page.keyboard.press('Enter')
  await page.locator('.strip ul[aria-busy="true"]').waitFor()
  assert.is((await visibleCards(page))[0], 'Perro 0')
  release()
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
  assert.is(await stripTitle(page).innerText(), '1 perro en esta zona')
  assert.equal(await visibleCards(page), ['Solo'])
})

strip('the address’s filters are its own, too', async (t) => {
  const { page } = t
  await openMadrid(t, 'lat=40.4&lon=-5&zoom=6&breed=dalmata')
  assert.equal(await visibleCards(page), ['Solo'])
  assert.is(callsTo(t, STRIP_CALL)[0]!.searchParams.get('breed'), 'dalmata')
})

strip('axe finds nothing to say', async ({ page }) => {
  await page.getByLabel('Razas').selectOption({ index: 0 })
  await page.locator('.strip-card h3 a', { hasText: 'Perro 0' }).waitFor()
  await chevron(page).click()
  await page.locator('.strip-card.tall').first().waitFor()
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    // The map gives way to it, and cards of the view before are pale until the new ones come.
    await waitUntilAtRest(page)
    await waitForCards(page)
    assert.equal(await axeFaultsInBothThemes(page, { within: '.strip' }), [])
  }
})
