import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import {
  beginVisit,
  callsTo,
  mapSuite,
  type MapVisit,
  openMap,
  openPhone,
  PLACED_DOG_COUNT,
  waitForCounter,
  waitUntilAtRest,
  waitUntilIdle,
} from '#tests/support/map/map-suite.ts'

// The first view: from the specified centre and zoom to where the dogs are, once, unless somebody moves the map before.
const map = mapSuite('map first view')

/** Notes where the map's first mark is at each frame, and slows the clock by which Leaflet flies where `slower` says so. */
async function watchFlights(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: string[] = []
    Object.assign(window, { moves })
    // As a person sees it move: Leaflet sets the pane's scale and place each frame.
    const look = () => {
      const mark = document.querySelector<HTMLElement>('.mark')
      if (mark && moves.at(-1) !== mark.style.transform) moves.push(mark.style.transform)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    const times = Number(sessionStorage.getItem('slower') ?? 1)
    const { now } = Date
    const start = now()
    Date.now = () => start + (now() - start) / times
  })
}
map.before(async (t) => {
  await watchFlights(t.page)
  await watchFlights((await openPhone(t)).page)
})

const zooms = (visit: MapVisit) =>
  callsTo(visit, '/api/map').map(({ searchParams }) => Number(searchParams.get('zoom')))
const viewOf = ({ searchParams }: URL) =>
  searchParams.get('view')!.split(',').map(Number) as [number, number, number, number]
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

for (const [device, visitOf] of [
  ['desktop', (t: MapVisit) => Promise.resolve(t)],
  ['phone', openPhone],
] as const)
  map(`eases from zoom 2 to all of the dogs: ${device}`, async (t) => {
    const visit = await visitOf(t)
    const { page } = visit
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await openMap(visit)
    const asked = callsTo(visit, '/api/map')
    assert.is(zooms(visit)[0], 2)
    const [west, , east] = viewOf(asked[0]!)
    assert.ok(Math.abs((west + east) / 2 + 3.7038) < 0.4)
    const last = viewOf(asked.at(-1)!)
    assert.ok(zooms(visit).at(-1)! >= 4, `zoom ${zooms(visit).at(-1)}`)
    // Cáceres in the west, Barcelona in the east.
    assert.ok(last[0] < -6.37 && last[2] > 2.17 && last[1] < 39.4 && last[3] > 41.4, String(last))
    await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
    assert.ok((await moves(page)) > 5, 'it glides')
    assert.equal(await page.evaluate(coveredMarks), [], 'a mark under what stands over the map')
    // Nobody has moved it: the address says nothing, and nothing else moves it.
    assert.is(new URL(page.url()).search, '?view=map')
    await waitUntilAtRest(page)
    assert.is(callsTo(visit, '/api/map').length, asked.length)
  })

/** A free place at the left edge of the map, above the strip. */
const seaOf = (page: Page) =>
  page.evaluate(() => {
    const [map, strip] = ['.map-box', '.strip'].map((name) => document.querySelector(name)!.getBoundingClientRect())
    return { x: map!.left + 30, y: (map!.top + strip!.top) / 2 }
  })

const INTERRUPTIONS: [string, (page: Page) => Promise<unknown>][] = [
  [
    'a finger on the map',
    async (page) => {
      const { x, y } = await seaOf(page)
      await page.mouse.click(x, y)
    },
  ],
  [
    'the wheel',
    async (page) => {
      const { x, y } = await seaOf(page)
      await page.mouse.move(x, y)
      await page.mouse.wheel(0, 10)
    },
  ],
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
    const { page } = t
    // Each frame of a flight draws the whole window.
    await page.setViewportSize({ width: 800, height: 800 })
    // Flights take eight times as long, so that there is time to interrupt one.
    await page.evaluate(() => {
      sessionStorage.clear()
      sessionStorage.setItem('slower', '8')
    })
    t.calls.length = 0
    await page.goto(`${t.server.url}/?view=map`)
    await page.waitForFunction(() => (window as unknown as { moves: string[] }).moves.length > 3)
    await interrupt(page)
    await page.waitForFunction(() => location.search.includes('zoom='))
    await waitUntilIdle(page)
    const zoom = Number(new URL(page.url()).searchParams.get('zoom'))
    assert.ok(zoom >= 1 && zoom <= 6, `zoom ${zoom}`)
    const asks = zooms(t).length
    await waitUntilAtRest(page)
    assert.ok(zooms(t).length <= asks + 1)
    assert.is(Number(new URL(page.url()).searchParams.get('zoom')), zoom, 'it goes no further')
  })

map('jumps where motion is unwelcome, also to dogs beyond the first view', async (t) => {
  const { page } = t
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize(DESKTOP.viewport)
  // The last visit asks for what it shows now, before this one begins.
  await waitUntilAtRest(page)
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
  await openMap(t)
  await waitUntilAtRest(page)
  assert.is(zooms(t)[0], 2)
  const there = callsTo(t, '/api/map').at(-1)!
  assert.ok(viewOf(there)[0] > 160, there.search)
  assert.ok(zooms(t).at(-1)! > 8)
  assert.ok((await moves(page)) <= 4, `${await moves(page)} places`)
})

map('a map that was moved before the dogs are known stays where it is', async (t) => {
  const { page, server } = t
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route(/\/api\/map\?/, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await beginVisit(page)
  await page.goto(`${server.url}/?view=map`)
  await page.waitForSelector('.map-frame[data-state="ready"]')
  await page.locator('.map-box').focus()
  await page.keyboard.press('+')
  await page.waitForURL(/zoom=3/)
  release()
  await waitUntilIdle(page)
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  await waitUntilAtRest(page)
  assert.is(new URL(page.url()).searchParams.get('zoom'), '3')
})
