import { tabStopFaults } from '#tests/support/browser/focus-walk.ts'
import { MADRID_MAP, STRIP_CARD } from '#tests/support/browser/templates.ts'
import { createMatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { assert, pageSuite } from '#tests/support/suites.ts'

// The focus is seen on the map at 400 %. Other pages: templates-visitor, templates-member, browser/layout/templates-desktop.
const options = { viewport: { width: 320, height: 256 }, reducedMotion: 'reduce' } as const
const focus = pageSuite('focus is seen', {}, options)

focus.before(async (t) => {
  await createMatrixWorld(t.server.db, t.server.dataDir, 'admin@ejemplo.es')
  await seed(t.server.db, ...Array.from({ length: 12 }, () => dog({ owner_id: null, zone: 'Madrid' })))
})

focus('on the map at 400 % of 1280 x 1024', async ({ server, page }) => {
  page.setDefaultTimeout(15_000)
  await page.goto(server.url + MADRID_MAP)
  await page.locator(STRIP_CARD).first().waitFor()
  assert.equal(await tabStopFaults(page), [])
})
