import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sessionCookieName } from '#features/auth/auth.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, launchBrowser, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { readLayoutShift } from '#tests/support/browser/requests.ts'
import { signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const days = suite<{ server: TestServer; browser: Browser }>('first days')
days.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
})
days.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

for (const javaScriptEnabled of [true, false])
  days(`a new member goes through the steps ${javaScriptEnabled ? 'or past them' : 'without script'}`, async (t) => {
    const options = javaScriptEnabled ? PHONE : { ...DESKTOP, javaScriptEnabled }
    const { page, context, errors, release } = await takePage(t.browser, options)
    const { cookie } = await signIn(t.server, `${javaScriptEnabled ? 'con' : 'sin'}@ejemplo.es`)
    const value = cookie.slice(cookie.indexOf('=') + 1)
    await context.addCookies([{ name: sessionCookieName(false), value, url: t.server.url }])
    await page.goto(`${t.server.url}/perfil`)
    const panel = page.getByRole('region', { name: 'Primeros pasos' })
    assert.is(await panel.getByRole('listitem').count(), 3)
    if (javaScriptEnabled) {
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
      await page.reload()
      await panel.waitFor()
      assert.ok((await readLayoutShift(page)) < 0.01, 'nothing moves')
    }
    await panel.getByRole('heading', { name: 'Di por dónde paseas' }).click()
    await panel.getByRole('button', { name: 'Saltar Di por dónde paseas' }).click()
    await panel.getByRole('heading', { name: 'Di por dónde paseas' }).waitFor({ state: 'detached' })
    await panel.getByRole('link', { name: 'Elegir alias' }).click()
    await page.getByLabel('Alias').fill(javaScriptEnabled ? 'Con Script' : 'Sin Script')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await page.locator('.carnet', { hasText: /n Script/ }).waitFor()
    await page.goto(`${t.server.url}/perfil`)
    await panel.getByText('(hecho)').waitFor({ state: 'attached' })
    await panel.getByRole('button', { name: 'Ahora no' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.goto(`${t.server.url}/perfil`)
    await page.locator('.carnet').waitFor()
    assert.is(await panel.count(), 0)
    assert.equal(errors, [])
    await release()
  })

days.run()
