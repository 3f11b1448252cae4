import type { Page } from 'playwright'
import sharp from 'sharp'
import * as assert from 'uvu/assert'
import { coastAt, type Colour, LAND, waitForColour } from '#tests/support/map/map-colours.ts'
import {
  beginVisit,
  mapSuite,
  openMap,
  PLACED_DOG_COUNT,
  readMapQuery,
  waitForCounter,
  waitUntilIdle,
} from '#tests/support/map/map-suite.ts'

// When failed requests are repeated: tests/unit/map/feature-loader; when tiles count as failed: tests/unit/map/street-tiles.
// Tiles of a port where nobody listens fail at any time.
const TILES = 'http://127.0.0.1:9/'
const map = mapSuite('map trouble', {
  env: { TILE_URL: `${TILES}{z}/{x}/{y}.png`, TILE_ATTRIBUTION: '© Calles' },
  ignored: 'Failed to load resource',
})

const ZONES = /\/api\/map\?/
const note = (page: Page, text: string) => page.locator('.map-note', { hasText: text })
const locate = (page: Page) => page.getByRole('button', { name: 'Mi ubicación' }).click()
async function closeNote(page: Page, text: string): Promise<void> {
  await note(page, text).getByRole('button', { name: 'Cerrar aviso' }).click()
  assert.is(await note(page, text).count(), 0)
}

map('street tiles lie over our own map, with their attribution', async (t) => {
  const { page } = t
  const colour: Colour = [200, 40, 120]
  const [r, g, b] = colour
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()
  await page.route(`${TILES}**`, (route) => route.fulfill({ contentType: 'image/png', body: tile }))
  await openMap(t, coastAt(9))
  await waitForColour(page, -100, colour, 'streets')
  assert.match(await page.locator('.leaflet-control-attribution').innerText(), '© Calles')
  assert.is(await page.locator('.map-note').count(), 0)
})

map('streets that do not come leave our own map, and it says so', async (t) => {
  const { page } = t
  await openMap(t, coastAt(9))
  const sentence = 'Las calles no responden ahora mismo. Puedes seguir con nuestro mapa.'
  await note(page, sentence).waitFor()
  await waitForColour(page, -100, LAND.light, 'our own map')
  await closeNote(page, sentence)
  assert.match(await page.locator('.leaflet-control-attribution').innerText(), /© Calles/)
})

map('a network that goes and comes back', async ({ page }) => {
  await page.route(ZONES, (route) => route.abort())
  await page.getByRole('button', { name: 'Acercar' }).click()
  await page.locator('.map-notes', { hasText: 'Error de red al cargar los perros.' }).waitFor()
  await page.unroute(ZONES)
  await page.locator('.map-notes').getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.map-notes', { hasText: 'Error de red' }).waitFor({ state: 'detached' })
  await waitUntilIdle(page)
})

map('the browser’s own refusal is understood, with the times of the specification', async ({ page }) => {
  await page.evaluate(() => {
    const { geolocation } = navigator
    const ask = geolocation.getCurrentPosition.bind(geolocation)
    geolocation.getCurrentPosition = (found, failed, options) => {
      Object.assign(window, { asked: options })
      ask(found, failed, options)
    }
  })
  await locate(page)
  await note(page, 'No tenemos permiso para ver tu ubicación.').waitFor()
  const { timeout, maximumAge } = await page.evaluate(() => (window as unknown as { asked: PositionOptions }).asked)
  assert.equal([timeout, maximumAge], [10_000, 300_000])
})

map('goes to where the person is', async ({ page, context }) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 39.8581, longitude: -4.0226 })
  await locate(page)
  // A hundred metres are near enough for an address that may be shared.
  await page.waitForURL(/lat=39\.858&lon=-4\.023&zoom=14$/)
  await waitForCounter(page, '12 perros visibles')
  assert.is(await page.locator('.map-me').count(), 1)
  assert.is(await page.locator('.map-note').count(), 0)
})

const REFUSALS: [string, string, string][] = [
  [
    'refused',
    'navigator.geolocation.getCurrentPosition = (found, failed) => failed({ code: 1 })',
    'No tenemos permiso para ver tu ubicación. Puedes darlo en los ajustes del navegador o buscar tu dirección.',
  ],
  [
    'unavailable',
    'navigator.geolocation.getCurrentPosition = (found, failed) => failed({ code: 2 })',
    'No hemos podido averiguar dónde estás. Busca tu dirección en el mapa.',
  ],
  [
    'too slow',
    'navigator.geolocation.getCurrentPosition = (found, failed) => failed({ code: 3 })',
    'Tu ubicación tarda demasiado en llegar. Inténtalo otra vez o busca tu dirección.',
  ],
  [
    'unknown to the browser',
    'delete Navigator.prototype.geolocation',
    'Este navegador no puede decirnos dónde estás. Busca tu dirección en el mapa.',
  ],
]
for (const [what, script, sentence] of REFUSALS)
  map(`a place that is ${what} is said, and the map stays`, async ({ page }) => {
    await page.evaluate(`${script}; null`)
    await locate(page)
    await note(page, sentence).waitFor()
    const zoom = Number(readMapQuery(page).zoom) - 1
    await page.getByRole('button', { name: 'Alejar' }).click()
    await page.waitForURL((url) => url.searchParams.get('zoom') === String(zoom))
    await closeNote(page, sentence)
  })

map('the code of the map that does not come can be tried again', async (t) => {
  const { page } = t
  let isGone = true
  await page.route(/map-engine\.client[^/]*\.js$/, (route) => (isGone ? route.abort() : route.continue()))
  await beginVisit(page)
  await page.goto(`${t.server.url}/?view=map`)
  const lost = page.getByRole('alert').filter({ hasText: 'No se pudo cargar el mapa.' })
  await lost.waitFor()
  assert.is(await lost.getByRole('link', { name: 'Ver en cuadrícula' }).getAttribute('href'), '?')
  isGone = false
  await lost.getByRole('button', { name: 'Reintentar' }).click()
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  t.errors.length = 0
})
