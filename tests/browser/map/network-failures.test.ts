import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import {
  waitForCounter,
  mapSuite,
  openMap,
  PLACED_DOG_COUNT,
  waitUntilIdle,
  TOLEDO,
} from '#tests/support/map/map-suite.ts'

// Tiles of a port where nobody listens fail at any time.
const map = mapSuite(
  'map trouble',
  { TILE_URL: 'http://127.0.0.1:9/{z}/{x}/{y}.png', TILE_ATTRIBUTION: '© Calles' },
  'Failed to load resource',
)

const ZONES = /\/api\/map\?/
const locate = (page: Page) => page.getByRole('button', { name: 'Mi ubicación' }).click()

map('a network that goes and comes back', async (t) => {
  const { page } = t
  await openMap(t)
  await page.route(ZONES, (route) => route.abort())
  await page.getByRole('button', { name: 'Acercar' }).click()
  await page.locator('.map-notes', { hasText: 'Error de red al cargar los perros.' }).waitFor()
  await page.unroute(ZONES)
  await page.locator('.map-notes').getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.map-notes', { hasText: 'Error de red' }).waitFor({ state: 'detached' })
  await waitUntilIdle(page)
})

map('a map that is away comes by itself when it said it would', async (t) => {
  const { page } = t
  let asked = 0
  await page.route(ZONES, (route) =>
    asked++ === 0
      ? route.fulfill({
          status: 503,
          headers: { 'Retry-After': '1', 'Content-Type': 'application/problem+json' },
          body: JSON.stringify({ detail: 'El mapa no está disponible ahora mismo.' }),
        })
      : route.fallback(),
  )
  await page.goto(`${t.server.url}/?view=map&lat=40&lon=-2&zoom=5`)
  await page.getByText('No se pudieron cargar los perros. Intenta de nuevo más tarde.').waitFor()
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  assert.is(await page.getByText('No se pudieron cargar los perros.').count(), 0)
  assert.is(asked, 2)
})

map('streets that do not come leave our own map, and it says so', async (t) => {
  const { page } = t
  await openMap(t)
  const note = page.locator('.map-note', {
    hasText: 'Las calles no responden ahora mismo. Puedes seguir con nuestro mapa.',
  })
  await note.waitFor()
  await note.getByRole('button', { name: 'Cerrar aviso' }).click()
  assert.is(await note.count(), 0)
  assert.match(await page.locator('.leaflet-control-attribution').innerText(), /© Calles/)
})

map('the code of the map that does not come can be tried again', async (t) => {
  const { page } = t
  let isGone = true
  await page.route(/map-engine\.client[^/]*\.js$/, (route) => (isGone ? route.abort() : route.continue()))
  await page.goto(`${t.server.url}/?view=map`)
  const lost = page.getByRole('alert').filter({ hasText: 'No se pudo cargar el mapa.' })
  await lost.waitFor()
  assert.is(await lost.getByRole('link', { name: 'Ver en cuadrícula' }).getAttribute('href'), '?')
  isGone = false
  await lost.getByRole('button', { name: 'Reintentar' }).click()
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  t.errors.length = 0
})

map('goes to where the person is', async (t) => {
  const { page, context } = t
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 39.8581, longitude: -4.0226 })
  await openMap(t)
  await locate(page)
  // A hundred metres are near enough for an address that may be shared.
  await page.waitForURL(/lat=39\.858&lon=-4\.023&zoom=14$/)
  await waitForCounter(page, '12 perros visibles')
  assert.is(await page.locator('.map-me').count(), 1)
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
  map(`a place that is ${what} is said, and the map stays`, async (t) => {
    const { page } = t
    await page.addInitScript(script)
    await openMap(t, TOLEDO)
    await locate(page)
    await page.getByText(sentence).waitFor()
    await page.getByRole('button', { name: 'Acercar' }).click()
    await page.waitForURL(/zoom=8/)
  })

map('the browser’s own refusal is understood, with the times of the specification', async (t) => {
  const { page } = t
  await page.addInitScript(() => {
    const { geolocation } = navigator
    const ask = geolocation.getCurrentPosition.bind(geolocation)
    geolocation.getCurrentPosition = (found, failed, options) => {
      Object.assign(window, { asked: options })
      ask(found, failed, options)
    }
  })
  await openMap(t)
  await locate(page)
  await page.getByText('No tenemos permiso para ver tu ubicación.').waitFor()
  const { timeout, maximumAge } = await page.evaluate(() => (window as unknown as { asked: PositionOptions }).asked)
  assert.equal([timeout, maximumAge], [10_000, 300_000])
})

map.run()
