import { sessionCookieName } from '#features/auth/auth.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { readLayoutShift } from '#tests/support/browser/requests.ts'
import { dog, seed, signIn } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const days = browserSuite('first days')

for (const javaScriptEnabled of [true, false])
  days(
    `a new member is invited, then asked for an alias, ${javaScriptEnabled ? 'ticked at once' : 'without script'}`,
    async (t) => {
      const options = javaScriptEnabled ? PHONE : { ...DESKTOP, javaScriptEnabled }
      const { page, context, errors } = await takePage(t.browser, options)
      const { id, cookie } = await signIn(t.server, `${javaScriptEnabled ? 'con' : 'sin'}@ejemplo.es`)
      const value = cookie.slice(cookie.indexOf('=') + 1)
      await context.addCookies([{ name: sessionCookieName(false), value, url: t.server.url }])
      await page.goto(`${t.server.url}/perfil`)
      const invitation = page.getByRole('heading', { name: 'Pega tu primer perro' })
      const panel = page.locator('[data-alias-step]')
      await invitation.waitFor()
      assert.is(await panel.count(), 0)
      if (javaScriptEnabled) {
        assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fitsWidth(page))
        await page.reload()
        await invitation.waitFor()
        assert.ok((await readLayoutShift(page)) < 0.01, 'nothing moves')
      }
      const [toby] = await seed(t.server.db, dog({ name: 'Toby' }))
      const comment = { id: crypto.randomUUID(), dog_id: toby.id, user_id: id, content: 'Hola', created_at: 1 }
      await t.server.db.insertInto('comments_all').values(comment).execute()
      await page.goto(`${t.server.url}/perfil`)
      await panel.getByRole('link', { name: 'Elegir alias' }).click()
      await page.getByLabel('Alias').fill(javaScriptEnabled ? 'Con Script' : 'Sin Script')
      await page.getByRole('button', { name: 'Guardar' }).click()
      await page.locator('.carnet', { hasText: /n Script/ }).waitFor()
      if (javaScriptEnabled) {
        await page.locator('[data-alias-step].done').waitFor()
        assert.equal(await axeFaultsInBothThemes(page), [])
      }
      await page.goto(`${t.server.url}/perfil`)
      await page.locator('.carnet').waitFor()
      assert.is(await panel.count(), 0)
      assert.equal(errors, [])
    },
  )
