import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, PHONE, visit } from '#tests/support/browser.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { signedIn, useSession } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Pages no other browser test opens for axe; at the narrowest phone none may scroll sideways either.
const axe = suite<{ server: TestServer; browser: Browser }>('axe')

axe.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, (db) =>
    seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), member({ alias: 'Luis' })),
  )
})
axe.after(async (t) => {
  await t.browser.close()
  await t.server.dispose()
})

const PAGES = {
  '/comunidad': 'Comunidad',
  '/beagle/no-existe': 'Perro no encontrado',
  '/perro/00000000-0000-4000-8000-000000000000': 'Perro no encontrado',
  '/usuario/00000000-0000-4000-8000-000000000000': 'Usuario no encontrado',
  '/baja?token=nadie': 'Este enlace no vale',
}

for (const [path, heading] of Object.entries(PAGES))
  for (const colorScheme of ['light', 'dark'] as const)
    axe(`finds nothing: ${path}, ${colorScheme}`, async ({ server, browser }) => {
      const context = await visit(browser, { ...DESKTOP, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(server.url + path)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      assert.equal(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      )
      await context.close()
    })

for (const path of [...Object.keys(PAGES), '/', '/?breed=beagle&sort=votes-desc', '/terminos', '/razas/no/existe'])
  axe(`fits 320 px: ${path}`, async ({ server, browser }) => {
    const context = await visit(browser, { ...PHONE, viewport: { width: 320, height: 640 } })
    const page = await context.newPage()
    await page.goto(server.url + path)
    assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 320)
    await context.close()
  })

// What a member sees more of: the bell everywhere, and on a dog of their own all that can be done with it.
for (const width of [320, 360, 390])
  axe(`a member’s pages fit ${width} px`, async ({ server, browser }) => {
    const ana = await signedIn(server, 'ana@ejemplo.es')
    const [toby] = await withDatabase(server, (db) =>
      seed(db, dog({ name: 'Bartolomé de las Montañas', owner_id: null, discoverer_id: ana.id })),
    )
    const context = await visit(browser, { ...PHONE, viewport: { width, height: 640 } })
    await useSession(context, server, ana)
    const page = await context.newPage()
    const wide: string[] = []
    for (const path of [toby.path, '/', '/razas', '/comunidad', '/perfil', '/perfil/cuenta', '/notificaciones']) {
      await page.goto(server.url + path)
      const found = await page.evaluate(() => document.documentElement.scrollWidth)
      if (found !== width) wide.push(`${path}: ${found}`)
    }
    assert.equal(wide, [])
    await context.close()
  })

axe.run()
