import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { bellButton } from '#tests/support/notifications/push-suite.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { dog, seed, signIn } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const nearby = browserSuite<{ other: string }>('nearby')
nearby.before(async (t) => {
  t.other = (await signIn(t.server, 'otra@ejemplo.es')).id
  await seed(t.server.db, dog({ breed: 'Akita Inu', zone: 'Leganés', owner_id: t.other }))
})

for (const javaScriptEnabled of [true, false])
  nearby(
    `a member chooses a zone, reads what they lack and is told ${javaScriptEnabled ? 'in the bell' : 'without script'}`,
    async (t) => {
      const { cookie } = await signIn(t.server, javaScriptEnabled ? 'ana@ejemplo.es' : 'bea@ejemplo.es')
      const { page, errors } = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
      const [name = '', value = ''] = cookie.split('=')
      await page.context().addCookies([{ name, value, url: t.server.url }])
      await page.goto(`${t.server.url}/?tab=mine`)
      const section = page.getByRole('region', { name: 'Te faltan cerca' })
      await section.getByRole('link', { name: 'Elegir mi zona' }).click()
      const field = page.getByLabel('Pueblo, barrio o provincia')
      await field.fill('Nadaquever')
      await page.getByRole('button', { name: 'Guardar', exact: true }).click()
      await page.getByRole('alert').getByText('No conocemos ese lugar.').waitFor()
      assert.is(await field.inputValue(), 'Nadaquever')
      if (javaScriptEnabled) {
        assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fitsWidth(page))
        await field.fill('Getaf')
        await page.locator('datalist option[value="Getafe, Madrid"]').waitFor({ state: 'attached' })
      }
      await field.fill('Getafe')
      await page.getByRole('button', { name: 'Guardar', exact: true }).click()
      await page.getByRole('status').getByRole('link', { name: 'Ver las razas que te faltan' }).click()
      await section.getByRole('link', { name: /Akita Inu/ }).waitFor()
      if (javaScriptEnabled) {
        assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fitsWidth(page))
      }
      await section.getByRole('link', { name: 'Avísame' }).click()
      await page.getByLabel('Avísame cuando aparezca').selectOption('A menos de 10 km')
      await page.getByRole('button', { name: 'Guardar', exact: true }).click()
      await page.getByText('Guardado: te avisaremos').waitFor()
      // A dog that another member adds.
      const breed = javaScriptEnabled ? 'Boxer' : 'Borzoi'
      await seed(t.server.db, dog({ breed, zone: 'Leganés', owner_id: t.other }))
      await t.server.db.updateTable('dogs_all').set({ photo_url: '/placeholder.svg' }).execute()
      const text = `${breed === 'Boxer' ? 'Bóxer' : breed}: han visto uno a menos de 10 km de tu zona.`
      if (javaScriptEnabled) {
        await bellButton(page).getByText('1').waitFor()
        await bellButton(page).click()
        await page.getByText(text).waitFor()
      } else
        for (let tries = 0; ; tries++) {
          await page.goto(`${t.server.url}/notificaciones`)
          if (await page.getByText(text).count()) break
          assert.ok(tries < 40, 'no alert came')
          await page.waitForTimeout(500)
        }
      await page.goto(`${t.server.url}/perfil/avisos`)
      await page.getByRole('button', { name: 'Quitar mi zona' }).click()
      await page.getByText('Ya no tienes zona').waitFor()
      assert.equal(errors, [])
    },
  )
