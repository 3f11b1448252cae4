import type { Browser, Page } from 'playwright'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { readLayoutShift } from '#tests/support/browser/requests.ts'
import { dogForm } from '#tests/support/dogs/dog-form.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, serverSuite } from '#tests/support/suites.ts'

const speed = serverSuite<{ browser: Browser }>('speed')

speed.before(async (t) => {
  // Letters as wide as phones draw them: hinted ones are rounded to whole pixels.
  t.browser = await launchBrowser(false, ['--font-render-hinting=none'])
  await seed(
    t.server.db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca', description: 'Ladra a las aspiradoras.' }),
    dog({ name: 'Lola', breed: 'Beagle', zone: 'Jaca' }),
  )
})
speed.after(({ browser }) => browser.close())

/** Seeded dogs have no photos. */
const unlessPhotos = (errors: string[]) => errors.filter((text) => !text.includes('404'))

const TEMPLATES = ['/', '/razas/beagle', '/beagle/toby', '/razas', '/comunidad', '/terminos']
const isReact = (page: Page, url: string) =>
  page.evaluate(async (src) => (await (await fetch(src)).text()).includes('react.transitional.element'), url)

speed('nothing of React comes within five seconds to who only reads, worker and all', async ({ server, browser }) => {
  const read = async (path: string) => {
    const context = await openContext(browser, { ...PHONE, serviceWorkers: 'allow' })
    const asked: string[] = []
    context.on('request', (request) => asked.push(request.url()))
    const page = await context.newPage()
    const errors = watchErrors(page)
    await page.goto(server.url + path)
    await page.waitForTimeout(5000)
    const scripts = [...new Set(asked)].filter((url) => url.endsWith('.js'))
    assert.ok(scripts.length > 3, path)
    for (const url of scripts) assert.not.ok(await isReact(page, url), `${path} brings ${url}`)
    assert.equal(unlessPhotos(errors), [])
    await context.close()
  }
  await Promise.all(['/beagle/toby', '/razas/beagle', '/terminos', '/privacidad'].map(read))
})

speed('the first click on a dog’s page is not lost while its code comes', async ({ server, browser }) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const errors = watchErrors(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${server.url}/beagle/toby`)
  assert.is(asked.filter((url) => /DogForm/.test(url)).length, 0)
  await page.locator('.side [data-add-dog]').click()
  await dogForm(page).getByLabel('Nombre').waitFor()
  assert.ok(asked.some((url) => /DogForm/.test(url)))
  assert.equal(unlessPhotos(errors), [])
  await context.close()
})

speed('the list’s code waits for the first photos, but not for who touches a card', async ({ server, browser }) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const waiting: (() => void)[] = []
  // Seeded dogs' photos have addresses, and here no answer comes for a while.
  await page.route('**/_ipx/**', (route) => void waiting.push(() => void route.continue().catch(() => {})))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const grid = () => asked.some((url) => /DogGrid/.test(url))
  await page.goto(`${server.url}/perros`, { waitUntil: 'domcontentloaded' })
  await page.waitForTimeout(1000)
  const isEarly = grid()
  await page.locator('main [data-dog]').first().hover()
  await page.waitForSelector('main astro-island:not([ssr])', { state: 'attached' })
  for (const send of waiting) send()
  assert.ok(waiting.length > 0)
  assert.not.ok(isEarly)
  assert.ok(grid())
  await context.close()
})

for (const [name, screen] of Object.entries({ phone: { ...PHONE, deviceScaleFactor: 2 }, desktop: DESKTOP }))
  speed(`${name}: letters that come late move nothing to speak of`, async ({ server, browser }) => {
    const { page } = await takePage(browser, { ...screen, reducedMotion: 'reduce' })
    const letters: (() => void)[] = []
    // Nothing intercepted comes from a cache.
    await page.route('**/*.woff2', (route) => void letters.push(() => void route.continue()))
    for (const path of TEMPLATES) {
      letters.length = 0
      await page.goto(server.url + path, { waitUntil: 'domcontentloaded' })
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
      assert.ok(letters.length > 0, `${path} has no letters of ours`)
      for (const send of letters.splice(0)) send()
      await page.evaluate(() => document.fonts.ready)
      await page.waitForTimeout(500)
      const shift = await readLayoutShift(page)
      assert.ok(shift < 0.01, `${path} shifts by ${shift}`)
    }
  })

speed('links are fetched ahead by rules in a file, and forgotten with every change', async ({ server }) => {
  const page = await fetch(`${server.url}/razas/beagle`)
  const [, rules] = /^"(\/_astro\/[^"]+)"$/.exec(page.headers.get('speculation-rules') ?? '')!
  const prerendered = await fetch(`${server.url}/terminos`)
  assert.is(prerendered.headers.get('speculation-rules'), `"${rules}"`)
  const file = await fetch(server.url + rules)
  assert.is(file.headers.get('content-type'), 'application/speculationrules+json')
  const json = JSON.parse(await file.text())
  assert.is(json.prefetch[0].eagerness, 'moderate')
  assert.is(json.prerender, undefined)
  const change = await fetch(`${server.url}/api/auth/sign-out`, { method: 'POST' })
  assert.is(change.headers.get('clear-site-data'), '"prefetchCache"')
})
