import type { Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { dog, seed, signIn } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const messages = browserSuite('messages')

async function assertAccessible(page: Page, where: string) {
  assert.equal(await axeFaultsInBothThemes(page), [], where)
  assert.ok(await fitsWidth(page), where)
}

/** An attached picture of nothing: seeded dogs have no photo files. */
const isStatus = (text: string) => text.startsWith('Failed to load resource')

for (const javaScriptEnabled of [true, false])
  messages(
    `a finder without account and an owner write to each other, and no other device reads it${javaScriptEnabled ? '' : ', without script'}`,
    async (t) => {
      const { url } = t.server
      const { id, cookie } = await signIn(t.server, javaScriptEnabled ? 'ana@ejemplo.es' : 'bea@ejemplo.es')
      const name = javaScriptEnabled ? 'Toby' : 'Luna'
      const [lost] = await seed(t.server.db, dog({ name, owner_id: id }))
      await addLostCase(t.server.db, { dogId: lost.id, ownerId: id })
      const owner = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
      const finder = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
      const [cookieName = '', value = ''] = cookie.split('=')
      await owner.page.context().addCookies([{ name: cookieName, value, url }])

      await finder.page.goto(`${url}/perdidos/${lost.id}/visto`)
      await finder.page.getByLabel('Pueblo o barrio').fill('Getafe')
      await finder.page.getByRole('button', { name: 'Enviar' }).click()
      await finder.page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
      await finder.page.getByRole('link', { name: 'tus mensajes' }).click()
      await finder.page.getByRole('heading', { name: 'Todavía no hay mensajes' }).waitFor()

      await owner.page.goto(`${url}/perdidos/${lost.id}/avistamientos`)
      await owner.page.getByRole('button', { name: 'Escribir a quien lo vio' }).click()
      await owner.page.getByRole('heading', { name: `Mensajes por ${name}` }).waitFor()
      const address = new URL(owner.page.url()).pathname
      await owner.page.getByLabel('Tu mensaje').fill('¿Llevaba collar?')
      await owner.page.getByRole('button', { name: 'Enviar' }).click()
      await owner.page.getByRole('listitem').filter({ hasText: '¿Llevaba collar?' }).getByText('Tú').waitFor()
      await owner.page.getByRole('status').getByText('Mensaje enviado.').waitFor()
      assert.is(await owner.page.evaluate(() => document.activeElement?.textContent), 'Mensaje enviado.')

      await finder.page.goto(`${url}/mensajes`)
      await finder.page.getByText('Sin leer').waitFor()
      if (javaScriptEnabled) await assertAccessible(finder.page, 'the list')
      await finder.page.getByRole('link', { name: `Por ${name}` }).click()
      await finder.page.getByText('¿Llevaba collar?').waitFor()
      await finder.page.getByLabel('Tu mensaje').fill('Sí, rojo. Mándame un bizum al 600 123 123')
      await finder.page.getByRole('button', { name: 'Enviar' }).click()
      await finder.page.getByText('A la otra persona le llega con un aviso delante.').waitFor()

      const marked = javaScriptEnabled && owner.page.waitForResponse((response) => response.status() === 204)
      await owner.page.goto(url + address)
      await marked
      const answer = owner.page.getByText('Sí, rojo.')
      assert.not.ok(await answer.isVisible())
      if (javaScriptEnabled) await assertAccessible(owner.page, 'the conversation')
      await owner.page.getByText('Este mensaje habla de dinero').click()
      assert.ok(await answer.isVisible())
      await owner.page.getByRole('button', { name: 'Denunciar' }).click()
      await owner.page.getByRole('status').getByText('Gracias por avisar').waitFor()

      await owner.page.goto(`${url}/mensajes`)
      assert.is(await owner.page.getByText('Sin leer').count(), javaScriptEnabled ? 0 : 1)

      const stranger = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
      assert.is((await stranger.page.goto(url + address))?.status(), 404)
      await stranger.page.getByRole('heading', { name: 'Aquí no hay mensajes' }).waitFor()
      assert.equal(
        [...owner.errors, ...finder.errors].filter((text) => !isStatus(text)),
        [],
      )
    },
  )
