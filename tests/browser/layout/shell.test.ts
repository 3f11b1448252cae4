import type { Page } from 'playwright'
import { DESKTOP, launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { startServer } from '#tests/support/server.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, suite } from '#tests/support/suites.ts'

// The frame is looked at on the 404 screen, which every other page shares it with. What axe finds there, errors and requests to
// other origins: browser/accessibility/templates-visitor.
const server = await startServer()
const browser = await launchBrowser()
const NOT_FOUND_URL = `${server.url}/razas/no/existe/nada`

const openPage = async (options: Parameters<typeof openContext>[1] = DESKTOP) =>
  (await openContext(browser, { reducedMotion: 'reduce', ...options })).newPage()

// One desktop and one phone: a test begins without cookies, on the page that the last one left.
const page = await openPage()
const phone = await openPage(PHONE)
const context = page.context()
const shell = suite('shell')
shell.after.each(() => context.clearCookies())
shell.after(async () => {
  await browser.close()
  await server.dispose()
})

const widthOf = async (page: Page) => Math.round((await page.locator('#side').boundingBox())!.width)
const isClosed = (page: Page) => page.evaluate(() => document.documentElement.dataset.sidebar === 'closed')

shell('an unknown address is a 404 in its own words, and logged', async () => {
  const response = await page.goto(NOT_FOUND_URL)
  assert.is(response!.status(), 404)
  assert.is(await page.locator('h1').innerText(), '404')
  assert.ok(await page.getByText('Oops! Page not found', { exact: true }).isVisible())
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL(`${server.url}/`)
  assert.match(server.output(), '404 "/razas/…/…/…"')
})

shell('the sidebar has its sections, texts and widths', async () => {
  await page.goto(NOT_FOUND_URL)
  assert.is(await widthOf(page), 256)
  const side = page.locator('#side')
  assert.equal(await side.locator('.side-title').allInnerTexts(), ['Navegación', 'Acciones'])
  assert.equal(await side.locator('nav .word').allInnerTexts(), ['Perros', 'Razas', 'Comunidad', 'Mi perfil'])
  assert.is(await side.locator('nav .emo').innerText(), '🐶')
  assert.is(await side.locator('[aria-current]').innerText(), 'Razas')
  assert.ok(await side.getByRole('button', { name: 'Añadir perro' }).isVisible())
  assert.is(await side.locator('.version:visible').innerText(), 'v1.0')
})

shell('on a phone on its side it is a drawer, which every page’s header opens', async () => {
  await page.setViewportSize({ width: 844, height: 390 })
  for (const path of ['/razas/no/existe', '/perros', '/encontrados', '/perdidos/primeras-24-horas']) {
    await page.goto(server.url + path)
    assert.not.ok(await page.locator('#side').isVisible(), path)
    const left = await page.locator('main').evaluate((main) => main.getBoundingClientRect().left)
    assert.is(left, 0, path)
    await page.getByRole('button', { name: 'Abrir el menú' }).click()
    await page.locator('#side').getByRole('link', { name: 'Comunidad' }).waitFor()
    await page.keyboard.press('Escape')
    assert.not.ok(await page.locator('#side').isVisible(), path)
  }
  await page.setViewportSize(DESKTOP.viewport)
  await page.goto(NOT_FOUND_URL)
  assert.ok(await page.locator('#side').isVisible())
})

shell('Ctrl+B and the button collapse it to icons, and a cookie remembers that for 7 days', async () => {
  await page.keyboard.press('Control+b')
  assert.is(await widthOf(page), 48)
  const cookie = (await context.cookies()).find(({ name }) => name === 'perrario-sidebar')!
  assert.is(cookie.value, 'closed')
  assert.is(Math.round((cookie.expires - Date.now() / 1000) / 86_400), 7)
  await page.reload()
  assert.is(await widthOf(page), 48)
  await page.getByRole('button', { name: 'Mostrar u ocultar el menú' }).click()
  assert.is(await widthOf(page), 256)
  // Who is writing means something else by it.
  await page.locator('[data-search] [name=q]').focus()
  await page.keyboard.press('Meta+b')
  assert.is(await widthOf(page), 256)
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('Meta+b')
  assert.ok(await isClosed(page))
})

shell(
  'the server writes the remembered state into the page; shared pages read the cookie before they paint',
  async () => {
    const headers = { Cookie: 'perrario-sidebar=closed', Accept: 'text/html' }
    const html = await (await fetch(NOT_FOUND_URL, { headers })).text()
    assert.match(html, '<html lang="es" data-sidebar="closed">')
    const shared = await (await fetch(`${server.url}/terminos`, { headers })).text()
    assert.match(shared, '<html lang="es">')
    assert.match(shared, /<script src="\/_astro\/sidebar-boot\.[^"]+\.js"><\/script>.*<body>/s)
    await context.addCookies([{ name: 'perrario-sidebar', value: 'closed', url: server.url }])
    await page.goto(`${server.url}/terminos`)
    assert.ok(await isClosed(page))
  },
)

shell('collapsed icons say their names after 700 ms, the next one at once', async () => {
  const page = await openPage()
  await page.context().addCookies([{ name: 'perrario-sidebar', value: 'closed', url: server.url }])
  await page.clock.install()
  await page.goto(NOT_FOUND_URL)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const tip = page.locator('.tooltip')
  await page.locator('#side nav a').nth(1).hover()
  await page.clock.runFor(699)
  assert.not(await tip.isVisible())
  await page.clock.runFor(1)
  assert.is(await tip.innerText(), 'Razas')
  await page.locator('#side nav a').nth(2).hover()
  await page.clock.runFor(0)
  assert.is(await tip.innerText(), 'Comunidad')
  await page.mouse.move(700, 500)
  assert.not(await tip.isVisible())
  await page.clock.runFor(300)
  await page.locator('#side nav a').nth(3).hover()
  await page.clock.runFor(699)
  assert.not(await tip.isVisible())
  await page.context().close()
})

shell('the parts stand above the base, whichever sheet comes first', async () => {
  await page.goto(NOT_FOUND_URL)
  assert.is(await page.locator('#side .btn.pri').evaluate((button) => getComputedStyle(button).fontWeight), '700')
})

shell('the header greets, and shows the day in Spanish', async () => {
  const page = await openPage()
  await page.clock.setFixedTime(new Date('2026-11-20T23:30:00Z'))
  await page.goto(NOT_FOUND_URL)
  assert.is(await page.locator('.hi b').innerText(), 'Bienvenido, Usuario')
  assert.is(await page.locator('.hi time').innerText(), 'sábado, 21 de noviembre')
  await page.context().close()
})

shell('a member sees who they are, and signs out', async () => {
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await useSession(context, server, ana)
  await page.goto(NOT_FOUND_URL)
  const me = page.locator('[data-me-block=member]')
  assert.is(await me.locator('b').innerText(), ana.alias)
  assert.is(await me.locator('.mail').innerText(), 'ana@ejemplo.es')
  assert.equal(await me.locator('dt').allInnerTexts(), ['Perros', 'Razas', 'Completado'])
  assert.equal(await me.locator('dd').allInnerTexts(), ['0', '0', '0 %'])
  assert.is(await page.locator('#side nav .emo').innerText(), ana.emoji)
  await me.getByRole('button', { name: 'Cerrar sesión' }).click()
  const words = page.locator('.toast-words > *')
  await words.first().waitFor()
  assert.equal(await words.allTextContents(), ['Sesión cerrada correctamente', '¡Hasta pronto!'])
  await page.waitForURL(`${server.url}/`)
  assert.not((await context.cookies()).some(({ name }) => name === 'perrario'))
})

shell('whoever goes back after a sign-out sees nothing of who was there', async () => {
  await useSession(context, server, await signInMember(server, 'secreta@ejemplo.es'))
  for (const path of ['/razas', '/comunidad', '/perros']) await page.goto(server.url + path)
  assert.match(await page.content(), /secreta@ejemplo\.es/)
  // Put aside and brought back as it was, first while the session is open.
  const bringBack = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await page.evaluate(() => Object.assign(window, { isOld: true }))
  await bringBack()
  assert.ok(await page.evaluate(() => 'isOld' in window && !document.body.hidden))
  const other = await context.newPage()
  await other.goto(`${server.url}/razas`)
  await other.locator('#side').getByRole('button', { name: 'Cerrar sesión' }).click()
  await other.waitForURL(`${server.url}/`)
  // It leaves while it is being told.
  await bringBack().catch(() => {})
  await page.locator('body[data-member=""]').waitFor()
  assert.not.match(await page.content(), /secreta@ejemplo\.es/)
  // From the browser's own cache.
  for (const path of ['/comunidad', '/razas']) {
    await page.goBack()
    await page.waitForURL(server.url + path)
    await page.locator('body[data-member=""]').waitFor()
    assert.not.match(await page.content(), /secreta@ejemplo\.es/)
  }
  await other.close()
})

shell('a sign-out that fails says so and can be tried again', async () => {
  const ana = await signInMember(server)
  await useSession(context, server, ana)
  await page.route('**/api/auth/sign-out', (route) => route.abort())
  await page.goto(NOT_FOUND_URL)
  const button = page.locator('#side').getByRole('button', { name: 'Cerrar sesión' })
  await button.click()
  const words = page.locator('.toast-words > *')
  await words.first().waitFor()
  assert.equal(await words.allTextContents(), ['Error al cerrar sesión', 'Intenta de nuevo.'])
  assert.ok(await button.isEnabled())
  await page.unroute('**/api/auth/sign-out')
})

shell('pages that are the same for everyone learn by script who is looking', async () => {
  await page.goto(`${server.url}/500`)
  await page.locator('[data-me-block=visitor]').waitFor()
  assert.not(await page.locator('[data-me-block=member]').isVisible())
  const ana = await signInMember(server)
  await useSession(context, server, ana)
  await page.reload()
  await page.locator('[data-me-block=member]').waitFor()
  assert.is(await page.locator('.me b').innerText(), ana.alias)
  assert.is(await page.locator('.hi b').innerText(), `Bienvenido, ${ana.alias}`)
  assert.equal(await page.locator('.me dd').allInnerTexts(), ['0', '0', '0 %'])
})

shell('phones have five tabs below, and the sidebar as an 18rem drawer', async () => {
  const page = phone
  await page.goto(NOT_FOUND_URL)
  assert.not(await page.locator('#side').isVisible())
  const bar = page.locator('.tabbar')
  const words = (await bar.innerText()).split('\n').filter((word) => word !== '🐶')
  assert.equal(words, ['Perros', 'Razas', 'Añadir', 'Comunidad', 'Mi perfil'])
  assert.is((await bar.locator('[aria-current]').innerText()).trim(), 'Razas')
  for (const tab of await bar.locator('a, button').all()) assert.ok((await tab.boundingBox())!.height >= 44)
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  assert.is(await widthOf(page), 288)
  await page.keyboard.press('Escape')
  assert.not(await page.locator('#side').isVisible())
})

shell('the bottom bar hides while the on-screen keyboard is up', async () => {
  const page = phone
  await page.evaluate(() => Object.defineProperty(window, 'outerHeight', { value: 844 }))
  const bar = page.locator('.tabbar')
  assert.ok(await bar.isVisible())
  await page.setViewportSize({ width: 390, height: 500 })
  await bar.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 390, height: 844 })
  await bar.waitFor({ state: 'visible' })
})

shell('by keyboard alone: skip link, logo, menu, places, add, way home', async () => {
  await page.goto(NOT_FOUND_URL)
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      return (element.getAttribute('aria-label') ?? element.innerText).trim().split('\n').at(-1)
    })
  const seen: (string | undefined)[] = []
  for (let i = 0; i < 9; i++) {
    await page.keyboard.press('Tab')
    seen.push(await focused())
  }
  assert.equal(seen, [
    'Saltar al contenido',
    'Perrario',
    'Mostrar u ocultar el menú',
    'Perros',
    'Razas',
    'Comunidad',
    'Mi perfil',
    'Añadir perro',
    'Iniciar sesión',
  ])
  await page.goto(NOT_FOUND_URL)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.is(await focused(), 'Return to Home')
})

shell('no page asks for more than its two fonts', async () => {
  const fresh = await openPage()
  const requests = watchRequests(fresh)
  await fresh.goto(NOT_FOUND_URL)
  await waitUntilQuiet(fresh, requests)
  assert.is(requests.urls.filter((url) => url.endsWith('.woff2')).length, 2)
  await fresh.context().close()
})
