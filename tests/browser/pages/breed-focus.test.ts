import { takePage } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const focus = browserSuite('the focus on breeds’ pages')

focus('the badge leads to what the law says, the quiz to its answer', async ({ server, browser }) => {
  const { page, errors } = await takePage(browser)
  const focusedId = () => page.evaluate(() => document.activeElement?.id)
  await page.goto(`${server.url}/razas/rottweiler`)
  await page.locator('.law-badge a').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#ley$/)
  assert.is(await focusedId(), 'ley')

  await page.goto(`${server.url}/razas/que-raza`)
  for (const name of ['En un piso', 'Menos de una hora', 'Veranos de mucho calor'])
    await page.getByRole('radio', { name }).check()
  await page.getByRole('button', { name: 'Ver mis razas' }).press('Enter')
  await page.waitForURL(/casa=piso.*#resultado$/)
  assert.is(await focusedId(), 'resultado')
  // From there Tab goes to the first breed.
  await page.keyboard.press('Tab')
  assert.ok(
    await page
      .locator('.match h3 a')
      .first()
      .evaluate((link) => link === document.activeElement),
  )

  await page.goto(`${server.url}/razas/que-raza`)
  await page.getByRole('button', { name: 'Ver mis razas' }).press('Enter')
  await page.waitForURL(/#resultado$/)
  assert.is(await focusedId(), 'resultado')
  assert.equal(errors, [])
})
