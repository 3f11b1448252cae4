import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { axeFaults, axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { unzip } from '#tests/support/zip.ts'
import { assert, pageSuite, type PageWorld } from '#tests/support/suites.ts'

interface World extends PageWorld {
  ana: TestMember
}

const account = pageSuite<World>('account and admin', { ADMIN_EMAIL: 'jefa@ejemplo.es' })
let count = 0

account.before.each(async (t) => {
  t.ana = await signInMember(t.server, `ana${++count}@ejemplo.es`)
  await t.context.route('**/_ipx/**', (route) =>
    route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' }),
  )
  await useSession(t.context, t.server, t.ana)
})
account.after.each(({ errors }) => assert.equal(errors, []))

const findFaults = async (page: Page) => axeFaults(page)

account('from the profile’s menu to one’s sessions: another device is signed out', async ({ server, page, ana }) => {
  await createSession(server.db, ana.id, undefined, 'Safari en iPhone')
  await page.goto(`${server.url}/perfil`)
  await page.getByLabel('Opciones').click()
  assert.is(await page.getByRole('link', { name: 'Administración' }).count(), 0)
  await page.getByRole('link', { name: 'Cuenta y datos' }).click()
  await page.getByRole('heading', { level: 1, name: 'Cuenta y datos' }).waitFor()
  assert.ok(await page.getByText('Este dispositivo').isVisible())
  await page.getByRole('button', { name: 'Cerrar la sesión de Safari en iPhone' }).click()
  await page.getByText('Sesión cerrada.').waitFor()
  // The security log below names it still.
  assert.is(await page.locator('.sessions').getByText('Safari en iPhone').count(), 0)
  assert.ok(await page.getByText('Este dispositivo').isVisible())
})

account('«Cerrar en todos los dispositivos» says goodbye and goes home', async ({ server, page, ana }) => {
  const { token } = await createSession(server.db, ana.id)
  await page.goto(`${server.url}/perfil/cuenta`)
  await page.getByRole('button', { name: 'Cerrar en todos los dispositivos' }).click()
  await page.getByText('Sesión cerrada correctamente').waitFor()
  await page.waitForURL(`${server.url}/`)
  const session = await fetch(`${server.url}/api/session`, { headers: { Cookie: `perrario=${token}` } })
  assert.is((await session.json()).user, null)
  await page.goto(`${server.url}/perfil/cuenta`)
  assert.is(new URL(page.url()).pathname, '/login')
})

account('deleting now asks for the alias, then goes home and says so', async ({ server, page, ana, errors }) => {
  const [toby] = await seed(server.db, dog({ name: 'Toby', owner_id: ana.id }))
  await page.goto(`${server.url}/perfil/cuenta`)
  await page.getByRole('radio', { name: 'Mis perros se van conmigo' }).check()
  await page.getByRole('radio', { name: 'Ahora mismo' }).check()
  const alias = page.getByRole('textbox', { name: `Para confirmar, escribe tu alias: ${ana.alias}` })
  await alias.fill('Otra persona')
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await page.getByText('Escribe tu alias tal como aparece en tu perfil.').waitFor()
  assert.is(await alias.getAttribute('aria-invalid'), 'true')
  assert.ok(await alias.evaluate((input) => input === document.activeElement))
  assert.equal(await findFaults(page), [])
  // The browser itself logs the 422.
  assert.ok(errors.splice(0).every((line) => line.includes('422')))
  await alias.fill(ana.alias)
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await page.waitForURL(`${server.url}/`)
  await page.getByText('Tu cuenta se ha eliminado').waitFor()
  assert.is((await fetch(server.url + toby.path)).status, 410)
  assert.is(await page.locator('body').getAttribute('data-member'), '')
  assert.is((await fetch(`${server.url}/usuario/${ana.id}`)).status, 404)
})

/** The step of who signed in long ago, by keyboard alone, to the download; `check` looks at the page in each of its states. */
async function confirmByCode(
  { server, page, ana }: World,
  check: () => Promise<void>,
  hasScript = true,
): Promise<Download> {
  await server.db.updateTable('sessions').set({ proved_at: 1 }).execute()
  await page.goto(`${server.url}/perfil/cuenta`)
  const link = page.getByRole('link', { name: 'Descargar mis datos' })
  await link.focus()
  await page.keyboard.press('Enter')
  const step = page.locator('#confirma')
  await step.getByText('Para tu seguridad, confirma con un código que te enviamos por correo.').waitFor()
  if (!hasScript) await page.keyboard.press('Tab')
  assert.is(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Enviarme un código')
  await page.keyboard.press('Enter')
  const field = step.getByLabel('Código de 6 cifras')
  // The code can be typed at once.
  await field.and(page.locator(':focus')).waitFor()
  await check()
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await step.getByText('El código no es correcto o ya no vale. Revísalo o pide otro.').waitFor()
  assert.is(await field.getAttribute('aria-invalid'), 'true')
  await check()
  await field.fill(lastMailTo(server.dataDir, ana.email).code)
  const downloaded = page.waitForEvent('download')
  await field.press('Enter')
  if (!hasScript) {
    await step.getByText('Confirmado. Tienes 15 minutos').waitFor()
    await check()
    await link.click()
  }
  const download = await downloaded
  assert.match(download.suggestedFilename(), /^perrario-\d{8}\.zip$/)
  return download
}

account('who signed in long ago confirms by a mailed code first; the download is a zip that opens', async (t) => {
  const { server, page, ana } = t
  await seed(server.db, dog({ name: 'Toby', owner_id: ana.id }))
  const download = await confirmByCode(t, async () => {
    assert.equal(await axeFaultsInBothThemes(page), [])
    await page.setViewportSize(PHONE.viewport)
    assert.ok(await fitsWidth(page))
    assert.equal(await axeFaults(page), [], 'on a phone')
    await page.setViewportSize(DESKTOP.viewport)
  })
  const files = await unzip(readFileSync(await download.path()))
  const data = JSON.parse(files.get('datos.json')!.toString())
  assert.equal([data.cuenta.email, data.perros[0].name], [ana.email, 'Toby'])
})

account('a typed address is sent once the sheet over it is done', async ({ server, page, ana, errors }) => {
  await server.db.updateTable('sessions').set({ proved_at: 1 }).execute()
  await page.goto(`${server.url}/perfil/cuenta`)
  await page.getByText('Cambiar de email').click()
  await page.getByLabel('Nuevo email').fill('nueva@ejemplo.es')
  await page.getByRole('button', { name: 'Recibir un código' }).click()
  const sheet = page.getByRole('dialog', { name: 'Confirma que eres tú' })
  await sheet.getByRole('button', { name: 'Ahora no' }).click()
  await sheet.waitFor({ state: 'hidden' })
  assert.is(await page.getByLabel('Nuevo email').inputValue(), 'nueva@ejemplo.es')
  await page.getByRole('button', { name: 'Recibir un código' }).click()
  await sheet.getByRole('button', { name: 'Enviarme un código' }).click()
  const code = sheet.getByLabel('Código de 6 cifras')
  await code.waitFor()
  await code.fill(lastMailTo(server.dataDir, ana.email).code)
  await sheet.getByRole('button', { name: 'Confirmar' }).click()
  await page.getByText('Te hemos enviado un código a nueva@ejemplo.es').waitFor()
  assert.equal(errors, [])
})

account(
  'a page that lay open for an hour leads to the step, and deletes nothing',
  async ({ server, page, ana, errors }) => {
    await page.goto(`${server.url}/perfil/cuenta`)
    await page.getByRole('radio', { name: 'Se quedan en el álbum sin mí' }).check()
    await page.getByRole('textbox', { name: 'Para confirmar' }).fill(ana.alias)
    await server.db.updateTable('sessions').set({ proved_at: 1 }).execute()
    await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
    await page.waitForURL(/confirma=pide/)
    await page.getByRole('button', { name: 'Enviarme un código' }).waitFor()
    assert.ok(errors.splice(0).every((line) => line.includes('403')))
    assert.is((await fetch(`${server.url}/usuario/${ana.id}`)).status, 200)
  },
)

account('without script everything works all the same, on a phone', async (t) => {
  const { server, browser, ana } = t
  const [toby] = await seed(server.db, dog({ name: 'Rex', owner_id: ana.id }))
  const plain = await takePage(browser, { ...PHONE, javaScriptEnabled: false })
  const { context, page } = plain
  await useSession(context, server, ana)
  await confirmByCode(
    { ...t, page },
    async () => {
      assert.ok(await fitsWidth(page))
    },
    false,
  )
  await page.getByRole('radio', { name: 'Se quedan en el álbum sin mí' }).check()
  await page.getByRole('textbox', { name: 'Para confirmar' }).fill('otra')
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await page.getByText('Escribe tu alias tal como aparece en tu perfil.').waitFor()
  await page.getByRole('radio', { name: 'Se quedan en el álbum sin mí' }).check()
  await page.getByRole('textbox', { name: 'Para confirmar' }).fill(ana.alias)
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await page.waitForURL(`${server.url}/recuperar?hecho=pedido`)
  await page.getByRole('heading', { level: 1, name: 'Tu cuenta se borrará en 7 días' }).waitFor()
  assert.is((await fetch(server.url + toby.path)).status, 200)
  assert.is((await fetch(`${server.url}/usuario/${ana.id}`)).status, 404)
})

account('the admin gives a badge, everyone sees it, and takes it back', async ({ server, page, context, ana }) => {
  const boss = await signInMember(server, 'jefa@ejemplo.es')
  await useSession(context, server, boss)
  await page.goto(`${server.url}/perfil`)
  await page.getByLabel('Opciones').click()
  await page.getByRole('link', { name: 'Administración' }).click()
  await page.getByRole('searchbox', { name: 'Buscar miembros por alias o email' }).fill(ana.email.slice(0, -4))
  await page.getByRole('button', { name: 'Buscar' }).click()
  const toggle = page.getByRole('switch', { name: `${ana.alias}: perfil verificado` })
  assert.is(await toggle.getAttribute('aria-checked'), 'false')
  await toggle.click()
  await page.getByText('Perfil verificado.').waitFor()
  assert.is(await toggle.getAttribute('aria-checked'), 'true')
  assert.match(page.url(), `q=${ana.email.slice(0, 4)}`)
  assert.equal(await findFaults(page), [])
  const visitor = await context.newPage()
  await visitor.goto(`${server.url}/usuario/${ana.id}`)
  assert.ok((await visitor.getByRole('img', { name: 'Perfil verificado' }).count()) > 0)
  await toggle.click()
  await page.getByText('El perfil ya no está verificado.').waitFor()
  await visitor.reload()
  assert.is(await visitor.getByRole('img', { name: 'Perfil verificado' }).count(), 0)
})

account('a word of the admin’s reaches the member; nothing scrolls sideways at 320 px', async (t) => {
  const { server, page, context } = t
  const long = await signInMember(server, 'una.direccion.muy.larga.sin.huecos@un-dominio-larguisimo.ejemplo.es')
  await useSession(context, server, await signInMember(server, 'jefa@ejemplo.es'))
  await page.goto(`${server.url}/admin?q=${long.email}`)
  await page.getByText('Escribirle').click()
  await page.getByRole('textbox', { name: `Mensaje para ${long.alias}` }).fill('¡Gracias por tus fotos!')
  assert.equal(await axeFaultsInBothThemes(page), [])
  // The scrollbar leaves 320 px.
  await page.setViewportSize({ width: 335, height: 640 })
  assert.ok(await fitsWidth(page))
  assert.equal(await axeFaults(page), [], 'on a phone')
  await page.setViewportSize(DESKTOP.viewport)
  await page.getByRole('button', { name: 'Enviar' }).click()
  await page.getByText('Mensaje enviado.').waitFor()
  const bell = await fetch(`${server.url}/api/notifications`, { headers: { Cookie: long.cookie } })
  assert.is((await bell.json()).notifications[0].content, '¡Gracias por tus fotos!')
  await page.getByRole('navigation', { name: 'Listas' }).getByRole('link', { name: 'Perros' }).click()
  await page.getByRole('searchbox', { name: 'Buscar perros por nombre' }).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
})
