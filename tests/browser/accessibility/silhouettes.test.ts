import type { BrowserContextOptions, Locator } from 'playwright'
import sharp from 'sharp'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { serverSuite } from '#tests/support/suites.ts'

const silhouettes = serverSuite('browser/accessibility/silhouettes')

const linear = (part: number) => (part <= 10 ? part / 3295 : ((part / 255 + 0.055) / 1.055) ** 2.4)

/** The contrast of a portrait's middle to the ground above its head, as it is painted. */
async function contrastOf(shot: Locator): Promise<number> {
  const { data, info } = await sharp(await shot.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const luminanceAt = (y: number) => {
    const from = (Math.round(info.height * y) * info.width + Math.round(info.width / 2)) * info.channels
    return 0.2126 * linear(data[from]!) + 0.7152 * linear(data[from + 1]!) + 0.0722 * linear(data[from + 2]!)
  }
  const [light, dark] = [luminanceAt(0.05), luminanceAt(0.65)].toSorted((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

const MODES: [name: string, options: BrowserContextOptions, ...args: string[]][] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
  ['dark forced colours', { forcedColors: 'active', colorScheme: 'dark' }],
  ['forced dark', {}, '--enable-features=WebContentsForceDark'],
]
for (const [name, options, ...args] of MODES)
  silhouettes(`${name}: those of undiscovered breeds and of the riddle stand out 3 : 1`, async ({ server }) => {
    const browser = await launchBrowser(args.length > 0, args)
    const context = await openContext(browser, { ...DESKTOP, ...options, reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const [path, shot] of [
      ['/razas', '.slot .shot'],
      ['/razas?vista=lista', '.slot .shot'],
      ['/reto', '.riddle-face .shot'],
    ] as const) {
      await page.goto(server.url + path, { waitUntil: 'networkidle' })
      const contrast = await contrastOf(page.locator(shot).nth(0))
      assert.ok(contrast >= 3, `${path}: ${contrast.toFixed(2)} : 1`)
    }
    await context.close()
    await browser.close()
  })
