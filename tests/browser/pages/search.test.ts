import type { Page } from 'playwright'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { paintTwice } from '#tests/support/browser/requests.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const search = browserSuite('search')

search.before(async (t) => {
  await seed(
    t.server.db,
    member({ alias: 'Tobías' }),
    dog({ name: 'Toby', zone: 'Jaca' }),
    ...Array.from({ length: 30 }, (_, i) => dog({ name: `Lola ${i}`, created_at: i })),
  )
})

const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar en Perrario' })
const options = (page: Page) => page.getByRole('option')

search('by keyboard alone: «/», letters, arrows, Enter', async ({ server, browser }) => {
  const { page, errors } = await visit({ server, browser }, '/comunidad')
  await page.keyboard.press('/')
  await field(page).waitFor()
  assert.is(await page.evaluate(() => document.activeElement?.id), 'search-q')
  await page.keyboard.type('tob')
  await options(page).getByText('Toby', { exact: true }).waitFor()
  assert.is(await field(page).getAttribute('aria-expanded'), 'true')
  assert.equal(await axeFaults(page), [])
  const active = () => page.locator('[role=option][aria-selected=true]').innerText()
  await page.keyboard.press('ArrowDown')
  const first = await active()
  await page.keyboard.press('ArrowDown')
  assert.is.not(await active(), first)
  await page.keyboard.press('ArrowUp')
  assert.is(await active(), first)
  assert.is(await page.locator(`#${await field(page).getAttribute('aria-activedescendant')}`).innerText(), first)
  // Past the first is the field itself, past that the last.
  await page.keyboard.press('ArrowUp')
  assert.is(await field(page).getAttribute('aria-activedescendant'), null)
  await page.keyboard.press('ArrowUp')
  assert.is(await active(), 'Ver todo de «tob»')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.url}/buscar?q=tob`)
  assert.is(await page.getByRole('searchbox', { name: 'Buscar en Perrario' }).inputValue(), 'tob')
  // Seeded dogs have no files for their photos.
  assert.equal(
    errors.filter((error) => !error.includes('404 (Not Found)')),
    [],
  )
})

search('Escape closes the list, then leaves the field; what was typed stays', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/comunidad')
  await page.keyboard.press('/')
  await page.keyboard.type('tob')
  await options(page).first().waitFor()
  await page.keyboard.press('Escape')
  assert.is(await options(page).count(), 0)
  assert.is(await page.evaluate(() => document.activeElement?.id), 'search-q')
  await page.keyboard.press('Escape')
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
  assert.is(await page.locator('#search-q').inputValue(), 'tob')
  // In a field «/» is a letter.
  await page.keyboard.press('/')
  await page.keyboard.type('/')
  assert.is(await page.locator('#search-q').inputValue(), '/')
})

search('an answer that comes late does not take the place of a newer one', async ({ server, browser }) => {
  const { page } = await takePage(browser)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/fragments/buscar?q=tob', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await page.goto(`${server.url}/comunidad`)
  await page.locator('#search-q').click()
  const asked = page.waitForRequest('**/fragments/buscar?q=tob')
  await page.keyboard.type('tob')
  const late = await asked
  await page.locator('#search-q').fill('lola')
  await options(page).getByText('Lola 0', { exact: true }).waitFor()
  release()
  // Answered, or given up by the page.
  await late.response().catch(() => null)
  await paintTwice(page)
  assert.is(await options(page).getByText('Toby', { exact: true }).count(), 0)
  // One letter is too few: the list goes.
  await page.locator('#search-q').fill('l')
  await page.waitForFunction(() => document.querySelector<HTMLElement>('#search-list')!.hidden)
})

search('a press on a suggestion opens it, and the page below stays where it is', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/comunidad')
  const before = await page.locator('main').boundingBox()
  await page.locator('#search-q').click()
  await page.keyboard.type('toby')
  await options(page).first().waitFor()
  assert.equal(await page.locator('main').boundingBox(), before)
  await options(page).getByText('Toby', { exact: true }).click()
  await page.waitForURL(`${server.url}/beagle/toby`)
})

search('without script: form, groups and «Ver más»', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/comunidad', { ...DESKTOP, javaScriptEnabled: false })
  await page.locator('#search-q').fill('lola')
  await page.locator('#search-q').press('Enter')
  await page.waitForURL(`${server.url}/buscar?q=lola`)
  await page.getByRole('link', { name: 'Ver más: Perros' }).click()
  await page.waitForURL(`${server.url}/buscar?q=lola&tipo=perros`)
  assert.is(await page.locator('main .hit').count(), 24)
  await page.getByRole('link', { name: 'Ver más: Perros' }).click()
  await page.waitForURL(/cursor=/)
  assert.is(await page.locator('main .hit').count(), 6)
})

search('«Ver más» brings the next dogs in place, and the focus to the first of them', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/buscar?q=lola&tipo=perros')
  await page.getByRole('link', { name: 'Ver más: Perros' }).click()
  await page.waitForFunction(() => document.querySelectorAll('main .hit').length === 30)
  assert.is(await page.evaluate(() => [...document.querySelectorAll('main .hit')].indexOf(document.activeElement!)), 24)
  assert.is(await page.getByRole('link', { name: 'Ver más: Perros' }).count(), 0)
})

for (const width of [320, 390])
  search(
    `on a phone of ${width} px the header has a link to the page, whose field proposes`,
    async ({ server, browser }) => {
      const { page } = await takePage(browser, PHONE)
      await page.setViewportSize({ width, height: 740 })
      await page.goto(`${server.url}/comunidad`)
      assert.is(await page.locator('#search-q').isVisible(), false)
      const box = (await page.getByRole('link', { name: 'Buscar', exact: true }).boundingBox())!
      assert.ok(box.width >= 44 && box.height >= 44)
      await page.getByRole('link', { name: 'Buscar', exact: true }).tap()
      await page.waitForURL(`${server.url}/buscar`)
      await page.locator('#search-q').tap()
      await page.keyboard.type('toby')
      await options(page).first().waitFor()
      assert.is(await page.evaluate(() => document.documentElement.scrollWidth), width)
      await options(page).getByText('Toby', { exact: true }).tap()
      await page.waitForURL(`${server.url}/beagle/toby`)
    },
  )
