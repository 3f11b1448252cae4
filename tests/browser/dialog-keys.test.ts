import type { Browser, BrowserContext, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaultsInBoth } from '#tests/support/axe.ts'
import { DESKTOP, launchBrowser, visit } from '#tests/support/browser.ts'
import { matrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// The dialogs a visitor meets, by the keyboard alone: each opens with Enter, takes the focus, keeps it, has a role and a
// name, goes with Escape, and the focus is back where it was. axe finds nothing while it stands.
const keys = suite('dialogs by keyboard')
const t = {} as { server: TestServer; browser: Browser; world: MatrixWorld }

keys.before(async () => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    t.world = await matrixWorld(db, t.server.dataDir, 'admin@ejemplo.es')
  })
})
keys.after(async () => {
  await t.browser.close()
  await t.server.dispose()
})

interface Case {
  path: string
  /** What is pressed, one after the other; the last opens the dialog and gets the focus back. */
  press: readonly string[]
  name: string
}

const VISITORS = (w: MatrixWorld): Case[] => [
  { path: '/perfil', press: ['main a[href="/terminos"]'], name: 'Términos de uso' },
  { path: '/perfil', press: ['main a[href="/privacidad"]'], name: 'Política de privacidad' },
  { path: '/', press: ['[data-like]'], name: 'Inicia sesión para dar un like' },
  { path: '/', press: ['.side [data-add-dog]'], name: 'Añadir perro' },
  { path: w.loved.path, press: ['[data-dialog-open=likers]'], name: 'Usuarios a los que les gusta' },
  { path: w.loved.path, press: ['[data-report]'], name: `Denunciar ${w.loved.name}` },
  { path: w.loved.path, press: ['[data-zoom]'], name: 'Fotos a pantalla completa' },
]

async function byKeyboard(page: Page, { path, press, name }: Case): Promise<string[]> {
  await page.goto(t.server.url + path)
  for (const selector of press) {
    await page.locator(selector).first().focus()
    await page.keyboard.press('Enter')
  }
  const opener = await page.locator(press.at(-1)!).first().elementHandle()
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.waitFor()
  await dialog.evaluate(
    (element) =>
      new Promise<void>((done) => {
        const look = () => (element.contains(document.activeElement) ? done() : requestAnimationFrame(look))
        look()
      }),
  )
  const found = await axeFaultsInBoth(page)
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press(i < 4 ? 'Tab' : 'Shift+Tab')
    const out = await dialog.evaluateAll(
      ([element]) => element && document.activeElement !== document.body && !element.contains(document.activeElement),
    )
    if (out) found.push(`Tab ${i + 1} led out of it`)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const isBack = await opener!.evaluate(
    (element) =>
      new Promise<boolean>((done) => {
        const look = (left: number) =>
          element === document.activeElement || left === 0
            ? done(element === document.activeElement)
            : requestAnimationFrame(() => look(left - 1))
        look(60)
      }),
  )
  if (!isBack) found.push('the focus is not back where it was')
  return found
}

async function all(context: BrowserContext, cases: readonly Case[]): Promise<void> {
  const faults: string[] = []
  for (const one of cases) {
    // One that fails leaves nothing open for the next.
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const found = await byKeyboard(page, one).catch((error: Error) => [error.message.slice(0, 300)])
    faults.push(...found.map((fault) => `${one.name} (${one.path}): ${fault}`))
    await page.close()
  }
  assert.equal(faults, [])
  await context.close()
}

keys('a visitor’s', async () => {
  await all(await visit(t.browser, { ...DESKTOP, reducedMotion: 'reduce' }), VISITORS(t.world))
})

keys.run()
