import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { MADRID, madridSuite, openMadrid, waitForStrip } from '#tests/support/map/madrid-suite.ts'
import { beginVisit, openPhone, waitForCounter } from '#tests/support/map/map-suite.ts'
import { chevron, dragFinger, STRIP_DOG_COUNT, stripTitle } from '#tests/support/map/strip.ts'

const strip = madridSuite('map strip, its height', STRIP_DOG_COUNT)

const grip = (page: Page) => page.getByRole('separator', { name: 'Altura del panel' })
const height = (page: Page) => page.locator('.strip').evaluate((strip) => strip.getBoundingClientRect().height)
const waitForHeight = (page: Page, wanted: number) =>
  page.waitForFunction((px) => document.querySelector('.strip')!.getBoundingClientRect().height === px, wanted)

strip('the chevron unfolds it to 450 and back to 280; cards grow with it', async (t) => {
  const { page } = t
  await openMadrid(t)
  const photo = () =>
    page
      .locator('.strip-card .pic')
      .first()
      .evaluate((image) => image.getBoundingClientRect().height)
  const small = await photo()
  await chevron(page).click()
  await waitForHeight(page, 450)
  await page.locator('.strip-card.tall').first().waitFor()
  assert.ok((await photo()) > small * 1.3)
  // Its name stays; what changes is said once.
  assert.is(await chevron(page).getAttribute('aria-expanded'), 'true')
  await chevron(page).click()
  await waitForHeight(page, 280)
  assert.is(await chevron(page).getAttribute('aria-expanded'), 'false')
})

strip('a drag of its grip makes it from 200 to 500 pixels high, and the session remembers', async ({ page }) => {
  assert.is(await height(page), 280)
  const box = (await grip(page).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + 12]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - 133, { steps: 4 })
  await waitForHeight(page, 413)
  assert.is(await grip(page).getAttribute('aria-valuenow'), '413')
  await page.mouse.move(x, 5, { steps: 4 })
  await waitForHeight(page, 500)
  await page.mouse.move(x, 890, { steps: 4 })
  await waitForHeight(page, 200)
  await page.mouse.move(x, y - 50, { steps: 4 })
  await page.mouse.up()
  await waitForHeight(page, 330)
  // Let go is let go.
  await page.mouse.move(x, y - 150)
  await page.reload()
  await waitForHeight(page, 330)
})

strip('no observer of a size renders the strip or misses a change, dragged and resized', async ({ page }) => {
  await page.addInitScript(() => {
    const missed: string[] = []
    Object.assign(window, { missed })
    addEventListener('error', ({ message }) => missed.push(message))
    const markup = () => document.querySelector('.strip')?.outerHTML
    const Observer = ResizeObserver
    // Whether a render inside a callback is an error depends on the engine and on how busy the machine is.
    window.ResizeObserver = class extends Observer {
      constructor(run: ResizeObserverCallback) {
        super((entries, observer) => {
          const before = markup()
          run(entries, observer)
          if (markup() !== before) missed.push(`rendered for ${entries.map(({ target }) => target.className)}`)
        })
      }
    }
  })
  await page.reload()
  await waitForStrip(page)
  const box = (await grip(page).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + 12]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let i = 1; i <= 60; i++) await page.mouse.move(x, y - 150 + (i % 20) * 12)
  await page.mouse.move(x, y - 83)
  await page.mouse.up()
  await waitForHeight(page, 413)
  await page.setViewportSize({ width: 600, height: 420 })
  await page.waitForFunction(() => document.querySelector('.strip')!.getBoundingClientRect().height < 300)
  await page.setViewportSize(DESKTOP.viewport)
  await waitForHeight(page, 413)
  assert.equal(await page.evaluate(() => (window as unknown as { missed: string[] }).missed), [])
})

strip('keys resize it as they do a splitter', async ({ page }) => {
  await grip(page).focus()
  assert.equal(
    [await grip(page).getAttribute('aria-valuemin'), await grip(page).getAttribute('aria-valuemax')],
    ['200', '500'],
  )
  for (const [key, px] of [
    ['ArrowUp', 433],
    ['End', 500],
    ['ArrowUp', 500],
    ['Home', 200],
    ['Enter', 450],
  ] as const) {
    await page.keyboard.press(key)
    await waitForHeight(page, px)
  }
})

strip(
  'a phone with its browser’s bars opens it to 450 and 500, over the filters, which a key finds in sight',
  async (t) => {
    const phone = await openPhone(t)
    const { page } = phone
    await page.setViewportSize({ width: 390, height: 664 })
    await openMadrid(phone)
    assert.is(await height(page), 280)
    await chevron(page).click()
    await waitForHeight(page, 450)
    const box = (await grip(page).boundingBox())!
    await dragFinger(page, [195, box.y + 12], [195, 20])
    await waitForHeight(page, 500)
    await dragFinger(page, [195, (await grip(page).boundingBox())!.y + 12], [195, 660])
    await waitForHeight(page, 200)
    await grip(page).focus()
    await page.keyboard.press('End')
    await waitForHeight(page, 500)
    await page.locator('.strip-card').first().waitFor()
    const filters = () => page.locator('.map-head').evaluate((head) => head.getBoundingClientRect().bottom)
    const top = () => page.locator('.strip').evaluate((each) => each.getBoundingClientRect().top)
    assert.ok((await top()) < (await filters()))
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Shift+Tab')
      if (await page.evaluate(() => document.activeElement!.closest('.map-head'))) break
    }
    await page.waitForFunction(() => {
      const [head, each] = ['.map-head', '.strip'].map((name) => document.querySelector(name)!.getBoundingClientRect())
      return each!.top >= head!.bottom
    })
  },
)

strip('a finger drags it and the page stays; the map is never covered whole', async (t) => {
  const { page } = await openPhone(t)
  await page.setViewportSize({ width: 390, height: 844 })
  const box = (await grip(page).boundingBox())!
  await dragFinger(page, [195, box.y + 12], [195, 60])
  await waitForHeight(page, 500)
  assert.is(await page.evaluate(() => scrollY), 0)
  // A phone on its side: cards or at least the count, and map above.
  await page.setViewportSize({ width: 844, height: 390 })
  await page.waitForFunction(() => {
    const strip = document.querySelector('.strip')!.getBoundingClientRect()
    const frame = document.querySelector('.map-frame')!.getBoundingClientRect()
    return strip.height > 100 && strip.top - frame.top >= Math.min(80, frame.height * 0.45) - 1
  })
  // A small one, upright: something of what is above stays, and a map that is covered still knows who stands on it.
  await page.setViewportSize({ width: 320, height: 568 })
  await page.waitForFunction(() => {
    const strip = document.querySelector('.strip')!.getBoundingClientRect()
    const screen = document.querySelector('.map-screen')!.getBoundingClientRect()
    const box = document.querySelector('.map-box')!.getBoundingClientRect()
    return strip.height > 300 && strip.top - screen.top >= 35 && box.height >= 80
  })
})

strip('every upright phone opens it to 500, or to what its header, tab bar and 36 px of screen leave', async (t) => {
  const { page } = await openPhone(t)
  for (const [width, height, most] of [
    [320, 568, 406],
    [360, 640, 478],
    [375, 667, 500],
    [390, 844, 500],
  ] as const) {
    await page.setViewportSize({ width, height })
    await grip(page).focus()
    await page.keyboard.press('Home')
    await page.waitForFunction(() => {
      const [head, strip] = ['.map-head', '.strip'].map((name) => document.querySelector(name)!.getBoundingClientRect())
      return strip!.top - head!.bottom >= 119
    })
    await page.keyboard.press('End')
    await waitForHeight(page, most)
    const edges = await page.evaluate(() => {
      const box = (name: string) => document.querySelector(name)!.getBoundingClientRect()
      return { above: box('.strip').top - box('.top').bottom, below: box('.tabbar').top - box('.strip').bottom }
    })
    assert.ok(edges.above >= 35, `${width} x ${height}: ${edges.above} px below the header`)
    assert.ok(edges.below >= -1, `${width} x ${height}: ${edges.below} px above the tab bar`)
  }
})

strip('dogs under the address search of a phone are not counted as visible', async (t) => {
  const phone = await openPhone(t)
  const { page } = phone
  await page.setViewportSize({ width: 390, height: 844 })
  await openMadrid(phone)
  await waitForCounter(page, '60 perros visibles')
  await page.locator('.map-box').focus()
  // Twice 80 px down: their circle lies under the search box then.
  await page.keyboard.press('ArrowDown')
  await waitForCounter(page, '60 perros visibles')
  await page.keyboard.press('ArrowDown')
  await waitForCounter(page, '0 perros visibles')
  await stripTitle(page).and(page.getByText('Por aquí aún no hay perros')).waitFor()
})

strip(
  'a phone on its side gives the map the height: no sidebar, and the strip folded until it is asked for',
  async (t) => {
    const { page } = await openPhone(t)
    await page.setViewportSize({ width: 844, height: 390 })
    await beginVisit(page)
    await page.goto(`${t.server.url}/?view=map&${MADRID}`)
    await page.locator('.strip[data-folded]').waitFor()
    const seen = () =>
      page.evaluate(() => {
        const top = document.querySelector('.map-frame')!.getBoundingClientRect().top
        return document.querySelector('.strip')!.getBoundingClientRect().top - top
      })
    assert.ok((await seen()) >= 170, `${await seen()} px of map`)
    assert.is(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0)
    assert.is(await page.locator('.side').isVisible(), false)
    await page.getByRole('button', { name: 'Abrir el menú' }).click()
    await page.locator('.side').getByRole('link', { name: 'Comunidad' }).waitFor()
    await page.keyboard.press('Escape')
    assert.is(await stripTitle(page).innerText(), '60 perros en esta zona')
    assert.is(await page.locator('.strip-card').first().isVisible(), false)
    await chevron(page).click()
    await page.locator('.strip-card').first().waitFor()
    await chevron(page).click()
    await page.locator('.strip[data-folded]').waitFor()
  },
)
