import type { Response } from 'playwright'
import * as assert from 'uvu/assert'
import {
  callsTo,
  readMapQuery,
  waitForCards,
  waitForCounter,
  mapSuite,
  markButton,
  openMap,
  openMapContext,
  PLACED_DOG_COUNT,
  waitUntilAtRest,
  waitUntilIdle,
  zoomTo,
} from '#tests/support/map/map-suite.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

// Which addresses hold a view: tests/unit/map/view. The first view itself: first-view.test.ts.
const map = mapSuite('map address')

map('pages without a map load nothing of it', async (t) => {
  const { page, server } = t
  const requests = watchRequests(page)
  const bodies: Promise<string>[] = []
  const readBody = (response: Response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.text().catch(() => ''))
  }
  page.on('response', readBody)
  const hasMap = async () => (await Promise.all(bodies.splice(0))).some((body) => body.includes('leaflet-container'))
  const mapUrls = () => requests.urls.splice(0).filter((url) => /\/mapa\/|leaflet|map-engine/i.test(url))
  await page.goto(`${server.url}/perros`)
  await waitUntilQuiet(page, requests)
  assert.equal([await hasMap(), mapUrls()], [false, []])
  // The script and the data of the map are recognised where they are.
  await openMap(t, 'zoom=99&lat=abc&lon=')
  await waitUntilQuiet(page, requests)
  assert.is(await hasMap(), true)
  assert.ok(mapUrls().length > 1)
  page.off('response', readBody)
})

map('nonsense is the first view, at the middle of Spain and zoom 2, of which the address says nothing', async (t) => {
  const { page } = t
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  const params = callsTo(t, '/api/map')[0]!.searchParams
  const [west, south, east, north] = params.get('view')!.split(',').map(Number) as [number, number, number, number]
  assert.is(params.get('zoom'), '2')
  // A pixel is a third of a degree here.
  assert.ok(Math.abs((west + east) / 2 + 3.7038) < 0.4)
  assert.ok(south < 40.4168 && north > 40.4168)
  await waitUntilAtRest(page)
  assert.is(new URL(page.url()).search, '?view=map')
})

map('filters that match nothing say so and can be taken away', async (t) => {
  const { page } = t
  await openMap(t, 'breed=beagle&size=gigante')
  await page.getByText('Ningún perro con estos filtros').waitFor()
  await waitForCounter(page, '0 perros visibles')
  await page.getByRole('button', { name: 'Quitar filtros' }).click()
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  assert.is(await page.getByText('Ningún perro con estos filtros').count(), 0)
  assert.is(new URL(page.url()).search, '?view=map')
})

map('keeps the view for sharing', async (t) => {
  const { page } = t
  await waitUntilIdle(page)
  await page.locator('.map-box').press('+')
  await page.waitForURL(/zoom=3/)
  await zoomTo(page, 6)
  const { lon } = readMapQuery(page)
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL((url) => Number(url.searchParams.get('lon')) < Number(lon))
  const before = page.url()
  // Of a visitor to whom nothing else says where.
  await openMap(t, before.split('view=map&')[1])
  await waitUntilAtRest(page)
  assert.is(page.url(), before)
})

map('coming back from a dog finds the same place', async (t) => {
  const { page } = t
  const before = page.url()
  await waitForCards(page)
  await page.locator('.strip-card h3 a').first().click()
  await page.waitForURL(/\/(beagle|dalmata|galgo-espanol)\//)
  await page.goBack()
  await waitUntilIdle(page)
  assert.is(page.url(), before)
})

map(
  'filters hold for the marks, the figures and the address, also from map to grid and back to the same place',
  async (t) => {
    const { page } = t
    const { lat, lon, zoom } = readMapQuery(page)
    await markButton(page, '30 perros, ampliar').waitFor()
    await page.getByLabel('Razas').selectOption('beagle')
    await waitForCounter(page, '12 perros visibles')
    assert.is(await markButton(page, '30 perros, ampliar').count(), 0)
    assert.is(readMapQuery(page).breed, 'beagle')
    await page.locator('.stats', { hasText: /Beagle\s*13/ }).waitFor()
    assert.match((await page.locator('.stats').innerText()).replace(/\s+/g, ' '), /Visibles 12|12 Visibles/)
    await page.getByRole('link', { name: 'Ver en cuadrícula' }).click()
    await page.waitForURL((url) => url.search === '?breed=beagle')
    await page.getByRole('link', { name: 'Ver en mapa' }).click()
    await waitForCounter(page, '12 perros visibles')
    await waitUntilIdle(page)
    assert.equal(readMapQuery(page), { lat, lon, zoom, breed: 'beagle', size: null, view: 'map' })
  },
)

map('both addresses of the list show it, its inner one leads there', async ({ server }) => {
  const html = await (await fetch(`${server.url}/perros?view=map`)).text()
  assert.match(html, /Perros en el mapa/)
  const inner = await fetch(`${server.url}/perros/mapa?breed=beagle`, { redirect: 'manual' })
  assert.is(inner.status, 302)
  assert.is(inner.headers.get('location'), '/perros?breed=beagle&view=map')
})

map('without script the dogs are listed by zone, page by page', async ({ browser, server }) => {
  const context = await openMapContext(browser, { javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${server.url}/?view=map`)
  const words = 'Para ver el mapa hace falta JavaScript. Aquí tienes a los perros, zona por zona.'
  assert.is(await page.locator('.map-words > p').innerText(), words)
  assert.is(await page.locator('.map-frame').isVisible(), false)
  assert.is(await page.locator('.zones .dog-card').count(), 24)
  assert.equal(await page.locator('.zones h2').allInnerTexts(), ['Sin zona', 'Barcelona'])
  await page.locator('.map-words .more').click()
  await page.waitForURL(/cursor=/)
  assert.is(await page.locator('.zones .dog-card').count(), 20)
  assert.equal(await page.locator('.zones h2').allInnerTexts(), ['Barcelona', 'Toledo', 'Cáceres'])
  await page.getByLabel('Razas').selectOption('beagle')
  await page.locator('.filters button').click()
  await page.waitForURL(/breed=beagle/)
  assert.is(await page.locator('.zones .dog-card').count(), 13)
  assert.is(readMapQuery(page).view, 'map')
  await context.close()
})
