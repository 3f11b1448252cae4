import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const widths = suite<{ server: TestServer; browser: Browser }>('widths')

widths.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, (db) =>
    seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), member({ alias: 'Luis' })),
  )
})
widths.after(async (t) => {
  await t.browser.close()
  await t.server.dispose()
})

// What a member sees more of: the bell everywhere, and on a dog of their own all that can be done with it.
for (const width of [320, 360, 390])
  widths(`a member’s pages fit ${width} px`, async ({ server, browser }) => {
    const ana = await signInMember(server, 'ana@ejemplo.es')
    const [toby] = await withDatabase(server, (db) =>
      seed(db, dog({ name: 'Bartolomé de las Montañas', owner_id: null, discoverer_id: ana.id })),
    )
    const context = await openContext(browser, { ...PHONE, viewport: { width, height: 640 } })
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

widths.run()
