import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

export interface MadridWorld {
  server: TestServer
  browser: Browser
  dogs: Map<string, { id: string; path: string }>
  /** What each test ends with, in order. */
  cleanups: (() => Promise<void>)[]
}

/** A suite over one server with so many dogs in Madrid. */
export function madridSuite(name: string, count: number) {
  const madrid = suite<MadridWorld>(name)
  madrid.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
    t.dogs = await seedMadridDogs(t.server, count)
  })
  madrid.after(async (t) => {
    await t.browser.close()
    await t.server.dispose()
  })
  madrid.before.each((t) => {
    t.cleanups = []
  })
  madrid.after.each(async ({ cleanups }) => {
    for (const end of cleanups) await end()
  })
  return madrid
}

/**
 * A page on the map, closed with its test.
 * @param hear what the page asks for, as it asks
 * @param expected errors that are the test's own doing
 */
export async function openMadrid(
  t: MadridWorld,
  hear: (url: URL) => void,
  options: BrowserContextOptions = DESKTOP,
  expected: RegExp | null = null,
  view?: string,
) {
  const context = await openContext(t.browser, { reducedMotion: 'reduce', ...options })
  await context.route('**/_ipx/**', (route) =>
    route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' }),
  )
  const page = await context.newPage()
  const errors = watchErrors(page)
  page.on('request', (request) => hear(new URL(request.url())))
  t.cleanups.push(async () => {
    await context.close()
    assert.equal(
      errors.filter((error) => !expected?.test(error)),
      [],
    )
  })
  await openMap(page, t.server, view)
  return { page, context }
}

/** The centre of Madrid, near enough that its dogs stand in one circle. */
export const MADRID = 'lat=40.4168&lon=-3.7038&zoom=12'

/** Dogs of Madrid, «Perro 0» the newest, and «Solo» alone in Vigo; by name, with their paths. */
const seedMadridDogs = (server: TestServer, count: number): Promise<Map<string, { id: string; path: string }>> =>
  withDatabase(server, async (db) => {
    const now = Date.now()
    const fields = { breed: 'Beagle', size: 'mediano', owner_id: null } as const
    const [, ...dogs] = await seed(
      db,
      member(),
      ...Array.from({ length: count }, (_, i) =>
        dog({ ...fields, name: `Perro ${i}`, zone: 'Madrid', created_at: now - i * 1000 }),
      ),
      dog({ ...fields, breed: 'Dálmata', name: 'Solo', zone: 'Vigo', created_at: now - 1e9 }),
    )
    return new Map(dogs.map(({ id, name, path }) => [name, { id, path }]))
  })

/** Opens the map where `view` says, and waits until its strip shows dogs. */
export async function openMap(page: Page, server: TestServer, view = MADRID): Promise<void> {
  await page.goto(`${server.url}/?view=map&${view}`)
  await page.locator('.strip .swiper-initialized .strip-card').first().waitFor()
}

/** The card that is selected, by its name; waits until it is this one. */
export const waitForCard = (page: Page, name: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector('.strip-card.on h3 a')?.textContent === wanted, name)
