import { DAY_MS } from '#lib/time.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { textSpacingFaults } from '#tests/support/browser/reflow.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const CASES = 30
const PAGE_SIZE = 24

const list = browserSuite('list of lost dogs')
list.before(async (t) => {
  const { db } = t.server

  const [ana] = await seed(db, member({ alias: 'Ana' }))
  const now = Date.now()
  for (let i = 0; i < CASES; i++) {
    const name = i % 3 ? `Lola ${i}` : 'Maximiliana de las Mercedes y Todos los Santos'
    const [lost] = await seed(db, dog({ name, owner_id: ana.id, zone: 'Jaca' }))
    const zone = i % 2 ? 'San Sebastián de los Reyes, Madrid' : 'Jaca'
    // From today to a date: the strip has phrases of every length.
    const since = now - i * 7 * DAY_MS
    await insertLostCase(db, lost, { opened_at: now - i * 1000, since, zone, province: i % 2 ? '28' : '22' })
  }
  await db.updateTable('dogs_all').set({ photo_url: '/placeholder.svg' }).execute()
})

list('«Ver más» adds the next page, and the focus goes to its first dog', async ({ server, browser }) => {
  const { page, errors } = await visit({ server, browser }, '/perdidos', DESKTOP)
  const cards = page.locator('article.wanted')
  assert.is(await cards.count(), PAGE_SIZE)
  await page.getByRole('link', { name: 'Ver más' }).click()
  await cards.nth(CASES - 1).waitFor()
  assert.equal([await cards.count(), await page.getByRole('link', { name: 'Ver más' }).count()], [CASES, 0])
  assert.ok(
    await cards
      .nth(PAGE_SIZE)
      .locator('h3 a')
      .evaluate((link) => link === document.activeElement),
  )
  assert.equal(errors, [])
})

list('without script the form filters, and «Ver más» leads to the next page', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/', { ...PHONE, javaScriptEnabled: false })
  await page.getByRole('link', { name: `${CASES} perros perdidos` }).click()
  await page.getByRole('link', { name: 'Ver más' }).click()
  assert.is(await page.locator('article.wanted').count(), CASES - PAGE_SIZE)
  await page.getByLabel('Provincia').selectOption('Madrid')
  await page.getByRole('button', { name: 'Filtrar' }).click()
  assert.is(await page.locator('article.wanted').count(), CASES / 2)
  assert.match(page.url(), 'provincia=28')
})

list('passes axe and fits 320 px, on the list and under the strip', async ({ server, browser }) => {
  for (const viewport of [{ width: 320, height: 640 }, PHONE.viewport, DESKTOP.viewport]) {
    const { page } = await takePage(browser, { viewport, reducedMotion: 'reduce' })
    for (const path of ['/perdidos', '/perdidos?provincia=08', '/perros']) {
      await page.goto(server.url + path)
      assert.equal(await axeFaultsInBothThemes(page), [], `${path} at ${viewport.width} px`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= viewport.width, `${path} at ${viewport.width} px is ${width} px wide`)
    }
  }
})

list(
  'the strip tells every dog’s name, place and day whole, also with text spaced out',
  async ({ server, browser }) => {
    for (const viewport of [{ width: 320, height: 640 }, PHONE.viewport, DESKTOP.viewport]) {
      const { page } = await takePage(browser, { viewport })
      for (const path of ['/', '/perros']) {
        await page.goto(server.url + path)
        const days = await page.locator('[data-strip] small').allInnerTexts()
        assert.ok(
          days.some((text) => text.endsWith('desde hoy')) && days.some((text) => text.endsWith('desde hace 28 días')),
        )
        const cut = await page
          .locator('[data-strip] :is(b, small)')
          .evaluateAll((texts) =>
            texts
              .filter(
                ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
                  scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
              )
              .map((text) => text.textContent.trim()),
          )
        assert.equal(cut, [], `${path} at ${viewport.width} px`)
        assert.equal((await textSpacingFaults(page)).cut, [], `${path} at ${viewport.width} px, spaced out`)
      }
    }
  },
)

list('a dog alone in the strip has the row’s width for its name', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/perros', { ...PHONE, javaScriptEnabled: false })
  await page
    .locator('[data-strip] > li:nth-child(n + 2)')
    .evaluateAll((items) => items.forEach((item) => item.remove()))
  const [row, item] = await Promise.all(
    ['[data-strip]', '[data-strip] > li'].map((css) => page.locator(css).evaluate((box) => box.clientWidth)),
  )
  assert.ok(item! >= row! - 20, `${item} of ${row} px`)
})
