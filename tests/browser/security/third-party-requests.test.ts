import type { Browser, BrowserContext } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { launchBrowser, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface World {
  server: TestServer
  browser: Browser
  ana: TestMember
  dog: { id: string; path: string }
}
const own = suite<World>('own origin')

own.before(async (t) => {
  t.server = await startServer({ ADMIN_EMAIL: 'ana@ejemplo.es' })
  t.ana = await signInMember(t.server)
  const form = formOf({
    name: 'Toby',
    breed: 'Beagle',
    zone: 'Lugo',
    relationship: 'owner',
    images: new Blob([await photo()]),
  })
  t.dog = (await call(t.server, '/api/dogs', { method: 'POST', cookie: t.ana.cookie, form })).body.dog
  t.browser = await launchBrowser()
})
own.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

/** One address of every kind of page. */
const pageAddresses = ({ ana, dog }: World) => [
  '/',
  '/?tab=mine',
  '/?tab=profile',
  '/perros',
  '/perros?view=map',
  '/razas',
  '/razas/beagle',
  '/comunidad',
  dog.path,
  `/perro/${dog.id}`,
  `/perro/${dog.id}/cartel`,
  '/razas/imprimir',
  `/usuario/${ana.id}`,
  `/usuario/${ana.id}?tab=razas`,
  '/login',
  '/login/codigo',
  '/login/enlace?token=nada',
  '/perfil',
  '/perfil?editar',
  '/perfil/cuenta',
  '/notificaciones',
  '/admin',
  '/baja?token=nada',
  '/terminos',
  '/privacidad',
  '/sin-conexion',
  '/no/hay/nada',
]

/** Everything that the pages of this browser ask of anybody but us. */
function watchThirdParties(context: BrowserContext, server: TestServer): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== server.url && !['data:', 'blob:'].includes(protocol)) asked.push(request.url())
  })
  return asked
}

for (const role of ['visitor', 'member'] as const)
  own(`no page of a default install asks anything of anybody else: ${role}`, async (t) => {
    const context = await openContext(t.browser)
    if (role === 'member') await useSession(context, t.server, t.ana)
    const asked = watchThirdParties(context, t.server)
    const page = await context.newPage()
    for (const address of pageAddresses(t)) {
      await page.goto(t.server.url + address, { waitUntil: 'load' })
      // What scripts fetch once the page stands still, and what comes into view further down.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await page.waitForTimeout(300)
    }
    assert.equal(asked, [])
    await context.close()
  })

own('neither do the dog form, the map’s marks, the bell and the worker', async (t) => {
  const context = await openContext(t.browser, { serviceWorkers: 'allow', reducedMotion: 'reduce' })
  await useSession(context, t.server, t.ana)
  const asked = watchThirdParties(context, t.server)
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(`${t.server.url}/#anadir-perro`)
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(500)
  await page.keyboard.press('Escape')
  await page.goto(`${t.server.url}/perros?view=map`)
  await page.locator('.leaflet-container').waitFor()
  await page.waitForTimeout(1000)
  await page.goto(`${t.server.url}/notificaciones`)
  await page.waitForTimeout(500)
  assert.equal(asked, [])
  assert.equal(errors, [])
  await context.close()
})

own('the cookies are those that the privacy page names', async (t) => {
  const context = await openContext(t.browser)
  const page = await context.newPage()
  for (const address of pageAddresses(t)) await page.goto(t.server.url + address)
  assert.equal(
    (await context.cookies()).map(({ name }) => name),
    [],
  )
  await useSession(context, t.server, t.ana)
  await page.goto(`${t.server.url}/perfil`)
  assert.equal(
    (await context.cookies()).map(({ name }) => name),
    ['perrario'],
  )
  await context.close()
})

own.run()
