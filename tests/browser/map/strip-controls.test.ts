import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { madridSuite, openMadrid } from '#tests/support/map/madrid-suite.ts'
import { openPhone } from '#tests/support/map/map-suite.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { STRIP_DOG_COUNT } from '#tests/support/map/strip.ts'

const strip = madridSuite('map strip, its grip and the controls above it', STRIP_DOG_COUNT)

const grip = (page: Page) => page.getByRole('separator', { name: 'Altura del panel' })
/** Whether the strip is so high that it covers map and filters. */
const isOverMap = (page: Page) =>
  page.evaluate(() => {
    const [frame, strip] = ['.map-frame', '.strip'].map((name) => document.querySelector(name)!.getBoundingClientRect())
    return strip!.top < frame!.top + 79
  })

strip('what stands over a phone’s map has room at every height of the strip, and covers nothing else', async (t) => {
  const phone = await openPhone(t)
  const { page } = phone
  for (const [width, height] of [
    [320, 700],
    [390, 664],
    [390, 844],
    [447, 862],
    [540, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openMadrid(phone)
    await grip(page).focus()
    for (const key of ['Home', 'Enter', 'Enter', 'End']) {
      await page.keyboard.press(key)
      const faults = () =>
        page.evaluate(() => {
          const names = [
            '.map-over .input',
            '.map-count',
            '.map-tools > button',
            '.leaflet-control-attribution',
            '.strip',
          ]
          const boxes = names
            .map((name) => ({ name, element: document.querySelector(name)! }))
            .filter(({ element }) => getComputedStyle(element).clipPath === 'none')
            .map(({ name, element }) => ({ name, box: element.getBoundingClientRect() }))
          const { top } = document.querySelector('.map-frame')!.getBoundingClientRect()
          const strip = boxes.at(-1)!.box
          // Higher than that it covers map and filters.
          if (strip.top < top + 79) return []
          const isOver = (a: DOMRect, b: DOMRect) =>
            a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
          return boxes.flatMap((one, index) =>
            boxes
              .slice(index + 1)
              .flatMap((other) => (isOver(one.box, other.box) ? [`${one.name} ${other.name}`] : [])),
          )
        })
      // The map's height follows the strip's once its transition has ended.
      const settled = waitUntilTrue(`${width} x ${height} after ${key}`, async () => {
        const isReserved = await page.evaluate(() => {
          const strip = document.querySelector<HTMLElement>('.strip')!
          const reserved = document.querySelector<HTMLElement>('.map-frame')!.style.getPropertyValue('--strip')
          return strip.getAnimations().length === 0 && Math.abs(strip.offsetHeight - parseFloat(reserved)) < 2
        })
        return (isReserved || (await isOverMap(page))) && (await faults()).length === 0
      })
      await settled.catch(async (error: Error) => assert.unreachable(`${error.message}: ${await faults()}`))
    }
  }
})

strip('a press of the grip begins no selection, and still focuses it', async (t) => {
  const { page } = t
  await openMadrid(t)
  await page.evaluate(() => {
    document.addEventListener('mousedown', (event) => (document.title = String(event.defaultPrevented)))
  })
  const box = (await grip(page).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + 12)
  assert.is(await page.title(), 'true')
  await grip(page).and(page.locator(':focus')).waitFor()
})
