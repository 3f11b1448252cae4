import * as assert from 'uvu/assert'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { coastAt, LAND, SEA, waitForColour } from '#tests/support/map/map-colours.ts'
import { mapSuite, openMap } from '#tests/support/map/map-suite.ts'
import { dog, seed } from '#tests/support/seed.ts'

// Street tiles over it: network-failures.test.ts and tests/unit/map/street-tiles.
const base = mapSuite('base map', {
  // On the other side of the world, so that no mark stands where the test looks.
  seedDogs: async (db) => void (await seed(db, dog({ zone: 'Ushuaia' }))),
})

/** The files of the map that the page asked for. */
const asked: string[] = []
base.before(({ page }) => {
  page.on('request', (request) => request.url().includes('/mapa/') && asked.push(request.url().split('/mapa/')[1]!))
})

const OTHER = { light: 'dark', dark: 'light' } as const

for (const [zoom, scheme] of [
  [5, 'light'],
  [9, 'dark'],
  [14, 'light'],
] as const)
  base(`land and sea are where they are, in the colours of the system: zoom ${zoom}, ${scheme} first`, async (t) => {
    const { page } = t
    await page.emulateMedia({ colorScheme: scheme })
    asked.length = 0
    await openMap(t, coastAt(zoom))
    for (const now of [scheme, OTHER[scheme]]) {
      await page.emulateMedia({ colorScheme: now })
      await waitForColour(page, -100, LAND[now], `land, ${now}`)
      await waitForColour(page, 100, SEA[now], `sea, ${now}`)
    }
    if (zoom === 5) return assert.equal(asked.toSorted(), ['mundo.json', 'nombres.json', 'provincias.json'])
    assert.ok(asked.includes('municipios/46.json'))
    assert.not.ok(asked.includes('municipios/15.json'), 'A Coruña is not in view')
    assert.match(
      await page.locator('.leaflet-control-attribution').innerText(),
      '© IGN (CC BY 4.0), Natural Earth, GeoNames (CC BY)',
    )
  })

base('a sharp screen gets sharp tiles', async ({ context, page }) => {
  const devtools = await context.newCDPSession(page)
  const setScale = (deviceScaleFactor: number) =>
    devtools.send('Emulation.setDeviceMetricsOverride', { ...DESKTOP.viewport, mobile: false, deviceScaleFactor })
  await setScale(2)
  await page.locator('.map-box').press('-')
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll<HTMLCanvasElement>('.map-box canvas.leaflet-tile-loaded')]
    return tiles.length > 0 && tiles.every((tile) => tile.width === 512 && tile.clientWidth === 256)
  })
  await setScale(1)
})

base('without its files there is sea, said once, and land as soon as they come', async (t) => {
  const { page } = t
  t.expectedErrors = /503|^El mapa base no se ha podido cargar/
  await page.route('**/mapa/*.json', (route) => route.fulfill({ status: 503, body: '' }))
  // It asks again by itself.
  const failed = () =>
    page.waitForResponse((response) => response.url().includes('/mapa/') && response.status() === 503)
  await openMap(t, coastAt(5))
  await waitForColour(page, -100, SEA.light, 'sea')
  await failed()
  await page.unroute('**/mapa/*.json')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await waitForColour(page, -100, LAND.light, 'land, later')
  assert.is(t.errors.filter((text) => text.startsWith('El mapa base no se ha podido cargar')).length, 1)
})

base('a tile is shown whole at once, where Leaflet would fade it in over the sea', async (t) => {
  const { page } = t
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    const opacities: string[] = []
    Object.assign(window, { opacities })
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if ((target as Element).matches('canvas.leaflet-tile-loaded'))
          opacities.push(getComputedStyle(target as Element).opacity)
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] })
  })
  await openMap(t, coastAt(9))
  await waitForColour(page, -100, LAND.light, 'land')
  const opacities = await page.evaluate(() => (window as unknown as { opacities: string[] }).opacities)
  assert.ok(opacities.length > 0)
  assert.equal([...new Set(opacities)], ['1'])
})
