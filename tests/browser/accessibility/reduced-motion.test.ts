import type { Page } from 'playwright'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { findAnimations, countPositions } from '#tests/support/browser/animations.ts'
import { waitUntilIdle } from '#tests/support/map/map-suite.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// What moves by script, and holds still where motion is unwanted (WCAG 2.3.3). Each step is also taken where motion is
// wanted, so that it is known to move then. What moves by style: browser/layout/templates-desktop and dialogs-*.
type MotionWorld = BrowserWorld & { path: string }
const motion = browserSuite<MotionWorld>('motion')

motion.before(async (t) => {
  const [, toby] = await seed(
    t.server.db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby', zone: 'Madrid', photos: 3 }),
    ...Array.from({ length: 6 }, () => dog({ zone: 'Madrid' })),
  )
  t.path = toby.path
})

interface MotionStep {
  name: string
  /** The page; the last step's goes on where it is the same. */
  path: string
  /** Done on the page. @returns through how many places a part of it went */
  count: (page: Page) => Promise<number>
}

const MAP = '/?view=map&lat=40.4168&lon=-3.7038&zoom=10'

const motionSteps = (dogPath: string): MotionStep[] => [
  {
    name: 'the map’s zoom',
    path: MAP,
    count: async (page) => {
      await page.locator('.strip .swiper-initialized .strip-card').first().waitFor()
      const nearer = page.getByRole('button', { name: 'Acercar' })
      return countPositions(page, '.leaflet-tile-container', () => nearer.click())
    },
  },
  {
    name: 'the strip’s steps',
    path: MAP,
    count: async (page) => {
      await waitUntilIdle(page)
      // So narrow that its cards stand beyond the edge.
      await page.setViewportSize({ width: 480, height: 800 })
      const next = page.getByRole('button', { name: 'Perro siguiente' })
      await countPositions(page, '.strip .swiper-wrapper', () => next.click())
      return countPositions(page, '.strip .swiper-wrapper', () => next.click())
    },
  },
  {
    name: 'the map’s search',
    path: MAP,
    count: async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      await waitUntilIdle(page)
      await page.getByLabel('Buscar dirección').fill('Toledo')
      return countPositions(page, '.leaflet-tile-container', async () => {
        await page.keyboard.press('Enter')
        await page.locator('.address-message.found').waitFor()
      })
    },
  },
  {
    name: 'a breed’s notes',
    path: '/razas/beagle',
    count: async (page) => {
      await page.locator('[data-facts]').scrollIntoViewIfNeeded()
      await page.locator('[data-facts=on]').waitFor()
      const next = page.getByRole('button', { name: 'Siguiente' })
      return countPositions(page, '.swiper-wrapper', () => next.click())
    },
  },
  {
    name: 'a dog’s photos',
    path: dogPath,
    count: (page) =>
      countPositions(page, '[data-strip] > :first-child', () => page.locator('[data-step="1"]').dispatchEvent('click')),
  },
  {
    name: 'the photos full screen',
    path: dogPath,
    count: async (page) => {
      await page.locator('[data-zoom]').click()
      await page.locator('.yarl__portal_open').waitFor()
      return countPositions(page, '.yarl__carousel', () => page.keyboard.press('ArrowRight'))
    },
  },
]

/** Does all steps on one page, each page opened with this preference. @returns through how many places each part went */
async function countSteps(t: MotionWorld, reducedMotion: 'reduce' | 'no-preference'): Promise<Record<string, number>> {
  const context = await openContext(t.browser, { ...DESKTOP, reducedMotion })
  context.setDefaultTimeout(8000)
  const page = await context.newPage()
  const counts: Record<string, number> = {}
  let last: string | undefined
  for (const { name, path, count } of motionSteps(t.path)) {
    if (path !== last) await page.goto(t.server.url + path)
    last = path
    counts[name] = await count(page)
    if (reducedMotion === 'reduce') assert.equal(await findAnimations(page), [], name)
  }
  await context.close()
  return counts
}

motion('the map’s zoom, strip and search, a breed’s notes and a dog’s photos', async (t) => {
  const still = await countSteps(t, 'reduce')
  const moved = await countSteps(t, 'no-preference')
  for (const [name, places] of Object.entries(still)) {
    assert.ok(places <= 3, `${name}: ${places} places without motion`)
    assert.ok(moved[name]! > places, `${name}: ${moved[name]} places with motion, ${places} without`)
  }
})

motion('from page to page', async ({ server, browser }) => {
  const page = await (await openContext(browser)).newPage()
  await page.addInitScript(() => {
    addEventListener('pagereveal', ({ viewTransition }) => Object.assign(window, { fades: viewTransition !== null }))
  })
  const fades = async (reducedMotion: 'reduce' | 'no-preference') => {
    await page.emulateMedia({ reducedMotion })
    await page.goto(server.url)
    await page.getByRole('link', { name: 'Comunidad' }).first().click()
    await page.waitForURL('**/comunidad')
    return page.evaluate(() => (window as unknown as { fades: boolean }).fades)
  }
  assert.is(await fades('reduce'), false)
  assert.is(await fades('no-preference'), true)
  await page.context().close()
})
