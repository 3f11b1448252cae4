import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { tabStopFaults } from '#tests/support/browser/focus-walk.ts'
import { MADRID_MAP, STRIP_CARD } from '#tests/support/browser/templates.ts'
import { createMatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// The focus is seen on the map at 400 %. Other pages: templates-visitor, templates-member, browser/layout/templates-desktop.
const focus = suite('focus is seen')
const t = {} as { server: TestServer; browser: Browser }

focus.before(async () => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    await createMatrixWorld(db, t.server.dataDir, 'admin@ejemplo.es')
    await seed(db, ...Array.from({ length: 12 }, () => dog({ owner_id: null, zone: 'Madrid' })))
  })
})
focus.after(async () => {
  await t.browser.close()
  await t.server.dispose()
})

focus('on the map at 400 % of 1280 x 1024', async () => {
  const context = await openContext(t.browser, { viewport: { width: 320, height: 256 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(t.server.url + MADRID_MAP)
  await page.locator(STRIP_CARD).first().waitFor()
  assert.equal(await tabStopFaults(page), [])
  await context.close()
})

focus.run()
