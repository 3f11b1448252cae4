import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { refreshBadges } from '#tests/support/jobs.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const badges = browserSuite<{ ana: TestMember }>('badges')
badges.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
})

for (const javaScriptEnabled of [true, false])
  badges(`a visitor finds the challenge and the badges${javaScriptEnabled ? '' : ' without script'}`, async (t) => {
    const { page, errors } = await takePage(t.browser, {
      ...PHONE,
      reducedMotion: 'reduce',
      javaScriptEnabled,
    })
    await page.goto(`${t.server.url}/comunidad`)
    await page.getByRole('link', { name: /^Reto de la semana: / }).click()
    await page.getByRole('heading', { name: 'Insignias', level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'El primer mestizo' }).waitFor()
    if (javaScriptEnabled) {
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
    }
    assert.equal(errors, [])
  })

badges('a member earns a badge, hears of it in the bell and finds it on the profile', async (t) => {
  await seed(t.server.db, dog({ owner_id: t.ana.id, breed: 'Mestizo' }))
  await refreshBadges(t.server.db)
  const { page, errors } = await visit(t, '/perfil', { ...PHONE, reducedMotion: 'reduce' }, t.ana)
  await page.locator('.badge-shelf b', { hasText: 'El primer mestizo' }).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.goto(`${t.server.url}/notificaciones`)
  await page.getByText('Has ganado «El primer mestizo».').click()
  await page.waitForURL('**/insignias')
  await page
    .getByText(/^Es tuya desde el /)
    .first()
    .waitFor()
  assert.is(await page.getByText('1 de 12 razas').count(), 0)
  assert.equal(await axeFaultsInBothThemes(page), [])
  assert.ok(await fitsWidth(page))
  // The seeded dog's photo has no file.
  assert.equal(
    errors.filter((text) => !text.includes('404')),
    [],
  )
})
