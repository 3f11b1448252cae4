import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Dog } from '#features/dogs/dogs.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface World {
  server: TestServer
  browser: Browser
  toby: Dog
  anaId: string
}
const share = suite<World>('share')

share.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    const [ana, toby] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby', breed: 'Beagle' }))
    Object.assign(t, { toby, anaId: ana.id })
  })
})
share.after(async (t) => {
  await t.browser.close()
  await t.server.dispose()
})

/** What the device's own sheet does: it is there and closes, or refuses as `error` says. */
type ShareSheet = { error: string | null }

/** A page of the site, its clipboard and, where `sheet` says so, its share sheet: `window.shared` is what that was given. */
async function open(w: World, path: string, options: BrowserContextOptions, sheet?: ShareSheet) {
  const context = await openContext(w.browser, options)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.route('**/_ipx/**', (route) =>
    route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' }),
  )
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.addInitScript((sheet) => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    if (!sheet) return
    Object.defineProperty(navigator, 'share', {
      value: (data: unknown) => {
        shared.push(data)
        return sheet.error ? Promise.reject(new DOMException('No', sheet.error)) : Promise.resolve()
      },
    })
  }, sheet)
  await page.goto(w.server.url + path)
  return { page, errors, close: () => context.close() }
}

const shared = (page: Page) => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function press(page: Page, name = 'Compartir'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByText('¡Enlace copiado!').waitFor()
  await page.getByText('Puedes compartirlo donde quieras.').waitFor()
}

const PAGES: [what: string, path: (w: World) => string, button: string][] = [
  ['a dog', (w) => w.toby.path, 'Compartir'],
  ['a breed', () => '/razas/beagle', 'Compartir'],
  ['a profile', (w) => `/usuario/${w.anaId}`, 'Compartir perfil'],
]
for (const [what, path, button] of PAGES)
  share(`${what}: the button copies the page’s address and says so`, async (w) => {
    const { page, errors, close } = await open(w, path(w), DESKTOP)
    await press(page, button)
    assert.is(await copied(page), w.server.url + path(w))
    assert.equal(errors, [])
    await close()
  })

share('a phone opens its sheet besides', async (w) => {
  const { page, errors, close } = await open(w, w.toby.path, PHONE, { error: null })
  await press(page)
  assert.equal(await shared(page), [{ title: 'Toby, Beagle | Perrario', url: w.server.url + w.toby.path }])
  assert.is(await copied(page), w.server.url + w.toby.path)
  assert.equal(errors, [])
  await close()
})

for (const error of ['AbortError', 'NotAllowedError'])
  share(`a sheet that ends in ${error} takes nothing away`, async (w) => {
    const { page, errors, close } = await open(w, w.toby.path, PHONE, { error })
    await press(page)
    assert.is((await shared(page)).length, 1)
    assert.is(await copied(page), w.server.url + w.toby.path)
    assert.equal(errors, [])
    await close()
  })

share('the toast goes after its 2 s, though the pointer moves onto it', async (w) => {
  const { page, close } = await open(w, w.toby.path, DESKTOP)
  await press(page)
  const toast = page.locator('.toast', { hasText: '¡Enlace copiado!' })
  await toast.hover()
  await toast.waitFor({ state: 'detached', timeout: 10_000 })
  await close()
})

share('at a desk the link is copied and no sheet is in the way', async (w) => {
  const { page, close } = await open(w, w.toby.path, DESKTOP, { error: null })
  await press(page)
  assert.equal(await shared(page), [])
  await close()
})

share('the sticker is downloaded, without script too', async (w) => {
  const { page, close } = await open(w, w.toby.path, { ...DESKTOP, javaScriptEnabled: false })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Descargar cromo' }).click(),
  ])
  assert.is(download.suggestedFilename(), 'toby-beagle-perrario.jpg')
  const { format, width, height } = await sharp(readFileSync(await download.path())).metadata()
  assert.equal([format, width, height], ['jpeg', 864, 1080])
  await close()
})

share.run()
