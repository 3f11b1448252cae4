import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { madridSuite, openMadrid } from '#tests/support/map/madrid-suite.ts'
import { type MapVisit, openPhone, waitForCards, waitUntilIdle, zoomTo } from '#tests/support/map/map-suite.ts'

// Forty dogs of one zone: what the map shows of them from zoom 14 on, and how each of them is reached.
const DOG_COUNT = 40
const piles = madridSuite('map piles', DOG_COUNT)

const NEAR = 'lat=40.4168&lon=-3.7038&zoom=14'

/** How many marks there are, how many dogs they name, and how many pairs of them lie over each other. */
const countMarks = (page: Page) =>
  page.evaluate(() => {
    const marks = [...document.querySelectorAll<HTMLElement>('.mark')]
    const boxes = marks.map((mark) => {
      const parts = [mark.querySelector('span')!, ...mark.querySelectorAll('b')].map((e) => e.getBoundingClientRect())
      return {
        left: Math.min(...parts.map(({ left }) => left)),
        right: Math.max(...parts.map(({ right }) => right)),
        top: Math.min(...parts.map(({ top }) => top)),
        bottom: Math.max(...parts.map(({ bottom }) => bottom)),
      }
    })
    let covered = 0
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) covered++
    const dogs = marks.reduce((sum, mark) => sum + Number(mark.querySelector('b')?.textContent ?? 1), 0)
    return { marks: marks.length, dogs, covered, circles: document.querySelectorAll('.mark.cluster').length }
  })

for (const [device, open] of [
  ['desktop', (t: MapVisit) => Promise.resolve(t)],
  ['phone', openPhone],
] as const)
  piles(`photos do not cover each other from zoom 14 to 18: ${device}`, async (t) => {
    const visit = await open(t)
    const { page } = visit
    await openMadrid(visit, NEAR)
    for (const zoom of [14, 15, 16, 17, 18]) {
      await zoomTo(page, zoom)
      const { marks, dogs, covered, circles } = await countMarks(page)
      assert.equal([covered, circles], [0, 0], `zoom ${zoom}: ${marks} marks`)
      assert.ok(marks > 1, `zoom ${zoom}: ${marks} marks`)
      // Nearer, some of them stand outside of a phone's view.
      if (zoom < 16) assert.is(dogs, DOG_COUNT, `zoom ${zoom}`)
    }
    await zoomTo(page, 14)
  })

piles('a press on a pile lists its dogs alone, and all of the view’s again', async (t) => {
  const { page } = await openPhone(t)
  await waitForCards(page)
  const title = page.locator('.strip h2')
  const before = page.url()
  const all = await title.innerText()
  const pile = page.locator('.mark.pile').first()
  const count = Number(await pile.locator('b').innerText())
  assert.is(await pile.getAttribute('aria-label'), `${count} perros, Madrid, ver la lista`)
  // What the strip and the search cover does not count (docs/product.md §16.1).
  assert.ok(Number.parseInt(all) > count && Number.parseInt(all) <= DOG_COUNT, all)
  await pile.tap()
  await page.locator('.strip h2', { hasText: `${count} perros en esta zona` }).waitFor()
  await page.waitForFunction(
    (n) => document.querySelector('.strip li')?.getAttribute('aria-setsize') === String(n),
    count,
  )
  assert.match((await pile.getAttribute('class'))!, /\bon\b/)
  // A strip drawn up to read the list keeps it.
  await page.getByRole('button', { name: 'Panel de perros' }).click()
  await page.locator('.strip [aria-expanded="true"]').waitFor()
  await waitUntilIdle(page)
  assert.is(await title.innerText(), `${count} perros en esta zona`)
  await page.getByRole('button', { name: 'Ver todos' }).click()
  await page.getByRole('button', { name: 'Panel de perros' }).click()
  await page.locator('.strip h2', { hasText: all }).waitFor()
  assert.is(await page.getByRole('button', { name: 'Ver todos' }).count(), 0)
  await page.waitForURL(before)
})

piles('a dog chosen in the strip rings the pile it is in', async ({ page }) => {
  await waitForCards(page)
  await page.getByRole('button', { name: 'Perro siguiente' }).click()
  await page.locator('.mark.on').waitFor()
  assert.is(await page.locator('.mark.on').count(), 1)
})

piles(
  'by key the list takes the focus, Escape gives it back to the pile, and a move of the map ends the list',
  async (t) => {
    const { page } = t
    const title = page.locator('.strip h2')
    await page.locator('.map-box').focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    for (let i = 0; i < 20 && !(await focused()).endsWith('ver la lista'); i++) await page.keyboard.press('Tab')
    const pile = await focused()
    const count = Number.parseInt(pile)
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.strip h2'))
    assert.is(await title.innerText(), `${count} perros en esta zona`)
    await page.locator(`.strip li[aria-setsize="${count}"]`).first().waitFor()
    // Every dog of it is a Tab away.
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement!.matches('.strip-card a'))) break
    }
    await page.locator('.strip-card.on').waitFor()
    await page.locator('.mark.pile.on').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.strip h2', { hasText: `${DOG_COUNT} perros en esta zona` }).waitFor()
    assert.is(await focused(), pile)
    await page.keyboard.press('Enter')
    await page.locator('.strip h2', { hasText: `${count} perros en esta zona` }).waitFor()
    await page.locator('.map-box').press('ArrowUp')
    await page.locator('.strip h2', { hasText: `${DOG_COUNT} perros en esta zona` }).waitFor()
    assert.is(await page.getByRole('button', { name: 'Ver todos' }).count(), 0)
  },
)
