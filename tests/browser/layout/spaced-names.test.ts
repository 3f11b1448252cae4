import type { Page } from 'playwright'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { waitForCards, waitUntilIdle } from '#tests/support/map/map-suite.ts'
import { textSpacingFaults } from '#tests/support/browser/reflow.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Names as long as people write them, where cards and the map show them, with text spaced out (WCAG 1.4.12).
const names = browserSuite<{ profile: string; verified: string }>('spaced names')

const LONG_NAMES = ['Don Bartolomé de las Montañas', 'Maximiliano Primero de Segovia', 'La Reina Sofía de Navacerrada']

names.before(async (t) => {
  const { db } = t.server

  const [ana] = await seed(db, member({ alias: 'Ana' }))
  for (const name of LONG_NAMES)
    await seed(db, dog({ name, owner_id: ana.id, age: 19, age_unit: 'años', zone: 'Vigo' }))
  await seed(
    db,
    dog({ name: LONG_NAMES[0]!, breed: 'Boxer', owner_id: null, age: 19, age_unit: 'años', zone: 'Cáceres' }),
  )
  t.profile = `/usuario/${ana.id}`
  const [maximiliano] = await seed(db, member({ alias: 'Maximiliano Bartolom' }))
  await db.updateTable('profiles_all').set({ verified: 1 }).where('id', '=', maximiliano.id).execute()
  t.verified = `/usuario/${maximiliano.id}`
})

/** Names that are cut off with the text spaced out, though they were not before. */
const cutNames = async (page: Page) =>
  (await textSpacingFaults(page)).cut.filter((what) => LONG_NAMES.some((name) => what.includes(name)))

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  names(`no name is cut on cards, on the map's strip and in its popup: ${device}`, async (t) => {
    const { page } = await takePage(t.browser, { ...options, reducedMotion: 'reduce' })
    for (const path of ['/', t.profile, '/razas/beagle']) {
      await page.goto(t.server.url + path)
      await page.locator('.dog-card h3', { hasText: LONG_NAMES[0]! }).first().waitFor()
      assert.equal(await cutNames(page), [], path)
    }
    // One dog of its own zone: a photo, in view.
    await page.goto(`${t.server.url}/?view=map&lat=39.4753&lon=-6.3724&zoom=15`)
    await waitUntilIdle(page)
    await waitForCards(page)
    assert.equal(await cutNames(page), [], 'strip')
    // It may stand under the search.
    await page.locator('.mark.pin').press('Enter')
    await page.locator('.pop').waitFor()
    assert.equal(await cutNames(page), [], 'popup')
  })

names('the verified badge stands beside the last word of an alias at every width', async (t) => {
  const { page } = await visit(t, t.verified, { ...PHONE, reducedMotion: 'reduce' })
  const heading = page.getByRole('heading', { level: 1, name: /^Maximiliano Bartolom\s*Perfil verificado$/ })
  const badge = heading.getByRole('img', { name: 'Perfil verificado' })
  for (let width = 320; width <= 800; width += 20) {
    await page.setViewportSize({ width, height: 800 })
    const middle = await badge.evaluate((element) => {
      const { top, bottom } = element.querySelector('svg')!.getBoundingClientRect()
      return (top + bottom) / 2
    })
    const [last, right] = await heading.evaluate((element) => {
      const line = [...element.firstElementChild!.getClientRects()].at(-1)!
      return [{ top: line.top, bottom: line.bottom }, element.closest('.carnet')!.getBoundingClientRect().right]
    })
    assert.ok(middle > last.top && middle < last.bottom, `${width} px: the badge on a line of its own`)
    assert.ok((await badge.boundingBox())!.x + (await badge.boundingBox())!.width < right, `${width} px: over the edge`)
  }
})
