import type { BrowserContext, Page } from 'playwright'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { findChosen } from '#tests/support/browser/forced-colors.ts'
import { openAddForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Where the system takes all colours but its own, what is chosen is still told from what is not, and the focus is seen. The
// tests go on one from the other, on one page; other pages: browser/layout/templates-desktop.
const forced = browserSuite<{ context: BrowserContext; page: Page }>('forced colours')

forced.before(async (t) => {
  t.context = await openContext(t.browser, { ...DESKTOP, forcedColors: 'active', reducedMotion: 'reduce' })
  t.context.setDefaultTimeout(5000)
  await useSession(t.context, t.server, await signInMember(t.server))
  await seed(t.server.db, member(), dog({ zone: 'Madrid' }), dog({ zone: 'Vigo' }))
  t.page = await t.context.newPage()
  await t.page.goto(`${t.server.url}/?breed=beagle&sort=votes-desc`)
})

forced('what is chosen of the list', async ({ page }) => {
  const on = ['Perros', 'Perros', 'Todos', 'Beagle', '+ Likes de mayor a menor', 'Ver en cuadrícula']
  assert.equal(await findChosen(page), { on, unread: [] })
})

forced('the focus is seen', async ({ page }) => {
  const unseen: string[] = []
  for (let i = 0; i < 25; i++) {
    await page.keyboard.press('Tab')
    const fault = await page.evaluate(() => {
      const at = document.activeElement!
      const shows = (one: Element, part?: string) => getComputedStyle(one, part).outlineStyle !== 'none'
      // A link that fills its card is ringed by the card.
      const card = at.closest('.sticker, label')
      return shows(at) || shows(at, '::after') || (card && shows(card)) ? '' : at.outerHTML.slice(0, 100)
    })
    if (fault) unseen.push(fault)
  }
  assert.equal(unseen, [])
})

forced('what is chosen of the form', async ({ page }) => {
  const form = await openAddForm(page)
  await form.locator('#df-breed').focus()
  await page.keyboard.type('gal')
  await form.locator('.df-opt').first().waitFor()
  await page.keyboard.press('ArrowDown')
  const outline = (selector: string) =>
    form
      .locator(selector)
      .first()
      .evaluate((option) => getComputedStyle(option).outlineStyle)
  assert.is(await outline('.df-opt[aria-selected=true]'), 'solid')
  assert.is(await outline('.df-opt[aria-selected=false]'), 'none')
  await page.keyboard.press('Escape')
  const border = (selector: string) =>
    form
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).borderTopWidth)
  assert.is(await border('.df-relation:has(:checked)'), '4px')
  assert.is(await border('.df-relation:not(:has(:checked))'), '1px')
})
