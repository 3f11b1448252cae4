import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { addAuthenticator } from '#tests/support/browser/authenticator.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// People behind a network that misbehaved: their browser solves the challenge. At localhost, where browsers have Web Crypto and passkeys
// without https.

const proofs = browserSuite('proof of work in a browser', { TRUST_PROXY: '1' })
let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let errors: string[]
let origin: string
let cdp: CDPSession | undefined

proofs.before(async (t) => {
  ;({ server, browser } = t)
  origin = server.url.replace('127.0.0.1', 'localhost')
})
proofs.after.each(async () => {
  await cdp?.send('WebAuthn.disable').catch(() => {})
})

let visitor = 0
/** A page in a network whose programs have filled in what nobody sees. */
async function openSuspect(options: BrowserContextOptions = DESKTOP) {
  const headers = { 'X-Forwarded-For': `10.9.2.${++visitor}` }
  for (let i = 0; i < 3; i++)
    await fetch(`${server.url}/api/auth/magic-link`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'robot@ejemplo.es', hueso: 'x' }),
    })
  ;({ context, page, errors } = await takePage(browser, options))
  page.setDefaultTimeout(30_000)
  await context.setExtraHTTPHeaders(headers)
}
/** What went wrong, but for what Chromium says of each 429. */
const faults = () => errors.filter((error) => !/status of 429/.test(error))
const status = () => page.getByRole('dialog', { name: 'Un momento, por favor' })
async function askForMail(email: string) {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Tu email').fill(email)
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
}
/** Keeps the challenge back until the test has seen what is shown meanwhile. */
async function holdChallenge() {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/proof-of-work*', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  return letGo
}

proofs('an account by passkey is created after the puzzle, whose code comes only then', async () => {
  await openSuspect(PHONE)
  ;({ cdp } = await addAuthenticator(page))
  const files: string[] = []
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  await page.goto(`${origin}/login`)
  await page.getByText('Otras formas de entrar').click()
  await page.getByText('Crear cuenta con llave').click()
  await page.getByRole('button', { name: 'Crear mi cuenta' }).waitFor()
  await page.waitForLoadState('networkidle')
  const isSolver = (path: string) => /prove-work|solver-worker|proof-of-work/.test(path)
  assert.equal(files.filter(isSolver), [])
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await page.waitForURL(`${origin}/perfil`)
  await page.locator('.carnet').waitFor()
  assert.equal(
    files.filter(isSolver).map((path) => path.replace(/\.client[.-][\w-]{8}\.js$/, '')),
    ['/_astro/prove-work', '/api/proof-of-work', '/_astro/solver-worker'],
  )
  assert.ok(files.every((path) => path.startsWith('/')))
  assert.equal(faults(), [])
})

proofs('a mail is sent after the puzzle, under a dialog that says so', async () => {
  await openSuspect()
  const letGo = await holdChallenge()
  await askForMail('humana@ejemplo.es')
  await status().getByText('Tu dispositivo está haciendo una cuenta que demuestra que no eres un programa').waitFor()
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'H2', 'no key that was pressed before cancels')
  assert.equal(await axeFaultsInBothThemes(page, { within: 'dialog' }), [])
  letGo()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  assert.is(await status().count(), 0)
  assert.match(lastMailTo(server.dataDir, 'humana@ejemplo.es').code, /^\d{6}$/)
  assert.equal(faults(), [])
})

proofs('who cancels the puzzle, by its button or by Escape, sends nothing and may try again', async () => {
  await openSuspect(PHONE)
  const letGo = await holdChallenge()
  await askForMail('indecisa@ejemplo.es')
  await status().getByRole('button', { name: 'Cancelar' }).click()
  const said = page.locator('#sign-in-error').getByText('Has cancelado la comprobación. Puedes intentarlo otra vez.')
  await said.waitFor()
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await status().waitFor()
  await page.keyboard.press('Escape')
  await said.waitFor()
  assert.not.ok(readOutbox(server.dataDir).some(({ headers }) => headers.to === 'indecisa@ejemplo.es'))
  letGo()
  await page.unroute('**/api/proof-of-work*')
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  assert.equal(faults(), [])
})

proofs('a visitor’s dog is added after the puzzle, which stands over the form', async () => {
  await openSuspect()
  await page.goto(`${origin}/terminos`)
  const dialog = await openAddForm(page)
  await dialog.getByLabel('Nombre').fill('Toby')
  await dialog.getByLabel('Zona').fill('Sevilla')
  await attachPhotos(dialog, await smallPhotos(1))
  const letGo = await holdChallenge()
  await submitForm(dialog)
  await status().waitFor()
  letGo()
  await dialog.getByText('Perro añadido. Te llevamos a registrarte para que sea tuyo.').waitFor()
  assert.equal(faults(), [])
})

proofs('without script the answer is 429 with a sentence, on the form’s page', async () => {
  await openSuspect({ ...PHONE, javaScriptEnabled: false })
  await page.goto(`${origin}/login`)
  await page.getByLabel('Tu email').fill('sin-script@ejemplo.es')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/auth/magic-link')),
    page.getByRole('button', { name: 'Recibir enlace mágico' }).click(),
  ])
  assert.is(answer.status(), 429)
  assert.ok(Number(answer.headers()['retry-after']) > 0)
  await page.getByText('Desde tu conexión llegan muchas peticiones automáticas').waitFor()
  assert.is(await page.getByLabel('Tu email').inputValue(), 'sin-script@ejemplo.es')
  assert.not.ok(readOutbox(server.dataDir).some(({ headers }) => headers.to === 'sin-script@ejemplo.es'))
})
