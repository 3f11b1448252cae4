import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const follows = browserSuite<{ luis: TestMember }>('browser/follows')
follows.before(async (t) => {
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
  await seed(t.server.db, dog({ name: 'Rufo', owner_id: t.luis.id, zone: 'Madrid', photos: 0 }))
})

for (const javaScriptEnabled of [true, false])
  follows(`a member follows somebody and reads their dogs ${javaScriptEnabled ? '' : 'without script'}`, async (t) => {
    const ana = await signInMember(t.server, `ana-${javaScriptEnabled}@ejemplo.es`)
    const { page, errors } = await visit(t, '/perros', { ...PHONE, javaScriptEnabled }, ana)
    await page.getByRole('link', { name: 'Siguiendo' }).click()
    await page.getByText('Aún no sigues nada').waitFor()
    if (javaScriptEnabled) {
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
    }
    await page.goto(`${t.server.url}/usuario/${t.luis.id}`)
    await page.getByRole('button', { name: `Seguir a ${t.luis.alias}` }).click()
    await page.getByRole('button', { name: /^Siguiendo/ }).waitFor()
    if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(page), [])
    await page.goto(`${t.server.url}/?tab=following`)
    await page.getByRole('link', { name: /Rufo/ }).first().waitFor()
    await page.getByRole('link', { name: 'Lo que sigues (1)' }).click()
    await page.getByLabel('Seguir una provincia').selectOption({ label: 'Madrid' })
    await page.getByRole('button', { name: 'Seguir', exact: true }).click()
    await page.getByRole('button', { name: 'Siguiendo la zona Madrid' }).waitFor()
    if (javaScriptEnabled) {
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
    }
    await page.getByRole('button', { name: /Siguiendo a / }).click()
    if (javaScriptEnabled) await page.getByRole('button', { name: `Seguir a ${t.luis.alias}` }).waitFor()
    else await page.getByRole('link', { name: t.luis.alias }).waitFor({ state: 'detached' })
    assert.equal(errors, [])
  })

follows('a visitor is asked to sign in, follows then and is led back', async (t) => {
  const ana = await signInMember(t.server, 'visita@ejemplo.es')
  const { page } = await visit(t, '/razas/beagle', DESKTOP)
  await page.getByRole('button', { name: 'Seguir la raza Beagle' }).click()
  await page.waitForURL(`${t.server.url}/login`)
  await useSession(page.context(), t.server, ana)
  // Where every sign-in ends.
  await page.goto(`${t.server.url}/perfil`)
  await page.getByRole('link', { name: 'Volver a Beagle' }).click()
  await page.waitForURL(`${t.server.url}/razas/beagle`)
  await page.getByRole('button', { name: /^Siguiendo la raza Beagle/ }).waitFor()
})
