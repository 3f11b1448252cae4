import type { Browser, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { findAnimations, countPositions } from '#tests/support/browser/animations.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// What moves by script, and holds still where motion is unwanted (WCAG 2.3.3). Each deed is also done where motion is
// wanted, so that it is known to move then. What moves by style: browser/accessibility/templates and browser/dialogs-*.
const motion = suite<{ server: TestServer; browser: Browser; path: string }>('motion')

motion.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  const [, toby] = await withDatabase(t.server, (db) =>
    seed(
      db,
      member({ alias: 'Ana' }),
      dog({ name: 'Toby', zone: 'Madrid', photos: 3 }),
      ...Array.from({ length: 6 }, () => dog({ zone: 'Madrid' })),
    ),
  )
  t.path = toby.path
})
motion.after(async (t) => {
  await t.browser.close()
  await t.server.dispose()
})

type MotionTest = (page: Page) => Promise<number>

const MAP = '/?view=map&lat=40.4168&lon=-3.7038&zoom=10'
const map = async (page: Page, url: string) => {
  await page.goto(url + MAP)
  await page.locator('.strip .swiper-initialized .strip-card').first().waitFor()
}

const MOTION_TESTS: Record<string, (url: string, path: string) => MotionTest> = {
  'the map’s search': (url) => async (page) => {
    await map(page, url)
    await page.getByLabel('Buscar dirección').fill('Toledo')
    return countPositions(page, '.leaflet-tile-container', async () => {
      await page.keyboard.press('Enter')
      await page.locator('.address-message.found').waitFor()
    })
  },
  'the map’s zoom': (url) => async (page) => {
    await map(page, url)
    return countPositions(page, '.leaflet-tile-container', () => page.getByRole('button', { name: 'Acercar' }).click())
  },
  'the strip’s steps': (url) => async (page) => {
    await map(page, url)
    // So narrow that its cards stand beyond the edge.
    await page.setViewportSize({ width: 480, height: 800 })
    const next = page.getByRole('button', { name: 'Perro siguiente' })
    await countPositions(page, '.strip .swiper-wrapper', () => next.click())
    return countPositions(page, '.strip .swiper-wrapper', () => next.click())
  },
  'a breed’s notes': (url) => async (page) => {
    await page.goto(`${url}/razas/beagle`)
    await page.locator('[data-facts]').scrollIntoViewIfNeeded()
    await page.locator('[data-facts=on]').waitFor()
    return countPositions(page, '.swiper-wrapper', () => page.getByRole('button', { name: 'Siguiente' }).click())
  },
  'a dog’s photos': (url, path) => async (page) => {
    await page.goto(url + path)
    return countPositions(page, '[data-strip] > :first-child', () =>
      page.locator('[data-step="1"]').dispatchEvent('click'),
    )
  },
  'the photos full screen': (url, path) => async (page) => {
    await page.goto(url + path)
    await page.locator('[data-zoom]').click()
    await page.locator('.yarl__portal_open').waitFor()
    return countPositions(page, '.yarl__carousel', () => page.keyboard.press('ArrowRight'))
  },
}

for (const [name, deed] of Object.entries(MOTION_TESTS))
  motion(name, async ({ server, browser, path }) => {
    const count = async (reducedMotion: 'reduce' | 'no-preference') => {
      const context = await openContext(browser, { ...DESKTOP, reducedMotion })
      context.setDefaultTimeout(8000)
      const page = await context.newPage()
      const seen = await deed(server.url, path)(page)
      if (reducedMotion === 'reduce') assert.equal(await findAnimations(page), [])
      await context.close()
      return seen
    }
    const still = await count('reduce')
    const moved = await count('no-preference')
    assert.ok(still <= 3, `${still} places without motion`)
    assert.ok(moved > still, `${moved} places with motion, ${still} without`)
  })

motion('from page to page', async ({ server, browser }) => {
  const fades = async (reducedMotion: 'reduce' | 'no-preference') => {
    const context = await openContext(browser, { ...DESKTOP, reducedMotion })
    const page = await context.newPage()
    await page.addInitScript(() => {
      addEventListener('pagereveal', ({ viewTransition }) => Object.assign(window, { fades: viewTransition !== null }))
    })
    await page.goto(server.url)
    await page.getByRole('link', { name: 'Comunidad' }).first().click()
    await page.waitForURL('**/comunidad')
    const fades = await page.evaluate(() => (window as unknown as { fades: boolean }).fades)
    await context.close()
    return fades
  }
  assert.is(await fades('reduce'), false)
  assert.is(await fades('no-preference'), true)
})

motion.run()
