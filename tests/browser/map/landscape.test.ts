import * as assert from 'uvu/assert'
import {
  callsTo,
  mapSuite,
  openMap,
  openPhone,
  PLACED_DOG_COUNT,
  waitForCounter,
  waitUntilIdle,
} from '#tests/support/map/map-suite.ts'

// A phone in landscape (docs/product.md §16.1, §16.4): the map has the height, and its first view shows where the dogs are.
const map = mapSuite('map in landscape')

const SCREENS = [
  [667, 375],
  [844, 390],
  [932, 430],
] as const

for (const [width, height] of [SCREENS[0], SCREENS[2]])
  map(`the first view comes near, nothing scrolls, filters take one row: ${width} x ${height}`, async (t) => {
    const phone = await openPhone(t)
    const { page } = phone
    await page.setViewportSize({ width, height })
    await openMap(phone)
    await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
    const zoom = Number(callsTo(phone, '/api/map').at(-1)!.searchParams.get('zoom'))
    assert.ok(zoom >= 4, `zoom ${zoom}`)
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height })
      await waitUntilIdle(page)
      const seen = await page.evaluate(() => {
        const root = document.documentElement
        const topOf = (selector: string) =>
          [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().top)
        return {
          overflow: [root.scrollHeight - innerHeight, root.scrollWidth - innerWidth],
          rows: new Set(topOf('.map-head .filters :is(.select, .sorts > a)').map(Math.round)).size,
          map: document.querySelector('.strip')!.getBoundingClientRect().top - topOf('.map-frame')[0]!,
          tabbar: document.querySelector('.tabbar')!.checkVisibility(),
        }
      })
      assert.equal([seen.overflow, seen.rows, seen.tabbar], [[0, 0], 1, false])
      assert.ok(seen.map > height * 0.48, `${seen.map} px of map`)
      await page.locator('.stats', { hasText: 'Visibles' }).waitFor()
    }
    await page.getByRole('button', { name: 'Abrir el menú' }).click()
    await page.locator('.side').getByRole('link', { name: 'Comunidad' }).waitFor()
  })

map('a map that grew since its last frame asks for a valid area', async (t) => {
  const { page } = t
  // Leaflet learns of a new height by an observer, which a busy phone runs later than the timers that ask for dogs.
  await page.addInitScript(() => {
    const Observer = ResizeObserver
    window.ResizeObserver = class extends Observer {
      constructor(run: ResizeObserverCallback) {
        super((entries, observer) => {
          if (!entries.some(({ target }) => target.matches('.map-box')) || !(window as { isBusy?: boolean }).isBusy)
            run(entries, observer)
        })
      }
    }
  })
  const statuses: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/map')) statuses.push(`${pathname} ${response.status()}`)
  })
  await openMap(t, 'lat=40&lon=-4&zoom=6')
  const setBox = (inset: string, height: string) =>
    page.locator('.map-box').evaluate((box, style) => Object.assign(box.style, style), { inset, height })
  await setBox('0 0 auto', '20px')
  await page.locator('.map-box').press('+')
  await page.waitForURL(/zoom=7/)
  await waitUntilIdle(page)
  await page.evaluate(() => ((window as { isBusy?: boolean }).isBusy = true))
  await setBox('', '')
  const asked = page.waitForResponse((response) => response.url().includes('/api/map/dogs'))
  await page.locator('.map-box').press('+')
  await page.waitForURL(/zoom=8/)
  await asked
  assert.ok(statuses.length >= 4)
  assert.equal(
    statuses.filter((status) => !status.endsWith(' 200')),
    [],
  )
})
