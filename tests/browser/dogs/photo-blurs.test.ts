import type { Locator } from 'playwright'
import { call, formOf } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { startServer } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const server = await startServer()
const browser = await launchBrowser()
const picture = new Blob([new Uint8Array(await quarteredPicture(800, 800).jpeg().toBuffer())], { type: 'image/jpeg' })
const form = formOf({ name: 'Toby', breed: 'Beagle', relationship: 'owner', images: [picture, picture] })
const { body } = await call(server, '/api/dogs', { method: 'POST', form })

const blurs = suite('colours in a photo’s place')

/** What lies on the shot a little inside its first corner and its last, as the screen shows them. */
async function cornersOf(shot: Locator): Promise<string[]> {
  const png = (await shot.screenshot()).toString('base64')
  return shot.page().evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0)
    const strong = (x: number, y: number) =>
      context
        .getImageData(Math.round(image.width * x), Math.round(image.height * y), 1, 1)
        .data.slice(0, 3)
        .map((value) => (value > 128 ? 1 : 0))
        .join('')
    return [strong(0.15, 0.3), strong(0.75, 0.3)]
  }, png)
}

for (const [name, options] of Object.entries({ DESKTOP, PHONE }))
  for (const path of ['/perros', '/razas/beagle', body.dog.path])
    blurs(`${path} shows them until the photo has come, asks for nothing and moves nothing (${name})`, async () => {
      const { page, errors } = await takePage(browser, { ...options, reducedMotion: 'reduce' })
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const asked: string[] = []
      await page.route('**/_ipx/**', (route) => released.then(() => route.continue()))
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(server.url + path, { waitUntil: 'domcontentloaded' })
      const shot = page.locator('.shot:has(> .blur)').first()
      await shot.scrollIntoViewIfNeeded()
      const blur = shot.locator('.blur')
      await blur.evaluate((image: HTMLImageElement) => image.decode())
      assert.equal(await blur.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]), [4, 4])
      const [place, room] = [await blur.boundingBox(), await shot.boundingBox()]
      assert.equal(place, room, 'it fills the photo’s place')
      const pic = shot.locator('.pic').first()
      assert.is(await pic.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0), false)
      assert.equal(
        asked.filter((url) => /s_24x24|s_48x48/.test(url)),
        [],
      )
      // Red and green above, as in the photo.
      assert.equal(await cornersOf(shot), ['100', '010'])
      await page.evaluate(() => {
        Object.assign(window, { shift: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            Object.assign(window, { shift: (entry as never as { value: number }).value })
        }).observe({ type: 'layout-shift' })
      })
      release()
      await pic.evaluate((image: HTMLImageElement) => image.decode())
      assert.equal(await shot.boundingBox(), room)
      assert.is(await page.evaluate(() => (window as never as { shift: number }).shift), 0)
      // The photo lies over them.
      const top = await pic.evaluate((image) => {
        const { left, top, width, height } = image.getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height / 3)?.className
      })
      assert.is.not(top, 'blur')
      assert.equal(errors, [])
    })

blurs.after(async () => {
  await browser.close()
  await server.dispose()
})
