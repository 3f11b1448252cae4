import type { Page } from 'playwright'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const own = browserSuite('own album')

/** What one can press on the first screen, but for places, stickers and cards. */
const countControls = (page: Page) =>
  page.locator('a, button, select, input, summary').evaluateAll(
    (all) =>
      all.filter((one) => {
        const { top, bottom, width } = one.getBoundingClientRect()
        return width > 0 && bottom > 0 && top < innerHeight && one.checkVisibility() && !one.closest('.pg, .dog-card')
      }).length,
  )
const boxTop = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!.y

own('a phone’s own album begins with at most 14 controls and its newest sticker, and ends with badges', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const { context, page } = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
    const bea = await signInMember(t.server, 'bea@ejemplo.es')
    await useSession(context, t.server, bea)
    if (javaScriptEnabled)
      await seed(
        t.server.db,
        dog({ breed: 'Teckel', owner_id: bea.id, created_at: 10 }),
        dog({ breed: 'Teckel', owner_id: bea.id, created_at: 20 }),
        dog({ breed: 'Whippet', owner_id: bea.id, created_at: 30 }),
      )
    await page.goto(`${t.server.url}/?tab=mine`)
    assert.is(await page.locator('.found').innerText(), 'Has descubierto 2 de 441')
    assert.ok((await page.locator('.glued').first().innerText()).includes('Whippet'))
    assert.ok((await boxTop(page, '.glued')) < 422, 'the newest sticker in the upper half')
    const controls = await countControls(page)
    assert.ok(controls <= 14, `${controls} controls`)
    assert.is(await page.locator('#album-order').isVisible(), false)
    await page.locator('.fold summary').click()
    await page.locator('#album-roles a', { hasText: 'Míos' }).click()
    await page.waitForURL(/album=mios/)
    await page.getByText('2 razas encontradas').waitFor()
    if (javaScriptEnabled) assert.ok(await page.locator('#album-roles').isVisible(), 'it stays unfolded')
    await page.getByRole('link', { name: 'Insignias' }).click()
    await page.getByRole('heading', { name: 'Insignias' }).waitFor()
    await page.getByRole('link', { name: 'Página anterior' }).click()
    await page.locator('.book').waitFor()
  }
})
