import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright'
import { addAuthenticator } from '#tests/support/browser/authenticator.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, openContext, PHONE } from '#tests/support/browser/chromium.ts'
import { readLayoutShift } from '#tests/support/browser/requests.ts'
import { signInMember } from '#tests/support/members.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import type { TestServer } from '#tests/support/server.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Passkeys with Chromium's virtual authenticator (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/), at localhost, where
// browsers have them without https.

const passkeys = browserSuite('passkeys in a browser', { TRUST_PROXY: '1' })
let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let errors: string[]
let origin: string
let cdp: CDPSession
let authenticatorId: string

passkeys.before(async (t) => {
  ;({ server, browser } = t)
  origin = server.url.replace('127.0.0.1', 'localhost')
})

let visitor = 0
async function open(options: BrowserContextOptions = DESKTOP) {
  ;({ context, page, errors } = await takePage(browser, options))
  page.setDefaultTimeout(10_000)
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.9.1.${++visitor}` })
}

const plugIn = async () => void ({ cdp, authenticatorId } = await addAuthenticator(page))
passkeys.after.each(async () => {
  await cdp?.send('WebAuthn.disable').catch(() => {})
})

async function signInByMail(email: string) {
  const { token } = await signInMember(server, email)
  await context.addCookies([{ name: 'perrario', value: token, url: origin, httpOnly: true, sameSite: 'Lax' }])
}
/** On an empty page: whatever a page of the member still loads would be refused. */
async function signOut() {
  await page.goto('about:blank')
  await context.clearCookies()
}
/** From here on it is the third visit. */
const comeBack = () =>
  page.addInitScript(() => {
    if (location.protocol === 'http:') localStorage.setItem('perrario-visitas', `3 ${Date.now()}`)
  })
const makeStale = () => server.db.updateTable('sessions').set({ proved_at: 1 }).execute()

passkeys('offered after a sign-in by mail from the third visit on, created, and used by the button', async () => {
  await open(PHONE)
  await plugIn()
  await signInByMail('ana@ejemplo.es')
  await comeBack()
  await page.goto(`${origin}/perfil`)
  const offer = page.getByRole('region', { name: 'La próxima vez, con tu huella' })
  await offer.getByRole('button', { name: 'Crear llave' }).click()
  await page.getByText('Llave añadida. La próxima vez entras con ella.').waitFor()
  await page.locator('.passkey-list').getByText('Llave 1').waitFor()
  await signOut()
  await page.goto(`${origin}/login`)
  // Not by a click: the first touch offers the passkey in the field, where the virtual authenticator would take it.
  await page.locator('.other-ways').evaluate((ways: HTMLDetailsElement) => {
    ways.open = true
  })
  await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click()
  await page.waitForURL(`${origin}/perfil`)
  await page.locator('.carnet').waitFor()
  assert.not.ok(await offer.isVisible(), 'who has a passkey is offered none')
  assert.equal(errors, [])
})

passkeys('offered once on a device', async () => {
  await open()
  await plugIn()
  await signInByMail('otra-vez@ejemplo.es')
  await page.goto(`${origin}/perfil`)
  const offer = page.getByRole('region', { name: 'La próxima vez, con tu huella' })
  await page.locator('.carnet').waitFor()
  assert.not.ok(await offer.isVisible(), 'not at the first visit')
  await comeBack()
  await page.reload()
  await offer.waitFor()
  assert.ok((await readLayoutShift(page)) < 0.02, 'nothing moves')
  await offer.getByRole('button', { name: 'Ahora no' }).click()
  await offer.waitFor({ state: 'detached' })
  await signOut()
  await signInByMail('otra-vez@ejemplo.es')
  await page.goto(`${origin}/perfil`)
  await page.locator('.carnet').waitFor()
  assert.not.ok(await offer.isVisible())
  assert.equal(errors, [])
})

passkeys('an account without email, whose person then enters by the field of the address', async () => {
  await open()
  await plugIn()
  await page.goto(`${origin}/login`)
  await page.getByText('Otras formas de entrar').click()
  await page.getByText('Crear cuenta con llave').click()
  await page.getByText('Si pierdes tu única llave, pierdes la cuenta.').waitFor()
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await page.waitForURL(`${origin}/perfil`)
  await page.getByText('Solo tienes una forma de entrar').waitFor()
  const alias = await page.locator('.carnet h1').innerText()
  await signOut()
  await page.goto(`${origin}/login`)
  // The virtual authenticator takes the place of the person who chooses the passkey under the field.
  await page.getByLabel('Tu email').focus()
  await page.waitForURL(`${origin}/perfil`)
  assert.is(await page.locator('.carnet h1').innerText(), alias)
  assert.equal(errors, [])
})

passkeys('a second passkey, another name, and the removal of the first', async () => {
  await open()
  await plugIn()
  await signInByMail('eva@ejemplo.es')
  await page.goto(`${origin}/perfil/cuenta`)
  const add = page.getByRole('button', { name: 'Añadir una llave de acceso' })
  await add.click()
  await page.locator('.passkey-list').getByText('Llave 1').waitFor()
  await add.click()
  await page.getByText('Este dispositivo ya tiene una llave de tu cuenta.').waitFor()
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await plugIn()
  await add.click()
  const keys = page.locator('.passkey-list > li')
  await keys.nth(1).waitFor()
  await keys.nth(1).locator('summary').click()
  await keys.nth(1).getByLabel('Nombre').fill('Mi llavero')
  await keys.nth(1).getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Nombre guardado.').waitFor()
  await keys.nth(1).getByText('Mi llavero').waitFor()
  await keys.nth(0).locator('summary').click()
  await keys.nth(0).getByRole('button', { name: 'Quitar esta llave' }).click()
  await page.getByText('Llave quitada.').waitFor()
  assert.is(await keys.count(), 1)
  assert.equal(await axeFaultsInBothThemes(page), [])
  assert.equal(errors, [])
})

passkeys('sudo: the passkey confirms where the session is old', async () => {
  await open()
  await plugIn()
  await signInByMail('sudo@ejemplo.es')
  await page.goto(`${origin}/perfil/cuenta`)
  await page.getByRole('button', { name: 'Añadir una llave de acceso' }).click()
  await page.locator('.passkey-list').getByText('Llave 1').waitFor()
  await makeStale()
  await page.goto(`${origin}/perfil/cuenta`)
  await page.getByRole('button', { name: 'Cerrar en todos los dispositivos' }).click()
  await page.getByRole('button', { name: 'Confirmar con llave de acceso' }).click()
  await page.waitForURL(`${origin}/`)
  assert.equal(errors, [])
})

passkeys('a cancelled prompt says so and changes nothing', async () => {
  await open()
  await plugIn()
  await signInByMail('nadie@ejemplo.es')
  await page.goto(`${origin}/perfil/cuenta`)
  // What browsers answer once their window is closed.
  await page.evaluate(() => {
    navigator.credentials.create = () => Promise.reject(new DOMException('closed', 'NotAllowedError'))
  })
  await page.getByRole('button', { name: 'Añadir una llave de acceso' }).click()
  await page.getByText('No se ha creado ninguna llave. Puedes intentarlo otra vez.').waitFor()
  await page.reload()
  assert.is(await page.locator('.passkey-list').count(), 0)
})

passkeys('a recovery code opens the account whose passkey is lost', async () => {
  await open(PHONE)
  await signInByMail('vuelta@ejemplo.es')
  await page.goto(`${origin}/perfil/seguridad`)
  await page.getByRole('button', { name: 'Crear mis códigos' }).click()
  const code = await page.locator('[data-recovery-codes] li').first().innerText()
  await signOut()
  await page.goto(`${origin}/login`)
  await page.getByText('Otras formas de entrar').click()
  await page.getByRole('link', { name: 'Usar un código de recuperación' }).click()
  await page.getByLabel('Código de recuperación').fill(code)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL(`${origin}/perfil`)
  await signOut()
  await page.goto(`${origin}/login/recuperar`)
  await page.getByLabel('Código de recuperación').fill(code)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByText('Este código ya se ha usado. Usa otro de tu lista.').waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  assert.equal(errors, [])
})

passkeys('in a browser without passkeys, and without script, nothing of them shows', async () => {
  const old = await openContext(browser, DESKTOP)
  const oldPage = await old.newPage()
  await oldPage.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await oldPage.goto(`${origin}/login`)
  await oldPage.getByText('Otras formas de entrar').click()
  await oldPage.getByRole('link', { name: 'Usar un código de recuperación' }).waitFor()
  await oldPage.getByRole('button', { name: 'Entrar con llave de acceso' }).waitFor({ state: 'hidden' })
  await old.close()
  await open({ ...DESKTOP, javaScriptEnabled: false })
  await page.goto(`${origin}/login`)
  await page.getByText('Otras formas de entrar').click()
  assert.not.ok(await page.getByRole('button', { name: 'Entrar con llave de acceso' }).isVisible())
  await page.getByLabel('Tu email').fill('sin-script@ejemplo.es')
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.waitForURL(`${origin}/login/codigo`)
  await page.getByLabel('Código de 6 cifras').fill(lastMailTo(server.dataDir, 'sin-script@ejemplo.es').code)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL(`${origin}/perfil`)
})

passkeys('before anybody touches the page, no code of passkeys but the buttons’ is loaded', async () => {
  await open()
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto(`${origin}/login`)
  await page.waitForLoadState('networkidle')
  assert.not.ok(scripts.some((url) => /webauthn/.test(url)))
  await Promise.all([page.waitForRequest(/webauthn/), page.getByLabel('Tu email').focus()])
})
