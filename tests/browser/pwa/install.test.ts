import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const install = browserSuite('install')

/** The browser offers installation; `outcome` is what the person answers in its dialog. */
const offer = (page: Page, outcome: 'accepted' | 'dismissed' = 'accepted') =>
  page.evaluate((answer) => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    const prompt = async () => {
      Object.assign(window, { prompted: true })
      return { outcome: answer }
    }
    window.dispatchEvent(Object.assign(event, { prompt }))
    return event.defaultPrevented
  }, outcome)

const open = async (browser: Browser, options: BrowserContextOptions = DESKTOP, visits = 3) => {
  const taken = await takePage(browser, { reducedMotion: 'reduce', ...options })
  // On the page: contexts are used again.
  await taken.page.addInitScript((count) => {
    if (location.protocol === 'http:') localStorage.setItem('perrario-visitas', `${count} ${Date.now()}`)
  }, visits)
  const requests = watchRequests(taken.context)
  /** A card that comes is brought by a script and a style sheet; none is under way any more. */
  const assertNoCard = async (page: Page, what?: string) => {
    await waitUntilQuiet(page, requests)
    assert.is(await card(page).count(), 0, what)
  }
  return { ...taken, assertNoCard }
}
/** Any page but those of signing in and the one without network; this one is a file, and has the least on it. */
const ANY = '/terminos'
const card = (page: Page) => page.getByRole('complementary', { name: 'Instalar Perrario' })

install('without the browser’s offer there is none', async ({ browser, server }) => {
  const { page, assertNoCard } = await open(browser)
  await page.goto(server.url + ANY)
  await assertNoCard(page)
})

install(
  'none comes where a code is awaited, on the page after that, without network, nor where dogs are lost and found',
  async ({ browser, server }) => {
    const { page, assertNoCard } = await open(browser, PHONE)
    for (const path of ['/login', '/login/codigo', '/sin-conexion', '/perdidos', '/encontrados']) {
      await page.goto(server.url + path)
      assert.ok(await offer(page), path)
      await assertNoCard(page, path)
    }
    await page.goto(`${server.url}/login`)
    await page.evaluate(() => (location.href = '/perfil'))
    await page.waitForURL('**/perfil')
    await page.waitForLoadState()
    assert.ok(await offer(page))
    await assertNoCard(page, 'after signing in')
  },
)

install('on the first visits it is a line at the end, which opens the card and moves nothing', async (t) => {
  const { page, assertNoCard } = await open(t.browser, PHONE, 1)
  await page.goto(t.server.url + ANY)
  await offer(page)
  const line = page.getByRole('button', { name: 'Lleva Perrario en el bolsillo' })
  await line.waitFor()
  await assertNoCard(page)
  assert.is(await page.locator('main > :last-child').innerText(), 'Lleva Perrario en el bolsillo')
  await line.click()
  await card(page).waitFor()
})

for (const options of [DESKTOP, PHONE])
  install(`the offer becomes a card that installs and never comes back, ${options.viewport.width} px`, async (t) => {
    const { context, page, errors, assertNoCard } = await open(t.browser, options)
    await page.goto(`${t.server.url}/razas`)
    assert.ok(await offer(page), 'the browser’s own bar is held back')
    await card(page).waitFor()
    assert.is(await card(page).locator('b').innerText(), 'Lleva Perrario en el bolsillo')
    assert.is(await card(page).locator('p').innerText(), 'Se abre como una app y funciona también sin conexión.')
    assert.equal(await axeFaults(page, { within: '.install' }), [])
    for (const button of await card(page).getByRole('button').all())
      assert.ok((await button.boundingBox())!.height >= 44)
    await card(page).getByRole('button', { name: 'Instalar' }).click()
    await card(page).waitFor({ state: 'detached' })
    assert.ok(await page.evaluate(() => 'prompted' in window))
    const later = await context.newPage()
    await later.goto(t.server.url + ANY)
    await offer(later)
    await assertNoCard(later)
    assert.equal(errors, [])
  })

install('«No mostrar más» is for good, «Ahora no» and a closed dialog for this visit', async ({ browser, server }) => {
  for (const [press, isForGood] of [
    ['No mostrar más', true],
    ['Ahora no', false],
    ['Instalar', false],
  ] as const) {
    const { context, page, assertNoCard } = await open(browser)
    await page.goto(server.url + ANY)
    await offer(page, 'dismissed')
    await card(page).getByRole('button', { name: press }).press('Enter')
    await card(page).waitFor({ state: 'detached' })
    // The button went with the card.
    await page.locator('main:focus').waitFor()
    await page.goto(`${server.url}/razas`)
    await offer(page)
    await assertNoCard(page, `${press}: not again in this visit`)
    const next = await context.newPage()
    await next.goto(server.url + ANY)
    await offer(next)
    if (isForGood) await assertNoCard(next, press)
    else await card(next).waitFor()
  }
})

install('where the app runs by itself, or the system installed it, nothing is offered', async ({ browser, server }) => {
  const { context, page: first, assertNoCard } = await open(browser)
  // A page of its own: the script stays.
  const page = await context.newPage()
  await page.addInitScript(() => {
    const real = window.matchMedia.bind(window)
    window.matchMedia = (query) => (query.includes('standalone') ? ({ matches: true } as MediaQueryList) : real(query))
  })
  await page.goto(server.url + ANY)
  await offer(page)
  await assertNoCard(page)

  await first.goto(server.url + ANY)
  await offer(first)
  await card(first).waitFor()
  await first.evaluate(() => window.dispatchEvent(new Event('appinstalled')))
  await card(first).waitFor({ state: 'detached' })
})

install('Safari on an iPhone is told how', async ({ browser, server }) => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  const { page, errors, assertNoCard } = await open(browser, { ...PHONE, userAgent })
  await page.goto(server.url + ANY)
  await card(page).waitFor()
  assert.is(
    (await card(page).locator('p').innerText()).replaceAll(/\s+/g, ' '),
    'Pulsa Compartir y después «Añadir a pantalla de inicio».',
  )
  assert.is(await card(page).getByRole('button', { name: 'Instalar' }).count(), 0)
  assert.is(await card(page).getByRole('img').getAttribute('aria-label'), '(un cuadrado con una flecha hacia arriba)')
  await card(page).getByRole('button', { name: 'No mostrar más' }).click()
  await page.reload()
  await assertNoCard(page)
  assert.equal(errors, [])
})
