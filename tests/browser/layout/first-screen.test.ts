import { PHONE } from '#tests/support/browser/chromium.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const home = browserSuite('first screen of the list')

home.before(async (t) => {
  await seed(t.server.db, member())
  for (let i = 0; i < 12; i++)
    await seed(t.server.db, dog({ name: `Perro ${i}`, breed: i % 2 ? 'Beagle' : 'Teckel', zone: 'Jaca' }))
})

home('the first card is at 415 px or less at every width', async (t) => {
  const { page } = await visit(t, '/', PHONE)
  for (const width of [320, 360, 390, 480, 600, 768, 769, 800, 1000, 1100, 1320, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    const { y } = (await page.locator('.dog-card').first().boundingBox())!
    assert.ok(y <= 415, `${y} px at ${width} px`)
  }
})

for (const javaScriptEnabled of [true, false])
  home(
    `a phone folds filters behind one of at most 14 controls, script ${javaScriptEnabled ? 'on' : 'off'}`,
    async (t) => {
      for (const isMember of [false, true]) {
        const { context, page } = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
        if (isMember) await useSession(context, t.server, await signInMember(t.server))
        await page.goto(t.server.url)
        const controls = await page.locator('a, button, select, input, summary').evaluateAll(
          (all) =>
            all.filter((one) => {
              const { top, bottom, width } = one.getBoundingClientRect()
              return width > 0 && bottom > 0 && top < innerHeight && one.checkVisibility() && !one.closest('.dog-card')
            }).length,
        )
        assert.ok(controls <= 14, `${controls} controls`)
        assert.is(await page.getByRole('link', { name: 'Peso' }).isVisible(), false)
        await page.getByText('Filtros', { exact: true }).click()
        await page.getByRole('link', { name: 'Peso' }).click()
        await page.waitForURL(/sort=weight-desc/)
        await page.getByText('Filtros 1').waitFor()
      }
    },
  )
