import type { Page } from 'playwright'
import { DESKTOP, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// A browser that blocks cookies of sites throws where a page reads its storage: every script of every page goes on without it.
const blocked = browserSuite('blocked storage')

const blockStorage = () => {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
}

/** Whatever waits for the first interaction has run. */
async function interact(page: Page): Promise<void> {
  await page.mouse.move(200, 200)
  await page.keyboard.press('Shift')
  await page.waitForLoadState('networkidle')
}

blocked('no page’s script fails, for a visitor and for a member', async ({ server, browser }) => {
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const [toby] = await seed(server.db, dog({ name: 'Toby', owner_id: ana.id }))
  const shared = [
    '/',
    '/perros',
    '/?view=map',
    toby.path,
    '/razas',
    '/razas/beagle',
    '/comunidad',
    '/reto/ronda',
    '/buscar?q=to',
  ]
  const paths = {
    visitor: [...shared, '/login', '/encontrados'],
    member: [...shared, '/?tab=mine', '/perfil', '/notificaciones', '/perfil/cuenta'],
  }
  const faults: string[] = []
  for (const reader of ['visitor', 'member'] as const) {
    const context = await openContext(browser, { ...DESKTOP, reducedMotion: 'reduce' })
    await context.addInitScript(blockStorage)
    if (reader === 'member') await useSession(context, server, ana)
    const page = await context.newPage()
    const errors = watchErrors(page)
    for (const path of paths[reader]) {
      await page.goto(server.url + path)
      await interact(page)
      faults.push(
        ...errors
          .splice(0)
          .filter((text) => !/status of 404/.test(text))
          .map((text) => `${reader} ${path}: ${text}`),
      )
      // The last script of the shell.
      const before = await page.locator('html').getAttribute('data-sidebar')
      await page.keyboard.press('Control+b')
      const after = await page.locator('html').getAttribute('data-sidebar')
      if (before === after) faults.push(`${reader} ${path}: the sidebar does not answer`)
    }
    await context.close()
  }
  assert.equal(faults, [])
})

blocked('signing out says so and leads home', async ({ server, browser }) => {
  const context = await openContext(browser, { ...DESKTOP, reducedMotion: 'reduce' })
  await context.addInitScript(blockStorage)
  await useSession(context, server, await signInMember(server, 'luis@ejemplo.es'))
  const page = await context.newPage()
  await page.goto(`${server.url}/perros`)
  await page.locator('form[data-sign-out] button').first().click()
  await page.getByText('Sesión cerrada correctamente').waitFor()
  await page.waitForURL(`${server.url}/`)
  await context.close()
})
