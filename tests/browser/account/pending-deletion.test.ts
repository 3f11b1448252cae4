import type { Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { assert, pageSuite, type PageWorld } from '#tests/support/suites.ts'

interface World extends PageWorld {
  ana: TestMember
}

const deletion = pageSuite<World>('browser/account/pending-deletion')
let count = 0

deletion.before.each(async (t) => {
  t.ana = await signInMember(t.server, `ana${++count}@ejemplo.es`)
  await t.context.route('**/_ipx/**', (route) =>
    route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' }),
  )
  await useSession(t.context, t.server, t.ana)
})
deletion.after.each(({ errors }) => assert.equal(errors, []))

/** Whether a screen holds in both themes. */
async function look(page: Page, name: string): Promise<void> {
  assert.equal(await axeFaultsInBothThemes(page), [], name)
  assert.ok(await fitsWidth(page), name)
}

const statusOf = async (url: string) => (await fetch(url)).status

async function askForDeletion({ server, page, ana }: World): Promise<void> {
  await page.goto(`${server.url}/perfil/cuenta`)
  await page.getByRole('radio', { name: 'Mis perros se van conmigo' }).check()
  assert.ok(await page.getByRole('radio', { name: 'Dentro de 7 días' }).isChecked())
  await page.getByRole('textbox', { name: 'Para confirmar' }).fill(ana.alias)
  await look(page, 'form')
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tu cuenta se borrará en 7 días' }).waitFor()
}

deletion('who thinks better of it signs in, and has everything back', async (t) => {
  const { server, page, ana } = t
  const [toby] = await seed(server.db, dog({ name: 'Toby', owner_id: ana.id }))
  await askForDeletion(t)
  await look(page, 'requested')
  assert.equal([await statusOf(server.url + toby.path), await statusOf(`${server.url}/usuario/${ana.id}`)], [410, 404])
  assert.is(await page.locator('body').getAttribute('data-member'), '')

  await page.goto(`${server.url}/login`)
  await page.getByRole('textbox', { name: 'Tu email' }).fill(ana.email)
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  const field = page.getByLabel('Código de 6 cifras')
  await field.waitFor()
  await field.fill(lastMailTo(server.dataDir, ana.email).code)
  await page.getByRole('heading', { level: 1, name: 'Tu cuenta se borrará el' }).waitFor()
  await look(page, 'choice')
  await page.getByRole('link', { name: 'Borrar ahora mismo' }).click()
  await page.getByRole('heading', { level: 1, name: '¿Borrar tu cuenta ahora mismo?' }).waitFor()
  await look(page, 'erase')
  await page.getByRole('link', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Recuperar mi cuenta' }).click()
  await page.waitForURL(`${server.url}/recuperar?hecho=si`)
  await page.getByRole('heading', { name: 'Tu cuenta ha vuelto' }).waitFor()
  assert.equal([await statusOf(server.url + toby.path), await statusOf(`${server.url}/usuario/${ana.id}`)], [200, 200])
})

deletion('the mailed link works in another browser without script, on a phone, once', async (t) => {
  const { server, browser, ana } = t
  await askForDeletion(t)
  const { link } = lastMailTo(server.dataDir, ana.email)
  const plain = await takePage(browser, { ...PHONE, javaScriptEnabled: false })
  await plain.page.goto(link)
  await plain.page.getByRole('heading', { level: 1, name: 'Tu cuenta se borrará el' }).waitFor()
  assert.ok(await fitsWidth(plain.page))
  await plain.page.getByRole('button', { name: 'Recuperar mi cuenta' }).click()
  await plain.page.getByRole('heading', { level: 1, name: 'Tu cuenta ha vuelto' }).waitFor()
  assert.is(await statusOf(`${server.url}/usuario/${ana.id}`), 200)
  await plain.page.goto(link)
  await plain.page.getByRole('heading', { level: 1, name: 'Este enlace no es válido' }).waitFor()
})
