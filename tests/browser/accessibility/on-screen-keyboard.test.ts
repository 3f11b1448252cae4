import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { openOnPhone, phoneSuite } from '#tests/support/browser/phone-suite.ts'
import { dogForm, openAddForm } from '#tests/support/dogs/dog-form.ts'

// What an on-screen keyboard asks of every screen.
const phone = phoneSuite('on-screen keyboard')

/** A keyboard that shrinks the window, as `interactive-widget` has Android do it. */
const fakeOuter = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(window, 'outerHeight', { value: 844, configurable: true }))

phone('the keyboard: to the top after 100 ms, to the field after 300 ms', async (t) => {
  const page = await openOnPhone(t, 'visitor')
  await fakeOuter(page)
  await page.goto(`${t.server.url}/razas`)
  assert.match(
    (await page.locator('meta[name=viewport]').getAttribute('content'))!,
    'interactive-widget=resizes-content',
  )
  await page.locator('#album-q').focus()
  await page.evaluate(() => {
    const log: string[] = []
    Object.assign(window, { log })
    window.scrollTo = ((to: ScrollToOptions) => log.push(`top ${to.top}`)) as typeof window.scrollTo
    Element.prototype.scrollIntoView = function () {
      log.push(`to #${this.id}`)
    }
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const log = () => page.evaluate(() => (window as unknown as { log: string[] }).log)
  // 80 % of the outer height is not yet a keyboard.
  await page.setViewportSize({ width: 390, height: 676 })
  assert.not(await page.locator('html[data-keyboard]').count())
  await page.setViewportSize({ width: 390, height: 675 })
  await page.locator('html[data-keyboard]').waitFor()
  await page.clock.runFor(99)
  assert.equal(await log(), [])
  await page.clock.runFor(1)
  assert.equal(await log(), ['top 0'])
  await page.clock.runFor(199)
  assert.equal(await log(), ['top 0'])
  await page.clock.runFor(1)
  assert.equal(await log(), ['top 0', 'to #album-q'])
})

phone('a keyboard laid over the page: the form ends above it, the page behind stays where it was', async (t) => {
  const page = await openOnPhone(t, 'visitor')
  await fakeOuter(page)
  await page.goto(t.server.url)
  await page.evaluate(() => scrollTo(0, 300))
  await openAddForm(page)
  await dogForm(page).locator('#df-name').focus()
  const keyboard = (height: number) =>
    page.evaluate((height) => {
      Object.defineProperty(visualViewport, 'height', { value: 844 - height, configurable: true })
      visualViewport!.dispatchEvent(new Event('resize'))
    }, height)
  await keyboard(336)
  await page.locator('html[data-keyboard]').waitFor()
  const bottom = async () => {
    const box = (await dogForm(page).boundingBox())!
    return Math.round(box.y + box.height)
  }
  assert.is(await bottom(), 508)
  assert.ok((await dogForm(page).boundingBox())!.y >= 0)
  await page.waitForFunction(() => scrollY === 0)
  await keyboard(0)
  await page.waitForFunction(() => scrollY === 300)
  assert.is(await bottom(), 844)
  assert.ok(await page.locator('html:not([data-keyboard])').count())
})

const readOverscroll = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)

phone(
  'pulling down loads nothing anew while something is written; what was written survives a reload and Back',
  async (t) => {
    const page = await openOnPhone(t, 'member')
    await page.goto(t.server.url)
    assert.is(await readOverscroll(page), 'auto')
    await openAddForm(page)
    assert.is(await readOverscroll(page), 'none')
    await dogForm(page).locator('#df-name').fill('Lola')
    await page.reload()
    await openAddForm(page)
    assert.is(await dogForm(page).locator('#df-name').inputValue(), 'Lola')
    await page.goto(`${t.server.url}/razas`)
    await openAddForm(page)
    await dogForm(page).locator('#df-name').fill('Lola Flores')
    await page.goBack()
    await openAddForm(page)
    assert.is(await dogForm(page).locator('#df-name').inputValue(), 'Lola Flores')
    await dogForm(page).getByText('Borrador recuperado').waitFor()

    await page.goto(t.server.url + t.toby.path)
    const comment = page.locator('#comentario-texto')
    await comment.click()
    await comment.pressSequentially('Qué')
    await page.waitForFunction(() => getComputedStyle(document.documentElement).overscrollBehaviorY === 'none')
    await comment.fill('')
    await page.waitForFunction(() => getComputedStyle(document.documentElement).overscrollBehaviorY === 'auto')
  },
)

phone('the keyboard’s «siguiente» leads through the form, «listo» puts it away, nothing is sent', async (t) => {
  const page = await openOnPhone(t, 'visitor')
  await page.goto(t.server.url)
  await openAddForm(page)
  const seen: (string | null)[] = []
  await dogForm(page).locator('#df-age').focus()
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Enter')
    seen.push(await page.evaluate(() => document.activeElement!.id || document.activeElement!.tagName))
  }
  assert.equal(seen.slice(0, 2), ['df-weight', 'df-zone'])
  assert.not.equal(seen[2], 'df-zone')
  assert.is(await dogForm(page).locator('.err').count(), 0)
  assert.equal(
    await dogForm(page)
      .locator('[enterkeyhint]')
      .evaluateAll((fields) => fields.map((field) => `${field.id} ${field.getAttribute('enterkeyhint')}`)),
    ['df-name next', 'df-breed done', 'df-age next', 'df-weight next', 'df-zone done'],
  )
})
