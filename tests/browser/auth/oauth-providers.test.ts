import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { type Oauth2Server, startOauth2 } from '#tests/support/auth/oauth2-provider.ts'
import {
  appleKeyPair,
  OAUTH_CLIENT,
  type OidcServer,
  readAppleSecret,
  startOidc,
} from '#tests/support/auth/oidc-provider.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import type { TestServer } from '#tests/support/server.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const key = appleKeyPair()
let browser: Browser
let google: OidcServer
let apple: OidcServer
let github: Oauth2Server
let server: TestServer
let context: BrowserContext
let page: Page
let errors: string[]

const oauth = browserSuite('providers in a browser', async () => {
  google = await startOidc()
  apple = await startOidc((secret) => readAppleSecret(secret, key.publicKey) !== null)
  github = await startOauth2('github')
  return {
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: google.issuer,
    APPLE_CLIENT_ID: OAUTH_CLIENT.id,
    APPLE_TEAM_ID: 'TEAM123456',
    APPLE_KEY_ID: 'KEY1234567',
    APPLE_PRIVATE_KEY: key.oneLine,
    APPLE_ISSUER: apple.issuer,
    GITHUB_CLIENT_ID: OAUTH_CLIENT.id,
    GITHUB_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GITHUB_ISSUER: github.issuer,
    FACEBOOK_CLIENT_ID: OAUTH_CLIENT.id,
    FACEBOOK_CLIENT_SECRET: OAUTH_CLIENT.secret,
    FACEBOOK_ISSUER: github.issuer,
  }
})
oauth.before((t) => {
  ;({ server, browser } = t)
  google.registerCallback(`${server.url}/api/auth/google/callback`)
  apple.registerCallback(`${server.url}/api/auth/apple/callback`)
  github.registerCallback(`${server.url}/api/auth/github/callback`)
  google.people.ana = { email: 'ana@ejemplo.es', email_verified: true, hd: 'ejemplo.es' }
  apple.people.bea = { email: 'bea@icloud.com', email_verified: true }
})
oauth.after(async () => {
  for (const provider of [google, apple, github]) await provider.close()
})

async function open(options: BrowserContextOptions = DESKTOP) {
  ;({ context, page, errors } = await takePage(browser, options))
  // The provider's development pages ask for a font.
  await context.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
}

let watched: BrowserContext | undefined
let refused: string[]
/** A fresh visitor's page that reports what its content policy refuses. Its context stays: so does its script. */
async function openWatched() {
  if (!watched) {
    watched = await openContext(browser)
    refused = await watchCspViolations(watched)
    await watched.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
  }
  context = watched
  await context.clearCookies()
  page = context.pages()[0] ?? (await context.newPage())
  errors = watchErrors(page)
}

const button = (name: string) => page.getByRole('link', { name: `Continuar con ${name}` })

/** Logs in and consents on the provider's own pages. */
async function agree(login: string) {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('x')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function isSignedIn(email: string) {
  await page.waitForURL(`${server.url}/perfil`)
  await page.locator('.carnet').waitFor()
  assert.is((await (await page.request.get(`${server.url}/api/session`)).json()).user.email, email)
}

oauth('«Continuar con Google» on /login ends at /perfil, signed in', async () => {
  await open()
  await page.goto(`${server.url}/login`)
  await button('Google').click()
  await agree('ana')
  await isSignedIn('ana@ejemplo.es')
  assert.equal(errors, [])
})

oauth('the signed-out profile offers Google, without script too', async () => {
  await open({ ...PHONE, javaScriptEnabled: false })
  await page.goto(`${server.url}/perfil`)
  assert.is(await page.getByRole('link', { name: /^Continuar con/ }).count(), 1)
  await button('Google').click()
  await agree('ana')
  await isSignedIn('ana@ejemplo.es')
})

oauth("Apple's page posts from its own site, and the browser sends the cookie along", async () => {
  await open()
  await page.goto(`${server.url}/login`)
  await button('Apple').click()
  await agree('bea')
  await isSignedIn('bea@icloud.com')
  assert.ok(new URL(apple.issuer).hostname !== new URL(server.url).hostname)
  assert.equal(errors, [])
})

oauth('the content policy lets everybody through to a provider and back, after a form as well', async () => {
  for (const [name, login, email] of [
    ['Google', 'ana', 'ana@ejemplo.es'],
    ['Apple', 'bea', 'bea@icloud.com'],
  ] as const) {
    await openWatched()
    await page.goto(`${server.url}/login/codigo`)
    // A form of ours that is refused comes back; the way to the provider begins on the page it came back to.
    await page.getByLabel('Tu email').fill('ana@ejemplo.es')
    const back = page.waitForEvent('load')
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('form[action="/api/auth/code"]')!
      form.querySelector<HTMLInputElement>('[name=code]')!.value = '000000'
      form.submit()
    })
    await back
    await page.goto(`${server.url}/login`)
    await button(name).click()
    await agree(login)
    await isSignedIn(email)
    assert.equal([refused.splice(0), errors], [[], []])
  }
})

oauth('no form leads to a provider, because the policy holds over redirects', async () => {
  await openWatched()
  for (const path of ['/login', '/perfil', '/login/codigo']) {
    await page.goto(server.url + path)
    const forms = await page.evaluate(() => [...document.forms].map(({ action }) => new URL(action).pathname))
    assert.equal(
      forms.filter((action) => /^\/api\/auth\/(google|facebook|apple|github)/.test(action)),
      [],
      path,
    )
    assert.ok(forms.length > 0, path)
  }
  assert.equal([refused.splice(0), errors], [[], []])
  const asked = google.requests.length
  await page.goto(`${server.url}/login`)
  await page.evaluate(() => {
    const form = document.body.appendChild(document.createElement('form'))
    form.action = '/api/auth/google'
    form.submit()
  })
  await waitUntilTrue('the policy refuses it', async () => errors.length > 0)
  assert.match(errors.splice(0).join(), "form-action 'self'")
  assert.is(page.url(), `${server.url}/login`)
  // The discovery of where to go is the server's own.
  assert.equal(
    google.requests.slice(asked).filter((request) => request.startsWith('GET /auth')),
    [],
  )
})

oauth('giving up comes back to /login, gently, and once', async () => {
  await open()
  await page.goto(`${server.url}/login`)
  await button('Google').click()
  await page.getByRole('link', { name: '[ Cancel ]' }).click()
  await page.locator('#provider-error').waitFor()
  const text = 'Has cancelado la entrada con Google. Google dice: «End-User aborted interaction».'
  assert.is(await page.locator('#provider-error').innerText(), text)
  const toast = page.locator('.toasts-dialog')
  await toast.getByText('Error de autenticación').waitFor()
  await toast.getByText(text).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.reload()
  assert.is(await page.locator('#provider-error').count(), 0)
  assert.equal(errors, [])
})

oauth("a provider's own error shows its words in the red box and the toast, as text", async () => {
  await open()
  github.setRefusal({ error: 'application_suspended', error_description: 'Esta <b>aplicación</b> está suspendida.' })
  await page.goto(`${server.url}/login`)
  await button('GitHub').click()
  await page.locator('#provider-error').waitFor()
  const words = 'Esta <b>aplicación</b> está suspendida.'
  assert.is(await page.locator('#provider-error').innerText(), words)
  const toast = page.locator('.toasts-dialog')
  await toast.getByText('Error de autenticación').waitFor()
  await toast.getByText(words).waitFor()
  assert.equal(errors, [])
})

oauth('anything else that fails: which provider it was, and to try again', async () => {
  await open()
  github.setRefusal({ code: 'a code that was never handed out' })
  await page.goto(`${server.url}/login`)
  await button('GitHub').click()
  await page.locator('#provider-error').waitFor()
  const toast = page.locator('.toasts-dialog')
  await toast.getByText('Error al iniciar sesión con GitHub').waitFor()
  await toast.getByText('Inténtalo de nuevo.').waitFor()
  const box = page.locator('#provider-error')
  assert.is(await box.innerText(), 'Error al iniciar sesión con GitHub. Inténtalo de nuevo.')
  assert.equal(await axeFaultsInBothThemes(page), [])
  assert.equal(errors, [])
})
