import type { Browser, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Whoever goes through a page with Tab sees where they are: nothing lies over what has the focus, and it is marked
// (WCAG 2.4.11, 2.4.7).
const focus = suite('focus is seen')
const t = {} as { server: TestServer; browser: Browser; world: MatrixWorld }

focus.before(async () => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    t.world = await createMatrixWorld(db, t.server.dataDir, 'admin@ejemplo.es')
    await seed(db, ...Array.from({ length: 12 }, () => dog({ owner_id: null, zone: 'Madrid' })))
  })
})
focus.after(async () => {
  await t.browser.close()
  await t.server.dispose()
})

const MAP = '/?view=map&lat=40.4168&lon=-3.7038&zoom=12'
/** More stops than a page may have here: the album's places go on and on. */
const MAX_TAB_STOPS = 70

/** The browser offers to install the site, which does so in a card. */
async function showJoinBanner(page: Page): Promise<void> {
  await page.evaluate(() => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    window.dispatchEvent(Object.assign(event, { prompt: async () => ({ outcome: 'dismissed' }) }))
  })
  await page.locator('.install').waitFor()
}

/** What is wrong with what has the focus; null at the page's end. */
const findFocusFaults = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at || at === document.body) return null
    const name = at.outerHTML.slice(0, 110)
    const boxes = [at, ...((at as HTMLInputElement).labels ?? [])].flatMap((one) => [...one.getClientRects()])
    const isSeen = boxes.some((box) => {
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const points = [
        [x, y],
        ...[box.left + 2, box.right - 2].flatMap((x) => [box.top + 2, box.bottom - 2].map((y) => [x, y])),
      ]
      return points.some(([x, y]) => {
        const hit = document.elementFromPoint(x!, y!)
        return (
          hit !== null &&
          (at.contains(hit) ||
            hit.contains(at) ||
            [...((at as HTMLInputElement).labels ?? [])].some((one) => one.contains(hit)))
        )
      })
    })
    if (!isSeen) return `hidden: ${name}`
    const shows = (one: Element, part?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, part)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    }
    // A link that fills its card is ringed by the card, a field by its box, a mark around what is seen of it.
    const around = at.closest('.sticker, label, .seg, .box') ?? at.querySelector('span, i')
    return shows(at) || shows(at, '::after') || (around && shows(around)) ? '' : `unmarked: ${name}`
  })

/** Goes through a page with Tab and back. @returns what is wrong with its stops */
async function goThrough(page: Page, path: string, withCard = false): Promise<string[]> {
  const found: string[] = []
  await page.goto(t.server.url + path)
  if (path === MAP) await page.locator('.strip .swiper-initialized .strip-card').first().waitFor()
  if (withCard) await showJoinBanner(page)
  for (const key of ['Tab', 'Shift+Tab']) {
    let stops = 0
    while (stops < MAX_TAB_STOPS) {
      await page.keyboard.press(key)
      const fault = await findFocusFaults(page)
      if (fault === null) break
      if (fault) found.push(`${path}, ${key}: ${fault}`)
      stops++
    }
    assert.ok(stops > 10, `${path}: ${stops} stops`)
    if (stops < MAX_TAB_STOPS) continue
    // Backwards from where the page ends.
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  }
  return found
}

for (const [name, options] of [
  ['on a phone', PHONE],
  ['on a desktop', DESKTOP],
] as const)
  focus(name, async () => {
    const context = await openContext(t.browser, { ...options, reducedMotion: 'reduce' })
    const [cookie, value] = (await t.world.cookieOf('owner')).split('=') as [string, string]
    await context.addCookies([{ name: cookie, value, url: t.server.url, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    page.setDefaultTimeout(5000)
    const found: string[] = []
    for (const [path, withCard] of [
      ...['/', '/razas', '/razas/beagle', t.world.loved.path, '/comunidad', '/perfil', MAP].map(
        (path) => [path] as const,
      ),
      // With the invitation to install over the page.
      ['/', true],
      [t.world.loved.path, true],
    ] as const) {
      found.push(...(await goThrough(page, path, withCard)))
    }
    assert.equal([...new Set(found)], [])
    await context.close()
  })

focus('on the map at 400 % of 1280 x 1024', async () => {
  const context = await openContext(t.browser, { viewport: { width: 320, height: 256 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(5000)
  assert.equal([...new Set(await goThrough(page, MAP))], [])
  await context.close()
})

focus.run()
