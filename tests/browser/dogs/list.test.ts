import type { Page, Route } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { assert, pageSuite } from '#tests/support/suites.ts'

const list = pageSuite('list')

list.before(async (t) => {
  const now = Date.now()
  await seed(t.server.db, member({ alias: 'Ana' }))
  for (let i = 0; i < 30; i++) {
    const breed = i % 3 ? 'Beagle' : 'Galgo español'
    const fields = {
      name: `Perro ${i}`,
      breed,
      weight: 5 + i,
      age: 1 + (i % 14),
      size: 'mediano',
      zone: 'Madrid',
    } as const
    await seed(t.server.db, dog({ ...fields, created_at: now - i * 1000, owner_id: null, photos: 1 + (i % 3) }))
  }
})
list.before.each(async (t) => {
  await t.context.route('**/_ipx/**', withoutPhotoFiles)
})
list.after.each(({ errors }) => assert.equal(errors, []))

/** The seeded rows have no files; a lost photo falls back by itself and is not what these tests are about. */
const withoutPhotoFiles = (route: Route) =>
  route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' })
const names = (page: Page) => page.locator('.dogs .dog-card h3 a').allInnerTexts()
const ready = (page: Page) => page.waitForSelector('main astro-island:not([ssr])', { state: 'attached' })
const shown = (page: Page, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll('.dogs > li').length === wanted, count)

list('reads and pages without script', async ({ browser, server }) => {
  const { page } = await visit({ server, browser }, '/perros', { javaScriptEnabled: false })
  assert.is((await names(page)).length, 24)
  await page.getByRole('link', { name: 'Peso' }).click()
  assert.is((await names(page))[0], 'Perro 29')
  await page.getByRole('link', { name: 'Ver más' }).click()
  assert.is((await names(page)).length, 6)
})

list('filters, sorts and goes back, with the address telling', async ({ page, server }) => {
  await page.goto(server.url)
  await ready(page)
  assert.is((await names(page))[0], 'Perro 0')
  await page.getByLabel('Razas').selectOption('galgo-espanol')
  await shown(page, 10)
  assert.is(new URL(page.url()).search, '?breed=galgo-espanol')
  const stats = (await page.locator('.stats').innerText()).replace(/\s+/g, ' ')
  assert.match(stats, /perros 30 .*Galgo español 10 .*del total 33 %|30 perros .*10 Galgo español .*33 % del total/)
  await page.getByRole('link', { name: 'Edad' }).click()
  await page.waitForURL('**/?breed=galgo-espanol&sort=age-desc')
  await page.getByRole('link', { name: /Edad/ }).click()
  await page.waitForURL('**/?breed=galgo-espanol&sort=age-asc')
  for (let i = 0; i < 3; i++) await page.goBack()
  await shown(page, 24)
  assert.is(new URL(page.url()).search, '')
  // On a phone: two columns, nothing wider than the screen.
  await page.setViewportSize(PHONE.viewport)
  assert.ok(await fitsWidth(page))
  const tops = await page
    .locator('.dogs > li')
    .evaluateAll((all) => all.slice(0, 3).map((li) => Math.round(li.getBoundingClientRect().top)))
  assert.is(tops[0], tops[1])
  assert.ok(tops[2]! > tops[0]!)
})

list('a filter chosen before the list’s script has come is applied once it has', async ({ page, server }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/_astro/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(server.url, { waitUntil: 'commit' })
  await page.getByLabel('Razas').selectOption('galgo-espanol')
  release()
  await page.waitForURL('**/?breed=galgo-espanol')
  await shown(page, 10)
})

list('«Ver más» brings the rest, and coming back finds the place', async ({ page, server }) => {
  await page.goto(`${server.url}/perros`)
  await ready(page)
  await page.getByRole('link', { name: 'Ver más' }).click()
  await shown(page, 30)
  assert.is(await page.getByRole('link', { name: 'Ver más' }).count(), 0)
  const last = page.locator('h3 a', { hasText: /^Perro 29$/ })
  await last.scrollIntoViewIfNeeded()
  const y = await page.evaluate(() => scrollY)
  assert.ok(y > 500)
  await last.click()
  await page.waitForURL('**/beagle/perro-29')
  await page.goto(`${server.url}/perros`)
  await shown(page, 30)
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 120, y)
})

list('a server that fails and a network that is gone are told apart', async ({ page, server, errors }) => {
  await page.goto(`${server.url}/perros`)
  await ready(page)
  const problem = { status: 500, contentType: 'application/problem+json', body: '{}' }
  await page.route('**/api/dogs**', (route) => route.fulfill(problem))
  await page.getByRole('link', { name: '+ Likes' }).click()
  await page.getByText('No se pudieron cargar los perros. Intenta de nuevo más tarde.').waitFor()
  await page.getByText('Error al cargar perros').waitFor()
  await page.getByText('Error desconocido').waitFor()
  await page.unroute('**/api/dogs**')
  await page.route('**/api/dogs**', (route) => route.abort())
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.getByText('Error de red al cargar los perros.').waitFor()
  await page.getByText('No se pudo conectar con el servidor.').waitFor()
  await page.unroute('**/api/dogs**')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.waitForSelector('.dogs > li')
  assert.is(await page.locator('.toast:not([data-leaving])').count(), 0, 'the error goes with the list it is about')
  errors.splice(0, errors.length, ...errors.filter((e) => !e.includes('Failed to load resource')))
})

list('a filtered list without a match says so', async ({ page, server }) => {
  await page.goto(`${server.url}/perros?breed=caniche`)
  await ready(page)
  await page.getByText('Ningún perro con estos filtros').waitFor()
  assert.is(await page.getByText('No hay perros registrados aún.').count(), 0)
  for (const query of ['size=gigante&breed=caniche', 'breed=caniche&sort=weight-desc']) {
    const { body } = await call(server, `/perros?${query}`)
    assert.match(body, 'Ningún perro con estos filtros')
    assert.not.match(body, 'No hay perros registrados aún.')
  }
})

list('axe finds nothing; the map view keeps the filters and counts what is visible', async ({ page, server }) => {
  await page.goto(`${server.url}/perros?breed=beagle`)
  await ready(page)
  assert.equal(await axeFaultsInBothThemes(page), [])
  const map = `${server.url}/perros?breed=beagle&view=map`
  // The map itself is a matter of tests/browser/map: with no content the page stays.
  await page.route(map, (route) => route.fulfill({ status: 204 }))
  await Promise.all([page.waitForRequest(map), page.getByRole('link', { name: 'Ver en mapa' }).click()])
  const { body } = await call(server, map.slice(server.url.length))
  assert.match(/<dl class="stats.*?<\/dl>/s.exec(body)![0], /Visibles/)
})

list('the tabs of the home route lead to their places', async ({ server }) => {
  const tabs = { profile: '/perfil', community: '/comunidad', breeds: '/razas' }
  for (const [tab, target] of Object.entries(tabs)) {
    const answer = await fetch(`${server.url}/?tab=${tab}`, { redirect: 'manual' })
    assert.is(answer.status, 302)
    assert.is(answer.headers.get('location'), target)
  }
})
