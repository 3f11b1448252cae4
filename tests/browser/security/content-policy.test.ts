import { join } from 'node:path'
import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '#db/client.ts'
import { DESKTOP, launchBrowser, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, dogForm, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { thirdPartyUrls, waitUntilQuiet, waitUntilSettled, watchRequests } from '#tests/support/browser/requests.ts'
import { waitForWorker, waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { waitUntilIdle } from '#tests/support/map/map-suite.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// The content policy refuses nothing of ours on any page, and everything that was put into one. On the same pages nothing is
// asked of anybody else, and no cookie is set but those that the privacy page names.
interface Shared {
  server: TestServer
  browser: Browser
  ana: TestMember
  paths: string[]
  toby: string
}
const policy = suite<Shared>('content policy')

policy.before(async (t) => {
  t.server = await startServer({ ADMIN_EMAIL: 'ana@ejemplo.es' })
  t.browser = await launchBrowser()
  t.ana = await signInMember(t.server)
  const form = formOf({
    name: 'Toby',
    breed: 'Beagle',
    zone: 'Sevilla',
    relationship: 'owner',
    images: [new Blob([await photo()], { type: 'image/jpeg' }), new Blob([await photo()], { type: 'image/jpeg' })],
  })
  const { body, status } = await call(t.server, '/api/dogs', { method: 'POST', form, cookie: t.ana.cookie })
  assert.is(status, 201, JSON.stringify(body))
  const { dog: toby } = body
  t.toby = toby.path
  await call(t.server, `/api/dogs/${toby.id}/comments`, {
    method: 'POST',
    json: { content: '¡Guapo!' },
    cookie: t.ana.cookie,
  })
  const db = openDatabase(join(t.server.dataDir, 'perrario.db'))
  const [luis] = await seed(db, member({ alias: 'Luis' }), dog({ name: 'Luna', zone: 'Bilbao' }))
  await db.destroy()
  t.paths = [
    '/',
    '/perros',
    '/perros?view=map',
    '/?tab=mine',
    '/?tab=profile',
    '/?tab=razas',
    '/razas',
    '/razas?vista=lista',
    '/razas/beagle',
    '/comunidad',
    t.toby,
    `/perro/${toby.id}`,
    `/perro/${toby.id}/cartel`,
    '/razas/imprimir',
    `/usuario/${luis.id}`,
    `/usuario/${luis.id}?tab=album`,
    `/usuario/${t.ana.id}`,
    `/usuario/${t.ana.id}?tab=razas`,
    '/perfil',
    '/perfil?editar',
    '/perfil/cuenta',
    '/notificaciones',
    '/admin',
    '/admin?tab=perros',
    '/login',
    '/login/codigo',
    '/login/enlace?token=x',
    '/terminos',
    '/privacidad',
    '/sin-conexion',
    '/baja?token=x',
    `/denunciar?tipo=dog&id=${toby.id}`,
    '/beagle/no-existe',
    '/no/existe/nada',
  ]
})
policy.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

/** What a browser says itself of a page that is answered with an error. */
const isStatus = (text: string) => /Failed to load resource: the server responded with a status of 4\d\d/.test(text)

policy('structured data is no script that it refuses', async ({ browser }) => {
  const server = await startServer({ SITE_URL: 'http://perrario.example' })
  const context = await openContext(browser)
  try {
    const refused = await watchCspViolations(context)
    const page = await context.newPage()
    for (const path of ['/', '/razas/beagle']) {
      await page.goto(server.url + path)
      await waitUntilSettled(page)
      const data = await page.locator('script[type="application/ld+json"]').textContent()
      assert.is(JSON.parse(data!)['@context'], 'https://schema.org', path)
    }
    assert.equal(refused, [])
  } finally {
    await context.close()
    await server.dispose()
  }
})

for (const who of ['a visitor', 'a member'] as const)
  policy(`refuses nothing on any page, which asks nothing of anybody else, seen by ${who}`, async (t) => {
    const context = await openContext(t.browser)
    const refused = await watchCspViolations(context)
    if (who === 'a member') await useSession(context, t.server, t.ana)
    const requests = watchRequests(context)
    const page = await context.newPage()
    // The album to print has 434 pictures.
    page.setDefaultNavigationTimeout(60_000)
    const errors = watchErrors(page)
    for (const path of t.paths) {
      const answer = await page.goto(t.server.url + path)
      assert.match(
        answer!.headers()['content-security-policy'] ?? '',
        /^default-src 'none'; script-src 'self' 'sha256-/,
      )
      await waitUntilSettled(page)
      // What scripts fetch once the page stands still, and what comes into view further down.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await waitUntilQuiet(page, requests)
    }
    assert.equal([refused, errors.filter((text) => !isStatus(text))], [[], []])
    assert.equal(thirdPartyUrls(requests.urls, t.server.url), [])
    assert.equal(
      (await context.cookies()).map(({ name }) => name),
      who === 'a member' ? ['perrario'] : [],
    )
    await context.close()
  })

policy('nothing is asked of anybody else by the dog form, the map’s marks, the bell and the worker', async (t) => {
  const context = await openContext(t.browser, { serviceWorkers: 'allow', reducedMotion: 'reduce' })
  await useSession(context, t.server, t.ana)
  const requests = watchRequests(context)
  const page = await context.newPage()
  const errors = watchErrors(page)
  const missing: string[] = []
  page.on('response', (response) => response.status() >= 400 && missing.push(response.url()))
  await page.goto(`${t.server.url}/#anadir-perro`)
  await dogForm(page).locator('form').waitFor()
  await waitUntilQuiet(page, requests)
  await page.keyboard.press('Escape')
  await page.goto(`${t.server.url}/perros?view=map`)
  await waitUntilIdle(page)
  await waitUntilQuiet(page, requests)
  await page.goto(`${t.server.url}/notificaciones`)
  await waitForWorker(page)
  await waitUntilQuiet(page, requests)
  assert.equal(thirdPartyUrls(requests.urls, t.server.url), [])
  // The seeded dog has no photo's file.
  assert.equal([missing.filter((url) => !url.includes('/_ipx/')), errors.filter((text) => !isStatus(text))], [[], []])
  await context.close()
})

policy('refuses nothing in dialogs, pickers, the lightbox, the form and the bell', async (t) => {
  const context = await openContext(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })
  const refused = await watchCspViolations(context)
  await useSession(context, t.server, t.ana)
  const page = await context.newPage()
  const errors = watchErrors(page)

  await page.goto(t.server.url)
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(2))
  await page.goto(`${t.server.url}/perfil?editar`)
  await page.getByRole('button', { name: 'Cambiar emoji' }).click()
  await page.locator('em-emoji-picker [role=option]').first().waitFor()
  const face = page.locator('em-emoji-picker #root')
  assert.is(await face.evaluate((root) => getComputedStyle(root).position), 'relative', 'the picker has its own style')

  await page.goto(t.server.url + t.toby)
  await page.locator('.comments textarea, [data-comments] textarea, textarea').first().click()
  await page.locator('textarea').first().fill('Hola')
  await page.locator('[data-bell]').click()
  await page.getByRole('dialog').or(page.locator('[popover]')).first().waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ver a pantalla completa' }).click()
  await page.locator('.yarl__container').waitFor()
  // The seeded dog has no photo's file.
  assert.equal([refused, errors.filter((text) => !isStatus(text))], [[], []])
  await context.close()
})

policy('refuses scripts, handlers and styles that were put into a page', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  await page.goto(t.server.url)
  await page.evaluate(() => {
    const box = document.body.appendChild(document.createElement('div'))
    box.innerHTML = `<img src="data:," onerror="window.ran=1"><b style="color:red">x</b>
      <a href="javascript:window.ran=2" id="bad">x</a><iframe srcdoc="<script>parent.ran=3</script>"></iframe>`
    const script = document.createElement('script')
    script.textContent = 'window.ran=4'
    document.body.append(script)
    const foreign = document.createElement('script')
    foreign.src = 'https://otro.example/x.js'
    document.body.append(foreign)
    box.querySelector<HTMLElement>('#bad')!.click()
    const base = document.createElement('base')
    base.href = 'https://otro.example/'
    document.head.append(base)
  })
  // A test's own evaluation may do what a page may not: this one comes after it.
  await page.evaluate(() =>
    setTimeout(() => {
      try {
        document.title = String(new Function('return 1')())
      } catch (error) {
        document.title = (error as Error).name
      }
    }),
  )
  await page.waitForFunction(() => ['EvalError', '1'].includes(document.title))
  const evaluated = await page.title()
  await waitUntilTrue('six refusals', async () => refused.length >= 6)
  assert.is(await page.evaluate(() => (window as { ran?: number }).ran), undefined)
  assert.is(evaluated, 'EvalError')
  const kinds = new Set(refused.map((what) => what.split(' ')[1]))
  for (const kind of ['script-src-attr', 'style-src-attr', 'script-src-elem', 'base-uri', 'script-src'])
    assert.ok(kinds.has(kind), `${kind} of ${[...kinds].join(', ')}`)
  await context.close()
})

policy.run()
