import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import type { TestServer } from '#tests/support/server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const signIn = browserSuite('sign-in in a browser', { TRUST_PROXY: '1' })
let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let errors: string[]
let origin: string

signIn.before(async (t) => {
  ;({ server, browser } = t)
  // The mailed links lead to localhost, whose cookies are not those of 127.0.0.1.
  origin = server.url.replace('127.0.0.1', 'localhost')
})

let visitor = 0
async function open(options: BrowserContextOptions = DESKTOP) {
  ;({ context, page, errors } = await takePage(browser, options))
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.9.0.${++visitor}` })
}

const aliasShown = () => page.locator('.carnet h1').innerText()

signIn('by the link of the mail, whose page signs in by its button', async () => {
  await open()
  await page.goto(`${origin}/login`)
  const send = page.getByRole('button', { name: 'Recibir enlace mágico' })
  assert.ok(await send.isDisabled(), 'blank')
  await page.getByLabel('Tu email').fill('Ana@Ejemplo.es')
  await send.click()
  await page.getByText('¡Enlace mágico enviado! Revisa tu email').waitFor()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  const { link } = lastMailTo(server.dataDir, 'ana@ejemplo.es')
  await page.goto(link)
  await page.getByText('Vas a entrar como ana@ejemplo.es.').waitFor()
  await page.getByRole('button', { name: 'Entrar en Perrario' }).click()
  await page.waitForURL(`${origin}/perfil`)
  assert.match(await aliasShown(), /^Perrit\d+$/)
  assert.match(await page.locator('.carnet').innerText(), `Miembro desde ${new Date().getFullYear()}`)

  await page.goto(link)
  await page.waitForURL(`${origin}/perfil`)
  assert.equal(errors, [])
})

signIn('by the code, typed where the link was asked for: its sixth digit sends it, once', async () => {
  await open(PHONE)
  await page.goto(`${origin}/perfil`)
  await page.getByRole('heading', { name: 'Únete' }).waitFor()
  await page.getByLabel('Tu email').fill('bea@ejemplo.es')
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.getByLabel('Código de 6 cifras').waitFor()
  const { code, headers } = lastMailTo(server.dataDir, 'bea@ejemplo.es')
  await page.getByRole('button', { name: 'Enviar otro código' }).click()
  await page.getByText('Te hemos enviado otro mensaje con tu código.').waitFor()
  assert.is(lastMailTo(server.dataDir, 'bea@ejemplo.es').code, code)
  const field = page.getByLabel('Código de 6 cifras')
  let attempts = 0
  await page.route('**/api/auth/code', (route) => {
    attempts++
    return new Promise((done) => setTimeout(done, 300)).then(() => route.continue())
  })
  await field.pressSequentially(`${code.slice(0, 3)} ${code.slice(3, 5)}`)
  assert.is(attempts, 0)
  // Not `press`, which waits until the next page is there.
  await page.keyboard.type(code.slice(5))
  await page.keyboard.press('Enter')
  await page.locator('.carnet').waitFor()
  assert.is(attempts, 1)
  assert.match(headers.subject!, /^\d{3} \d{3} es tu código de Perrario$/)
  assert.equal(errors, [])
})

signIn('without any script, wrong code first', async () => {
  await open({ ...DESKTOP, javaScriptEnabled: false })
  await page.goto(`${origin}/login`)
  const send = page.getByRole('button', { name: 'Recibir enlace mágico' })
  await send.click()
  assert.match(await page.getByRole('alert').innerText(), 'Por favor, introduce tu email')
  await page.getByLabel('Tu email').fill('sin-arroba')
  await send.click()
  assert.match(await page.getByRole('alert').innerText(), 'Introduce un email válido')
  assert.is(await page.getByLabel('Tu email').inputValue(), 'sin-arroba')
  await page.getByLabel('Tu email').fill('clara@ejemplo.es')
  await send.click()
  await page.waitForURL(`${origin}/login/codigo`)
  assert.match(await page.locator('.entry-form').innerText(), 'clara@ejemplo.es')
  await page.getByRole('button', { name: 'Enviar otro código' }).click()
  await page.getByText('Te hemos enviado otro mensaje con tu código.').waitFor()
  const { code } = lastMailTo(server.dataDir, 'clara@ejemplo.es')
  await page.getByLabel('Código de 6 cifras').fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  assert.match(await page.getByRole('alert').innerText(), 'El código no es correcto o ya no vale.')
  await page.getByLabel('Código de 6 cifras').fill(code)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL(`${origin}/perfil`)
  assert.match(await aliasShown(), /^Perrit\d+$/)
  await page.getByLabel('Opciones').click()
  await page.locator('.menu-items').getByRole('button', { name: 'Cerrar sesión' }).click()
  await page.goto(`${origin}/perfil`)
  await page.getByRole('heading', { name: 'Únete' }).waitFor()
})

signIn('errors show in a box and a toast, and what was typed stays; while it is sent, the button waits', async () => {
  await open()
  await page.goto(`${origin}/login`)
  const email = page.getByLabel('Tu email')
  await email.press('Enter')
  await page.locator('.toasts').getByText('Por favor, introduce tu email').waitFor()
  await email.fill('mal')
  await email.press('Enter')
  assert.is(await page.locator('.error-box:visible').innerText(), 'Introduce un email válido')
  assert.is(await email.getAttribute('aria-invalid'), 'true')
  const toast = page.locator('.toast:not([data-leaving])')
  await toast.getByText('Introduce un email válido').waitFor()
  await email.fill('ana@ejemplo.es')
  assert.ok(await page.locator('.error-box').first().isHidden())
  assert.is(await toast.count(), 0, 'the red toast goes when its field is corrected')
  await page.route('**/api/auth/magic-link', (route) => route.abort())
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.locator('.error-box:visible').getByText('Error al enviar el enlace. Inténtalo de nuevo.').waitFor()
  await page.unroute('**/api/auth/magic-link')
  await page.route('**/api/auth/magic-link', (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body: '{"detail":"Espera."}' }),
  )
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.locator('.error-box:visible').getByText('Error enviando el enlace: Espera.').waitFor()
  assert.is(await email.inputValue(), 'ana@ejemplo.es')
  assert.equal(await axeFaultsInBothThemes(page), [])

  // While it is sent the button says so and waits.
  await page.unroute('**/api/auth/magic-link')
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/auth/magic-link', async (route) => {
    await held
    await route.fulfill({ status: 202, json: { sent: true } })
  })
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  const busy = page.getByRole('button', { name: 'Enviando...' })
  await busy.waitFor()
  assert.ok(await busy.isDisabled())
  answer()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
})

signIn('on a phone the way in stands on the first screen; the other ways unfold without script', async () => {
  await open({ ...PHONE, javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  for (const path of ['/login', '/perfil']) {
    await page.goto(origin + path)
    const sentence = await page.getByText('Si eres nuevo, te creamos el álbum.').boundingBox()
    const bar = await page.locator('.tabbar').boundingBox()
    assert.ok(sentence!.y + sentence!.height < bar!.y, path)
    const recovery = page.getByRole('link', { name: 'Usar un código de recuperación' })
    assert.ok(await recovery.isHidden())
    await page.getByText('Otras formas de entrar').click()
    await recovery.waitFor()
  }
})

signIn('terms and privacy open as dialogs, and stay links for a new tab or no script', async () => {
  await open()
  await page.goto(`${origin}/login`)
  for (const [name, title] of [
    ['Términos', 'Términos de uso'],
    ['Privacidad', 'Política de privacidad'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('heading', { name: 'Contacto' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  assert.is(await page.getByRole('link', { name: 'Términos', exact: true }).getAttribute('href'), '/terminos')
  assert.equal(errors, [])
})

signIn('signing out says goodbye and goes home; a failure says so and stays', async () => {
  await open()
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await useSession(context, server, ana)
  await page.goto(`${server.url}/perfil`)
  await page.route('**/api/auth/sign-out', (route) => route.abort())
  await page.getByLabel('Opciones').click()
  const leave = page.locator('.menu-items').getByRole('button', { name: 'Cerrar sesión' })
  await leave.click()
  await page.getByText('Error al cerrar sesión').waitFor()
  await page.getByText('Intenta de nuevo.').waitFor()
  await page.unroute('**/api/auth/sign-out')
  await leave.click()
  await page.getByText('Sesión cerrada correctamente').waitFor()
  await page.getByText('¡Hasta pronto!').waitFor()
  await page.waitForURL(`${server.url}/`)
  assert.is((await (await page.request.get(`${server.url}/api/session`)).json()).user, null)
})

signIn("somebody's profile is public, an unknown one says so", async () => {
  await open()
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const known = await page.goto(`${server.url}/usuario/${ana.id}`)
  assert.is(known!.status(), 200)
  assert.is(await aliasShown(), ana.alias)
  assert.not.match(await page.content(), 'ana@ejemplo.es')
  assert.is(await page.getByLabel('Opciones').count(), 0)
  await page.getByRole('navigation', { name: 'Partes del perfil' }).getByRole('link', { name: /Likes/ }).click()
  await page.getByText(`A ${ana.alias} todavía no le ha gustado ningún perro.`).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  const unknown = await call(server, `/usuario/${UNKNOWN_ID}`)
  assert.is(unknown.status, 404)
  assert.match(unknown.body, /<h1[^>]*>\s*Usuario no encontrado/)
  assert.match(unknown.body, /<a[^>]* href="\/"[^>]*>\s*Volver al inicio/)
})
