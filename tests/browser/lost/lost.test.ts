import type { Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { dog, seed, signIn } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const lost = browserSuite('lost')

async function assertAccessible(page: Page, where: string) {
  assert.equal(await axeFaultsInBothThemes(page), [], where)
  assert.ok(await fitsWidth(page), where)
}

for (const javaScriptEnabled of [true, false])
  lost(
    `an owner marks a dog, a stranger sees it, and it comes home${javaScriptEnabled ? '' : ', without script'}`,
    async (t) => {
      const { id, cookie } = await signIn(t.server, javaScriptEnabled ? 'ana@ejemplo.es' : 'bea@ejemplo.es')
      const name = javaScriptEnabled ? 'Toby' : 'Luna'
      const [toby] = await seed(t.server.db, dog({ name, owner_id: id }))
      const { page, errors } = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
      const stranger = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
      const [cookieName = '', value = ''] = cookie.split('=')
      await page.context().addCookies([{ name: cookieName, value, url: t.server.url }])
      await page.goto(t.server.url + toby.path)
      await page.getByRole('link', { name: 'Marcar como perdido' }).click()
      const zone = page.getByLabel('¿Dónde se le vio por última vez?')
      await zone.fill('Nadaquever')
      await page.getByLabel('¿Qué ayuda a encontrarlo?').fill('Tiene miedo, no lo persigas.')
      await page.getByText('Lleva chip', { exact: true }).click()
      await page.getByRole('button', { name: 'Avisar a todos' }).click()
      await page.getByRole('alert').getByText('No conocemos ese lugar.').waitFor()
      if (javaScriptEnabled) {
        await assertAccessible(page, 'the form')
        await page.getByRole('button', { name: 'Elegir en el mapa' }).click()
        await page.getByRole('status').getByText('Sin elegir.').waitFor()
        await page.locator('.point-map .leaflet-container, .point-map.leaflet-container').waitFor()
        assert.is(await page.locator('.point-pin').count(), 0)
        await assertAccessible(page, 'the map')
      }
      await zone.fill('Getafe')
      if (javaScriptEnabled) {
        await zone.press('Enter')
        assert.is(await page.evaluate(() => document.activeElement?.id), 'help')
      }
      await page.getByRole('button', { name: 'Avisar a todos' }).click()
      await page.getByRole('status').getByText(`Ya buscamos a ${name}`).waitFor()
      if (javaScriptEnabled) await assertAccessible(page, 'the search')

      await stranger.page.goto(t.server.url + toby.path)
      const band = stranger.page.getByRole('region', { name: `Se busca a ${name}` })
      await band.getByText('Tiene miedo, no lo persigas.').waitFor()
      await band.getByText('en Getafe, Madrid').waitFor()
      assert.is(
        await band.getByRole('link', { name: '¿Lo has visto?' }).getAttribute('href'),
        `/perdidos/${toby.id}/visto`,
      )
      if (javaScriptEnabled) await assertAccessible(stranger.page, 'the band')
      await stranger.page.goto(`${t.server.url}/perros`)
      await stranger.page.locator(`[data-dog="${toby.id}"] .lost-mark`).waitFor()

      await page.locator('summary', { hasText: '¡En casa!' }).click()
      if (javaScriptEnabled) await assertAccessible(page, 'the question')
      await page.getByRole('button', { name: 'Sí, está en casa' }).click()
      await page.getByRole('heading', { name: `¡${name} está en casa!`, level: 1 }).waitFor()
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), '¡Qué alegría!')
      assert.not.ok(await page.getByRole('button', { name: 'Avisar a todos' }).isVisible())
      if (javaScriptEnabled) await assertAccessible(page, 'at home')
      await stranger.page.goto(t.server.url + toby.path)
      await stranger.page.getByText('Gracias a quienes ayudaron.').waitFor()
      assert.is(await band.count(), 0)
      // Seeded dogs have no photo files, and a refused form is answered with 422.
      const isStatus = (text: string) => text.startsWith('Failed to load resource')
      assert.equal(
        [...errors, ...stranger.errors].filter((text) => !isStatus(text)),
        [],
      )
    },
  )
