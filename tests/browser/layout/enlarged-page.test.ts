import * as assert from 'uvu/assert'
import { openOnPhone, phoneSuite } from '#tests/support/browser/phone-suite.ts'

// An iPhone whose Safari shows the page at 200 % («aA»): 195 x 422 CSS px. Whether pages are wider than that:
// browser/accessibility/templates-visitor and templates-member.
const phone = phoneSuite('a page enlarged to 200 %')

const ENLARGED = { width: 195, height: 422 }
const USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

phone('the banner has lines of words, not of letters, enlarged or with large text', async (t) => {
  const page = await openOnPhone(t, 'visitor', { viewport: ENLARGED })
  await page.goto(`${t.server.url}/comunidad`)
  const share = () =>
    page.evaluate(() => {
      const width = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().width
      return width('.join-banner .grow') / width('.join-banner')
    })
  assert.ok((await share()) > 0.7, `enlarged: ${await share()}`)
  await page.setViewportSize({ width: 320, height: 568 })
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
  assert.ok((await share()) > 0.7, `large text: ${await share()}`)
})

phone('the card that invites to install shows all it has, its buttons above the bar', async (t) => {
  const page = await openOnPhone(t, 'visitor', { viewport: ENLARGED, userAgent: USER_AGENT })
  await page.addInitScript(() => localStorage.setItem('perrario-visitas', `3 ${Date.now()}`))
  await page.goto(`${t.server.url}/comunidad`)
  const card = page.locator('.install')
  await card.waitFor()
  const box = (await card.boundingBox())!
  assert.ok(box.y >= 0, `it begins at ${box.y}`)
  await card.getByRole('button', { name: 'No mostrar más' }).click()
  await card.waitFor({ state: 'detached' })
})

phone('the first steps of a new member stay within their card', async (t) => {
  const page = await openOnPhone(t, 'member', { viewport: ENLARGED })
  await page.goto(`${t.server.url}/perfil`)
  const card = (await page.locator('.first-days').boundingBox())!
  assert.ok(card.x + card.width <= ENLARGED.width, `the card ends at ${card.x + card.width}`)
  for (const button of await page.locator('.first-days .btn:visible').all()) {
    const { x, width } = (await button.boundingBox())!
    assert.ok(x + width <= card.x + card.width, `${await button.textContent()} ends at ${x + width}`)
  }
})
