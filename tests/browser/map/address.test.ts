import * as assert from 'uvu/assert'
import {
  readMapQuery,
  waitForCounter,
  mapSuite,
  markButton,
  openMap,
  PLACED_DOG_COUNT,
  waitUntilIdle,
  TOLEDO,
  TOLEDO_NEAR,
  openMapContext,
} from '#tests/support/map/map-suite.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const map = mapSuite('map address')

map('begins at the middle of Spain, zoom 2, and says nothing of it in the address', async (t) => {
  const { page } = t
  const asked = page.waitForRequest((request) => request.url().includes('/api/map?'))
  await openMap(t)
  const params = new URL((await asked).url()).searchParams
  const [west, south, east, north] = params.get('view')!.split(',').map(Number) as [number, number, number, number]
  assert.is(params.get('zoom'), '2')
  // A pixel is a third of a degree here.
  assert.ok(Math.abs((west + east) / 2 + 3.7038) < 0.4)
  assert.ok(south < 40.4168 && north > 40.4168)
  assert.is(new URL(page.url()).search, '?view=map')
})

map('keeps the view for reload and sharing', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  await page.locator('.map-box').focus()
  await page.keyboard.press('+')
  await page.waitForURL(/zoom=8/)
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL((url) => Number(url.searchParams.get('lon')) < -4.2)
  const before = page.url()
  await page.reload()
  await waitUntilIdle(page)
  assert.is(page.url(), before)
  const shared = await t.context.newPage()
  await shared.goto(before)
  await waitUntilIdle(shared)
  assert.is(shared.url(), before)
})

for (const nonsense of [
  'zoom=99&lat=abc&lon=',
  'lat=400&lon=3&zoom=5',
  'lat=40&lon=-3&zoom=-1',
  'lat=NaN&lon=1e999&zoom=2',
])
  map(`nonsense is the first view: ${nonsense}`, async (t) => {
    await openMap(t, nonsense)
    await waitForCounter(t.page, `${PLACED_DOG_COUNT} perros visibles`)
  })

map('coming back from a dog finds the same place', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  await page.locator('.map-box').focus()
  await page.keyboard.press('+')
  await page.waitForURL(/zoom=8/)
  const before = page.url()
  await page.locator('.strip-card h3 a').first().click()
  await page.waitForURL(/\/(beagle|dalmata|galgo-espanol)\//)
  await page.goBack()
  await waitUntilIdle(page)
  assert.is(page.url(), before)
})

map('filters hold for the marks, the figures and the address', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
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

map('from grid to map and back it is the same place in this session', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO_NEAR)
  await page.locator('.map-box').focus()
  await page.keyboard.press('-')
  await page.waitForURL(/zoom=14/)
  await page.getByRole('link', { name: 'Ver en cuadrícula' }).click()
  await page.waitForURL((url) => url.search === '')
  await page.getByRole('link', { name: 'Ver en mapa' }).click()
  await waitForCounter(page, '12 perros visibles')
})

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

map('pages without a map load nothing of it', async ({ page, server }) => {
  const requests = watchRequests(page)
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.text().catch(() => ''))
  })
  const hasMap = async () => (await Promise.all(bodies.splice(0))).some((body) => body.includes('leaflet-container'))
  await page.goto(server.url)
  await waitUntilQuiet(page, requests)
  assert.is(await hasMap(), false)
  await page.goto(`${server.url}/?view=map`)
  await waitUntilQuiet(page, requests)
  assert.is(await hasMap(), true)
})

map.run()
