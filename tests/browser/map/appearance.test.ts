import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import {
  CACERES,
  mapSuite,
  openMap,
  openMapContext,
  TOLEDO,
  TOLEDO_NEAR,
  waitForCards,
  waitUntilIdle,
} from '#tests/support/map/map-suite.ts'

const map = mapSuite('map looks')

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  map(`passes axe: ${device}`, async ({ browser, server }) => {
    const context = await openMapContext(browser, options)
    const page = await context.newPage()
    for (const query of [TOLEDO, TOLEDO_NEAR, CACERES, 'breed=beagle&size=gigante']) {
      await openMap({ page, server }, query)
      if (query === CACERES) {
        await page.locator('.mark.pin').first().dispatchEvent('click')
        await page.locator('.pop').waitFor()
      }
      // Cards of the view before are pale until the new ones come.
      await waitForCards(page)
      assert.equal(await axeFaultsInBothThemes(page), [], query)
    }
    await context.close()
  })

map('fits a window without scrolling', async ({ browser, server }) => {
  const context = await openMapContext(browser, { viewport: { width: 320, height: 740 } })
  const page = await context.newPage()
  await openMap({ page, server }, 'breed=beagle')
  for (const width of [320, 390, 768, 1024]) {
    await page.setViewportSize({ width, height: 740 })
    await waitUntilIdle(page)
    const [scrollWidth, scrollHeight] = await page.evaluate(() => {
      const { documentElement: root } = document
      return [root.scrollWidth, root.scrollHeight]
    })
    assert.equal([scrollWidth, scrollHeight], [width, 740])
    const box = (await page.locator('.map-box').boundingBox())!
    assert.ok(box.height > 120, `${box.height} px of map at ${width} px`)
  }
  await context.close()
})

map('night falls on an open map', async (t) => {
  const { page } = t
  await openMap(t)
  const sea = () => page.locator('.map-box').evaluate((box) => getComputedStyle(box).backgroundColor)
  const day = await sea()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(
    (was) => getComputedStyle(document.querySelector('.map-box')!).backgroundColor !== was,
    day,
  )
})

map.run()
