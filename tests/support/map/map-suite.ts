import { sql } from 'kysely'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import type { Trx as Db } from '#db/client.ts'
import { DESKTOP, launchBrowser, openContext, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

/** A visitor's page, which the tests of a suite share: each goes on from the last one's state or begins a new visit with `openMap`. */
export interface MapVisit {
  server: TestServer
  context: BrowserContext
  page: Page
  errors: string[]
  /** The API calls of the page since its last new visit, in order. */
  calls: URL[]
}

/** Dogs by name, with their ids and paths. */
export type SeededDogs = Map<string, { id: string; path: string }>

export interface MapWorld extends MapVisit {
  browser: Browser
  dogs: SeededDogs
  /** The suite's other visits (`openVisit`), by name. */
  visits: Map<string, MapVisit>
  /** Errors that the running test causes; a test that ends forgets them. */
  expectedErrors: RegExp | null
}

interface SuiteOptions {
  env?: Record<string, string>
  /** Words of errors that these tests cause and browsers log whenever they come. */
  ignored?: string
  options?: BrowserContextOptions
  seedDogs?: (db: Db) => Promise<SeededDogs | void>
}

/** Dogs on the map: 12 beagles in Toledo, 30 Dalmatians in Barcelona, a galgo in Cáceres. */
export const PLACED_DOG_COUNT = 43

/**
 * The same ids in each run: an id says where in its zone a dog stands, and of random ones now and then a test's view would hold
 * no dog, or too many in one place.
 */
export const dogId = (n: number): string => `00000003-0000-4000-8000-${String(n).padStart(12, '0')}`

async function seedMapDogs(db: Db): Promise<void> {
  const viento = dog({ id: dogId(0), name: 'Viento', breed: 'Galgo español', zone: 'Cáceres' })
  await seed(db, member({ alias: 'Ana' }), viento)
  for (let i = 1; i <= 12; i++)
    await seed(db, dog({ id: dogId(i + 1), name: `Bolo ${i}`, zone: 'Toledo', size: 'mediano' }))
  for (let i = 1; i <= 30; i++)
    await seed(db, dog({ id: dogId(i + 100), name: `Mota ${i}`, breed: 'Dálmata', zone: 'Barcelona' }))
  // The newest, also where all of them are seeded within a millisecond.
  await seed(db, dog({ name: 'Nadie sabe', created_at: Date.now() + 1 }))
}

/**
 * Gives every dog the placeholder as its photo: seeded rows have no files, and answering their requests in the test would
 * switch the browser's cache off, so that each navigation loads and compiles all scripts again.
 */
async function usePlaceholderPhotos(db: Db): Promise<void> {
  await db.updateTable('dogs_all').set({ photo_url: '/placeholder.svg' }).execute()
  // Two dogs never share a file.
  await db
    .updateTable('dog_images_all')
    .set({ url: sql`'/placeholder.svg?' || dog_id` })
    .execute()
}

/** A suite over one server with dogs on the map and one page, on which motion is reduced: the map moves at once. */
export function mapSuite(name: string, { env, ignored, options, seedDogs = seedMapDogs }: SuiteOptions = {}) {
  const map = suite<MapWorld>(name)
  map.before(async (t) => {
    t.server = await startServer(env)
    t.browser = await launchBrowser()
    t.dogs = (await seedDogs(t.server.db)) ?? new Map()
    await usePlaceholderPhotos(t.server.db)
    t.visits = new Map()
    t.expectedErrors = null
    Object.assign(t, await openVisit(t, 'first', options))
  })
  map.after(async (t) => {
    await t.browser.close()
    await t.server.dispose()
  })
  map.after.each(async (t) => {
    const errors: string[] = []
    for (const visit of t.visits.values()) {
      await visit.page.unrouteAll({ behavior: 'ignoreErrors' })
      await visit.page.emulateMedia({ colorScheme: 'light' })
      errors.push(...visit.errors.splice(0))
    }
    const { expectedErrors } = t
    t.expectedErrors = null
    assert.equal(
      errors.filter((each) => !expectedErrors?.test(each) && !(ignored && each.includes(ignored))),
      [],
    )
  })
  return map
}

/** The visit of this name, opened when it is first asked for; its errors count as the suite's. */
export async function openVisit(
  { browser, server, visits }: Pick<MapWorld, 'browser' | 'server' | 'visits'>,
  name: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<MapVisit> {
  const known = visits.get(name)
  if (known) return known
  const context = await openMapContext(browser, options)
  const page = await context.newPage()
  const calls: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.startsWith('/api/')) calls.push(url)
  })
  const visit = { server, context, page, errors: watchErrors(page), calls }
  visits.set(name, visit)
  return visit
}

/** The suite's phone. */
export const openPhone = (t: MapWorld): Promise<MapVisit> => openVisit(t, 'phone', PHONE)

/** In `window.name`: the next document of this page begins a new visit. */
const NEW_VISIT = 'new visit'

export async function openMapContext(
  browser: Browser,
  options: BrowserContextOptions = DESKTOP,
): Promise<BrowserContext> {
  const context = await openContext(browser, { reducedMotion: 'reduce', ...options })
  await context.addInitScript((newVisit) => {
    if (window.name !== newVisit) return
    window.name = ''
    sessionStorage.clear()
    localStorage.clear()
  }, NEW_VISIT)
  return context
}

/** Makes the page's next document the first of a new visit: nothing is stored. */
export const beginVisit = (page: Page): Promise<unknown> =>
  page.evaluate((newVisit) => void (window.name = newVisit), NEW_VISIT)

export const TOLEDO = 'lat=39.86&lon=-4.03&zoom=7'
/** All of Toledo's dogs, some of them in piles. */
export const TOLEDO_NEAR = 'lat=39.86&lon=-4.03&zoom=15'
/** So near that most of them stand alone. */
export const TOLEDO_PINS = 'lat=39.8581&lon=-4.0226&zoom=17'
export const CACERES = 'lat=39.47&lon=-6.37&zoom=9'

/** Opens the map's page as a new visit and waits until its marks are there. */
export async function openMap(
  { page, server, calls }: Pick<MapVisit, 'page' | 'server'> & Partial<Pick<MapVisit, 'calls'>>,
  query = '',
): Promise<void> {
  await beginVisit(page)
  calls?.splice(0)
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

/** What the page asked of the API at this path since its visit began. */
export const callsTo = ({ calls }: Pick<MapVisit, 'calls'>, pathname: string): URL[] =>
  calls.filter((url) => url.pathname === pathname)

/** The map has stood still for half a second's frames, and its last question is answered. */
export async function waitUntilAtRest(page: Page): Promise<void> {
  await page.evaluate(() => {
    const place = () => [...document.querySelectorAll<HTMLElement>('.mark')].map(({ style }) => style.transform).join()
    return new Promise<void>((done) => {
      let [last, still] = [place(), 0]
      const look = () => {
        const now = place()
        still = now === last ? still + 1 : 0
        last = now
        if (still < 30) requestAnimationFrame(look)
        else done()
      }
      requestAnimationFrame(look)
    })
  })
  await waitUntilIdle(page)
}

/** Presses keys on the map until its address and its marks are of this zoom. */
export async function zoomTo(page: Page, zoom: number): Promise<void> {
  await page.locator('.map-box').focus()
  for (let now = Number(readMapQuery(page).zoom); now !== zoom; now += Math.sign(zoom - now))
    await page.keyboard.press(now < zoom ? '+' : '-')
  await page.waitForURL((url) => url.searchParams.get('zoom') === String(zoom))
  await waitUntilIdle(page)
}

export const markButton = (page: Page, name: string) =>
  page.locator('.mark').and(page.getByRole('button', { name, exact: true }))
export const waitForCounter = (page: Page, words: string) =>
  page.locator('.map-count', { hasText: new RegExp(`^\\s*${words}\\s*$`) }).waitFor()

/** Presses a dog's own photo, once there is one that nothing lies on, and says whose it is: piles hold several dogs. */
export async function pressPin(page: Page): Promise<string> {
  await waitUntilIdle(page)
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
