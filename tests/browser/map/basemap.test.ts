import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

type Colour = [red: number, green: number, blue: number]
const SEA: Record<string, Colour> = { light: [187, 224, 242], dark: [15, 39, 58] }
const LAND: Record<string, Colour> = { light: [253, 246, 232], dark: [64, 54, 43] }
/** On the straight coast south of València: land to the west, sea to the east, at every zoom. */
const COAST = { lat: 39.3, lon: -0.286 }

interface Shared {
  server: TestServer
  browser: Browser
}
const base = suite<Shared>('base map')
base.before(async (t) => {
  t.server = await startServer()
  // On the other side of the world, so that no mark stands where the test looks.
  await withDatabase(t.server, (db) => seed(db, dog({ zone: 'Ushuaia' })))
  t.browser = await launchBrowser()
})
base.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

const addressOf = (server: TestServer, { lat, lon }: { lat: number; lon: number }, zoom: number) =>
  `${server.url}/perros?view=map&lat=${lat}&lon=${lon}&zoom=${zoom}`

/** The colour that fills most of a little square so many pixels east of the map's middle. */
async function colourAt(page: Page, east: number): Promise<Colour> {
  const box = (await page.locator('.map-box').boundingBox())!
  const clip = { x: box.x + box.width / 2 + east - 15, y: box.y + box.height / 2 - 15, width: 30, height: 30 }
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const counts = new Map<string, number>()
  for (let i = 0; i < data.length; i += info.channels) {
    const key = `${data[i]},${data[i + 1]},${data[i + 2]}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most![0].split(',').map(Number) as Colour
}
const isSimilar = (a: Colour, b: Colour) => a.every((value, i) => Math.abs(value - b[i]!) <= 4)

/** Waits until the map shows the colour there; the message tells what it showed last. */
async function waitForColour(page: Page, east: number, wanted: Colour, what: string) {
  let seen: Colour = [0, 0, 0]
  for (let i = 0; i < 100; i++) {
    seen = await colourAt(page, east)
    if (isSimilar(seen, wanted)) return
    await page.waitForTimeout(100)
  }
  assert.unreachable(`${what}: ${seen} instead of ${wanted}`)
}

async function open(t: Shared, url: string, options: BrowserContextOptions = DESKTOP) {
  const context = await openContext(t.browser, { reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  return { context, page, errors: watchErrors(page), show: () => page.goto(url) }
}

for (const colorScheme of ['light', 'dark'] as const)
  base(`land and sea are where they are, ${colorScheme}`, async (t) => {
    const { context, page, errors, show } = await open(t, addressOf(t.server, COAST, 5), { ...DESKTOP, colorScheme })
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/mapa/') && asked.push(request.url().split('/mapa/')[1]!))
    await show()
    for (const zoom of [5, 9, 14]) {
      if (zoom > 5) await page.goto(addressOf(t.server, COAST, zoom))
      await waitForColour(page, -100, LAND[colorScheme]!, `land at zoom ${zoom}`)
      await waitForColour(page, 100, SEA[colorScheme]!, `sea at zoom ${zoom}`)
      if (zoom === 5) assert.equal(asked.toSorted(), ['mundo.json', 'nombres.json', 'provincias.json'])
      asked.splice(0, zoom === 5 ? Infinity : 0)
    }
    assert.ok(asked.includes('municipios/46.json'))
    assert.not.ok(asked.includes('municipios/15.json'), 'A Coruña is not in view')
    assert.match(
      await page.locator('.leaflet-control-attribution').innerText(),
      '© IGN (CC BY 4.0), Natural Earth, GeoNames (CC BY)',
    )
    assert.equal(errors, [])
    await context.close()
  })

base('it follows the colours of the system', async (t) => {
  const { context, page, errors, show } = await open(t, addressOf(t.server, COAST, 7))
  await show()
  await waitForColour(page, -100, LAND.light!, 'by day')
  await page.emulateMedia({ colorScheme: 'dark' })
  await waitForColour(page, -100, LAND.dark!, 'by night')
  assert.equal(errors, [])
  await context.close()
})

base('a sharp screen gets sharp tiles', async (t) => {
  const { context, page, errors, show } = await open(t, addressOf(t.server, COAST, 9), {
    ...PHONE,
    deviceScaleFactor: 2,
  })
  await show()
  await waitForColour(page, -100, LAND.light!, 'land')
  const widths = await page
    .locator('.map-box canvas')
    .evaluateAll((tiles) => tiles.map((tile) => [(tile as HTMLCanvasElement).width, tile.clientWidth]))
  assert.ok(widths.length > 0)
  for (const width of widths) assert.equal(width, [512, 256])
  assert.equal(errors, [])
  await context.close()
})

base('a tile is shown whole at once, where Leaflet would fade it in over the sea', async (t) => {
  const { context, page, errors, show } = await open(t, addressOf(t.server, COAST, 9), {
    ...DESKTOP,
    reducedMotion: 'no-preference',
  })
  await context.addInitScript(() => {
    const opacities: string[] = []
    Object.assign(window, { opacities })
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if ((target as Element).matches('canvas.leaflet-tile-loaded'))
          opacities.push(getComputedStyle(target as Element).opacity)
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] })
  })
  await show()
  await waitForColour(page, -100, LAND.light!, 'land')
  const opacities = await page.evaluate(() => (window as unknown as { opacities: string[] }).opacities)
  assert.ok(opacities.length > 0)
  assert.equal([...new Set(opacities)], ['1'])
  assert.equal(errors, [])
  await context.close()
})

base('without its files there is sea, said once, and land as soon as they come', async (t) => {
  const { context, page, errors, show } = await open(t, addressOf(t.server, COAST, 5))
  await context.route('**/mapa/*.json', (route) => route.fulfill({ status: 503, body: '' }))
  await show()
  await page.locator('.map-frame[data-state="ready"]').waitFor()
  await waitForColour(page, -100, SEA.light!, 'sea')
  // It asks again by itself.
  await page.waitForResponse((response) => response.url().includes('/mapa/') && response.status() === 503)
  await context.unroute('**/mapa/*.json')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await waitForColour(page, -100, LAND.light!, 'land, later')
  assert.is(errors.filter((text) => text.startsWith('El mapa base no se ha podido cargar')).length, 1)
  assert.equal(
    errors.filter((text) => !text.startsWith('El mapa base') && !text.includes('503')),
    [],
  )
  await context.close()
})

base('no other page loads any of it', async (t) => {
  const { context, page, errors, show } = await open(t, `${t.server.url}/perros`)
  const requests = watchRequests(page)
  await show()
  await waitUntilQuiet(page, requests)
  assert.equal(
    requests.urls.filter((url) => /\/mapa\/|leaflet|map-engine/i.test(url)),
    [],
  )
  // The dog's photo has no file.
  assert.equal(
    errors.filter((text) => !text.includes('404')),
    [],
  )
  await context.close()
})

const STREET_COLOUR: Colour = [200, 40, 120]
/** A tile server that answers as it is told to: with a tile, with 404, or not at all. */
async function tileServer(answer: 'tile' | 'missing' | 'silent') {
  const [r, g, b] = STREET_COLOUR
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()
  const server: Server = createServer((_, response) => {
    if (answer === 'tile') response.setHeader('content-type', 'image/png').end(tile)
    if (answer === 'missing') response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    env: { TILE_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`, TILE_ATTRIBUTION: '© Calles de prueba' },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

for (const [answer, colour, isTold] of [
  ['tile', STREET_COLOUR, false],
  ['missing', LAND.light!, true],
  ['silent', LAND.light!, true],
] as const)
  base(`street tiles over it: ${answer}`, async (t) => {
    const tiles = await tileServer(answer)
    const server = await startServer(tiles.env)
    const { context, page, errors, show } = await open(t, addressOf(server, COAST, 9))
    try {
      await withDatabase(server, (db) => seed(db, dog({ zone: 'Ushuaia' })))
      await show()
      await waitForColour(page, -100, colour, answer)
      assert.match(await page.locator('.leaflet-control-attribution').innerText(), '© Calles de prueba')
      const told = page.getByText('Las calles no responden ahora mismo. Puedes seguir con nuestro mapa.')
      if (isTold) await told.waitFor()
      else assert.is(await told.count(), 0)
      assert.equal(
        errors.filter((text) => !text.includes('404')),
        [],
      )
    } finally {
      await context.close()
      tiles.close()
      await server.dispose()
    }
  })

base.run()
