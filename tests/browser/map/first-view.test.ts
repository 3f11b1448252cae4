import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import {
  waitForCounter,
  mapSuite,
  type MapWorld,
  PLACED_DOG_COUNT,
  waitUntilIdle,
  openMapContext,
} from '#tests/support/map/map-suite.ts'

// The first view: from the specified centre and zoom to where the dogs are, once, unless somebody moves the map before.
const map = mapSuite('map first view')

/** What the map was looked at with, as it asked for marks. */
interface MapRequests {
  page: Page
  zooms: () => number[]
}

/** @param slower how many times longer flights take, so that there is time to interrupt one */
async function open(
  { browser, server }: MapWorld,
  reducedMotion: 'reduce' | 'no-preference',
  options = DESKTOP,
  slower = 1,
) {
  const context = await openMapContext(browser, { ...options, reducedMotion })
  const page = await context.newPage()
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/map') asked.push(searchParams)
  })
  // The way of the map's middle, as a person sees it move: Leaflet sets the pane's scale and place each frame.
  await page.addInitScript(() => {
    const moves: string[] = []
    Object.assign(window, { moves })
    const look = () => {
      const mark = document.querySelector<HTMLElement>('.mark')
      if (mark && moves.at(-1) !== mark.style.transform) moves.push(mark.style.transform)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  // Leaflet flies by this clock.
  await page.addInitScript((times) => {
    const { now } = Date
    const start = now()
    Date.now = () => start + (now() - start) / times
  }, slower)
  await page.goto(`${server.url}/?view=map`)
  const seen: MapRequests = { page, zooms: () => asked.map((params) => Number(params.get('zoom'))) }
  return { ...seen, asked, close: () => context.close() }
}

const viewOf = (params: URLSearchParams) =>
  params.get('view')!.split(',').map(Number) as [number, number, number, number]
const moves = (page: Page) => page.evaluate(() => (window as unknown as { moves: string[] }).moves.length)

/** The marks of the view whose middle lies under the search, the counter, a button or the strip. */
const coveredMarks = (): string[] =>
  [...document.querySelectorAll('.mark[tabindex="0"]')].flatMap((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const over = [...document.querySelectorAll('.address .input, .map-count, .map-tools button, .strip')].find(
      (one) => {
        const box = one.getBoundingClientRect()
        return x > box.left && x < box.right && y > box.top && y < box.bottom
      },
    )
    return over ? [`${mark.ariaLabel} under ${over.className}`] : []
  })

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  map(`eases from zoom 2 to all of the dogs: ${device}`, async (t) => {
    const { page, asked, zooms, close } = await open(t, 'no-preference', options)
    await waitUntilIdle(page)
    assert.is(zooms()[0], 2)
    const [west, , east] = viewOf(asked[0]!)
    assert.ok(Math.abs((west + east) / 2 + 3.7038) < 0.4)
    const last = viewOf(asked.at(-1)!)
    assert.ok(zooms().at(-1)! >= 4, `zoom ${zooms().at(-1)}`)
    // Cáceres in the west, Barcelona in the east.
    assert.ok(last[0] < -6.37 && last[2] > 2.17 && last[1] < 39.4 && last[3] > 41.4, String(last))
    await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
    assert.ok((await moves(page)) > 5, 'it glides')
    assert.equal(await page.evaluate(coveredMarks), [], 'a mark under what stands over the map')
    // Nobody has moved it: the address says nothing, and nothing else moves it.
    assert.is(new URL(page.url()).search, '?view=map')
    const asks = asked.length
    await page.waitForTimeout(2500)
    assert.is(asked.length, asks)
    await close()
  })

map('jumps where motion is unwelcome', async (t) => {
  const { page, zooms, close } = await open(t, 'reduce')
  await waitUntilIdle(page)
  assert.is(zooms()[0], 2)
  assert.ok(zooms().at(-1)! >= 4)
  assert.ok((await moves(page)) <= 4, `${await moves(page)} places`)
  await close()
})

const INTERRUPTIONS: [string, (page: Page) => Promise<unknown>][] = [
  ['a finger on the map', async (page) => page.locator('.map-box').click({ position: { x: 30, y: 300 } })],
  ['the wheel', (page) => page.mouse.move(700, 400).then(() => page.mouse.wheel(0, 10))],
  [
    'a key',
    (page) =>
      page
        .locator('.map-box')
        .focus()
        .then(() => page.keyboard.press('ArrowLeft')),
  ],
  ['the zoom button', (page) => page.getByRole('button', { name: 'Alejar' }).click()],
]

for (const [what, interrupt] of INTERRUPTIONS)
  map(`${what} during the way ends it`, async (t) => {
    const { page, asked, close } = await open(t, 'no-preference', DESKTOP, 8)
    await page.waitForFunction(() => (window as unknown as { moves: string[] }).moves.length > 3)
    await interrupt(page)
    await page.waitForFunction(() => location.search.includes('zoom='))
    await waitUntilIdle(page)
    const zoom = Number(new URL(page.url()).searchParams.get('zoom'))
    assert.ok(zoom >= 1 && zoom <= 6, `zoom ${zoom}`)
    const asks = asked.length
    await page.waitForTimeout(2200)
    assert.ok(asked.length <= asks + 1)
    assert.is(Number(new URL(page.url()).searchParams.get('zoom')), zoom, 'it goes no further')
    await close()
  })

map('a map that was moved before the dogs are known stays where it is', async (t) => {
  const { page, server } = t
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route(/\/api\/map\?/, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await page.goto(`${server.url}/?view=map`)
  await page.waitForSelector('.map-frame[data-state="ready"]')
  await page.locator('.map-box').focus()
  await page.keyboard.press('+')
  await page.waitForURL(/zoom=3/)
  release()
  await waitUntilIdle(page)
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  await page.waitForTimeout(500)
  assert.is(new URL(page.url()).searchParams.get('zoom'), '3')
})

map('dogs beyond the first view are found, too', async (t) => {
  const { page, server } = t
  // As if all of them lived in New Zealand: the first view names none, the world does.
  await page.route(/\/api\/map\?/, async (route) => {
    const answer = await (await route.fetch()).json()
    const isWorld = new URL(route.request().url()).searchParams.get('bbox') === '-180,-90,180,90'
    for (const { geometry, bbox } of answer.features) {
      geometry.coordinates = [174.7, -41.2]
      if (bbox) bbox.splice(0, 4, 174.6, -41.3, 174.8, -41.1)
    }
    await route.fulfill({ json: { ...answer, features: isWorld ? answer.features : [] } })
  })
  await page.goto(`${server.url}/?view=map`)
  const there = await page.waitForRequest((request) => {
    const view = new URL(request.url()).searchParams.get('view')
    return request.url().includes('/api/map?') && view !== null && Number(view.split(',')[0]) > 160
  })
  assert.ok(Number(new URL(there.url()).searchParams.get('zoom')) > 8)
})

map('an address with a place is where it leads', async (t) => {
  const { page, server } = t
  await page.goto(`${server.url}/?view=map&lat=42&lon=-8&zoom=3`)
  await waitUntilIdle(page)
  await page.waitForTimeout(500)
  assert.match(page.url(), /lat=42&lon=-8&zoom=3/)
})

map.run()
