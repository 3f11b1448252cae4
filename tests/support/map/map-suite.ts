import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

export interface MapWorld {
  server: TestServer
  browser: Browser
  context: BrowserContext
  page: Page
  errors: string[]
}

/** Dogs on the map: 12 beagles in Toledo, 30 Dalmatians in Barcelona, a galgo in Cáceres. */
export const PLACED_DOG_COUNT = 43

async function seedMapDogs(server: TestServer): Promise<void> {
  await withDatabase(server, async (db) => {
    await seed(db, member({ alias: 'Ana' }), dog({ name: 'Viento', breed: 'Galgo español', zone: 'Cáceres' }))
    for (let i = 1; i <= 12; i++) await seed(db, dog({ name: `Bolo ${i}`, zone: 'Toledo', size: 'mediano' }))
    for (let i = 1; i <= 30; i++) await seed(db, dog({ name: `Mota ${i}`, breed: 'Dálmata', zone: 'Barcelona' }))
    // The newest, also where all of them are seeded within a millisecond.
    await seed(db, dog({ name: 'Nadie sabe', created_at: Date.now() + 1 }))
  })
}

/**
 * A suite over one server with dogs on the map; each test gets a page that moves at once.
 * @param ignored words of errors that these tests cause and browsers log whenever they come
 */
export function mapSuite(name: string, env: Record<string, string> = {}, ignored?: string) {
  const map = suite<MapWorld>(name)
  map.before(async (t) => {
    t.server = await startServer(env)
    t.browser = await launchBrowser()
    await seedMapDogs(t.server)
  })
  map.after(async (t) => {
    await t.browser.close()
    await t.server.dispose()
  })
  map.before.each(async (t) => {
    t.context = await openMapContext(t.browser)
    t.page = await t.context.newPage()
    t.errors = watchErrors(t.page)
  })
  map.after.each(async (t) => {
    await t.context.close()
    assert.equal(
      t.errors.filter((each) => !ignored || !each.includes(ignored)),
      [],
    )
  })
  return map
}

/** A visitor to whom every photo is the placeholder: the seeded rows have no files. */
export async function openMapContext(
  browser: Browser,
  options: BrowserContextOptions = DESKTOP,
): Promise<BrowserContext> {
  const context = await openContext(browser, { reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(10_000)
  await context.route('**/_ipx/**', (route) =>
    route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' }),
  )
  return context
}

export const TOLEDO = 'lat=39.86&lon=-4.03&zoom=7'
/** All of Toledo's dogs, some of them in piles. */
export const TOLEDO_NEAR = 'lat=39.86&lon=-4.03&zoom=15'
/** So near that most of them stand alone. */
export const TOLEDO_PINS = 'lat=39.8581&lon=-4.0226&zoom=17'
export const CACERES = 'lat=39.47&lon=-6.37&zoom=9'

/** Opens the map's page and waits until its marks are there. */
export async function openMap({ page, server }: Pick<MapWorld, 'page' | 'server'>, query = ''): Promise<void> {
  await page.goto(`${server.url}/?view=map${query && `&${query}`}`)
  await waitUntilIdle(page)
}

/** The map stands still and its last question is answered. */
export const waitUntilIdle = (page: Page): Promise<unknown> =>
  page.waitForSelector('.map-frame[data-state="ready"][data-busy="false"]')

/**
 * Map and strip have their answers: cards, or that there are none, and no card of the view before, which is pale, is left in
 * it.
 */
export const waitForCards = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('.map-frame[data-state="ready"][data-busy="false"] .strip[data-state="loaded"]') &&
      [...document.querySelectorAll('.strip li')].every((card) => getComputedStyle(card).opacity === '1'),
  )

export const markButton = (page: Page, name: string) =>
  page.locator('.mark').and(page.getByRole('button', { name, exact: true }))
export const waitForCounter = (page: Page, words: string) =>
  page.locator('.map-count', { hasText: new RegExp(`^\\s*${words}\\s*$`) }).waitFor()

/** Presses a dog's own photo, once there is one that nothing lies on, and says whose it is: piles hold several dogs. */
export async function pressPin(page: Page): Promise<string> {
  const found = await page.waitForFunction(() => {
    for (const pin of document.querySelectorAll<HTMLElement>('.mark.pin:not(.pile)')) {
      const { left, top, width } = pin.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + width / 2]
      if (pin.contains(document.elementFromPoint(x, y))) return { x, y, label: pin.ariaLabel! }
    }
    return null
  })
  const { x, y, label } = (await found.jsonValue())!
  await page.mouse.click(x, y)
  return label.split(',')[0]!
}

/** The place in the page's address, as it says it. */
export const readMapQuery = (page: Page) => {
  const { searchParams } = new URL(page.url())
  return Object.fromEntries(
    ['lat', 'lon', 'zoom', 'breed', 'size', 'view'].map((name) => [name, searchParams.get(name)]),
  )
}
