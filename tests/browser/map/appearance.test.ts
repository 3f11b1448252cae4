import type { Page } from 'playwright'
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
  waitUntilAtRest,
  waitUntilIdle,
} from '#tests/support/map/map-suite.ts'

const map = mapSuite('map looks')

for (const query of [TOLEDO, TOLEDO_NEAR, CACERES, 'breed=beagle&size=gigante'])
  map(`passes axe, on a desktop and on a phone: ${query}`, async (t) => {
    const { page } = t
    await openMap(t, query)
    const popup = page.locator('.pop')
    for (const { viewport } of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      await waitUntilAtRest(page)
      if (query === CACERES) {
        await page.locator('.mark.pin').first().dispatchEvent('click')
        await popup.waitFor()
        await waitUntilAtRest(page)
      }
      // Cards of the view before are pale until the new ones come.
      await waitForCards(page)
      assert.equal(await axeFaultsInBothThemes(page), [], `${viewport.width} px`)
      if (query === CACERES) await popup.getByRole('button', { name: 'Cerrar' }).click()
      await popup.waitFor({ state: 'detached' })
    }
    await page.setViewportSize(DESKTOP.viewport)
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

/**
 * The lowest contrast of an element's text on the foil of its card, over all colours of the gradient: axe measures none on
 * gradients. In the dark these multiply with the card's colour.
 */
const foilContrast = (page: Page, selector: string, style: string): Promise<number> =>
  page.evaluate(
    ([selector, style]) => {
      const card = document.querySelector('.strip-card')!
      card.classList.remove('platinum', 'holo')
      card.classList.add(style!)
      const pixel = new OffscreenCanvas(1, 1).getContext('2d')!
      const toRgb = (color: string) => {
        pixel.clearRect(0, 0, 1, 1)
        pixel.fillStyle = color
        pixel.fillRect(0, 0, 1, 1)
        return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
      }
      const luminance = (rgb: number[]) => {
        const [r, g, b] = rgb.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
      }
      const { backgroundImage, backgroundColor, backgroundBlendMode } = getComputedStyle(card)
      const base = backgroundBlendMode.includes('multiply') ? toRgb(backgroundColor) : [1, 1, 1]
      const text = luminance(toRgb(getComputedStyle(card.querySelector(selector!)!).color))
      const stops = backgroundImage.match(/rgb\([^)]+\)/g) ?? []
      const grounds = stops.map((stop) => luminance(toRgb(stop).map((part, i) => part * base[i]!)))
      return (Math.min(...grounds) + 0.05) / (text + 0.05)
    },
    [selector, style],
  )

map('heart count and zone of a foil card have 4.5:1 on its darkest place, by day and by night', async (t) => {
  const { page } = t
  await openMap(t, CACERES)
  await waitForCards(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const style of ['platinum', 'holo'])
      for (const selector of ['.lk', '.see']) {
        const contrast = await foilContrast(page, selector, style)
        assert.ok(contrast >= 4.5 && contrast < 21, `${style} ${selector}, ${colorScheme}: ${contrast}`)
      }
  }
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
