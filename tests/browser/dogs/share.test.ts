import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright'
import sharp from 'sharp'
import type { Dog } from '#features/dogs/dogs.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

type World = BrowserWorld & { toby: Dog; anaId: string }
const share = browserSuite<World>('share')

share.before(async (t) => {
  const [ana, toby] = await seed(t.server.db, member({ alias: 'Ana' }), dog({ name: 'Toby', breed: 'Beagle' }))
  Object.assign(t, { toby, anaId: ana.id })
})

async function open(w: World, path: string, options: BrowserContextOptions) {
  const taken = await takePage(w.browser, options)
  await taken.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await taken.context.route('**/_ipx/**', (route) =>
    route.fulfill({ path: 'public/placeholder.svg', contentType: 'image/svg+xml' }),
  )
  await taken.page.goto(w.server.url + path)
  return taken
}

/** What the device's own sheet does: it is there and closes, or refuses as `error` says; `window.shared` is what it is given. */
const offerSheet = (page: Page, error: string | null) =>
  page.evaluate((error) => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: (data: unknown) => {
        shared.push(data)
        return error ? Promise.reject(new DOMException('No', error)) : Promise.resolve()
      },
    })
  }, error)

const shared = (page: Page) => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const toast = (page: Page) => page.locator('.toast', { hasText: '¡Enlace copiado!' })

async function press(page: Page, name = 'Compartir'): Promise<void> {
  await toast(page).waitFor({ state: 'detached' })
  await page.evaluate(() => navigator.clipboard.writeText('nothing yet'))
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByText('¡Enlace copiado!').waitFor()
  await page.getByText('Puedes compartirlo donde quieras.').waitFor()
}

const PAGES: [what: string, path: (w: World) => string, button: string][] = [
  ['a breed', () => '/razas/beagle', 'Compartir'],
  ['a profile', (w) => `/usuario/${w.anaId}`, 'Compartir perfil'],
]
for (const [what, path, button] of PAGES)
  share(`${what}: the button copies the page’s address and says so`, async (w) => {
    const { page, errors } = await open(w, path(w), DESKTOP)
    await press(page, button)
    assert.is(await copied(page), w.server.url + path(w))
    assert.equal(errors, [])
  })

share(
  'a dog: the link is copied, the toast goes though the pointer moves onto it, no sheet is in the way',
  async (w) => {
    const { page, errors } = await open(w, w.toby.path, DESKTOP)
    await press(page)
    assert.is(await copied(page), w.server.url + w.toby.path)
    await toast(page).hover()
    await toast(page).waitFor({ state: 'detached', timeout: 10_000 })
    await offerSheet(page, null)
    await press(page)
    assert.equal(await shared(page), [])
    assert.equal(errors, [])
  },
)

share('a phone opens its sheet besides; one that refuses takes nothing away', async (w) => {
  const { page, errors } = await open(w, w.toby.path, PHONE)
  for (const error of [null, 'AbortError', 'NotAllowedError']) {
    await offerSheet(page, error)
    await press(page)
    assert.equal(
      await shared(page),
      [{ title: 'Toby, Beagle | Perrario', url: w.server.url + w.toby.path }],
      `${error}`,
    )
    assert.is(await copied(page), w.server.url + w.toby.path)
  }
  assert.equal(errors, [])
})

share('a clipboard that refuses is said, with the address to copy', async (w) => {
  const { page, errors } = await open(w, '/razas/beagle', DESKTOP)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () =>
      Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
    document.execCommand = () => false
  })
  await page.getByRole('button', { name: 'Compartir', exact: true }).click()
  await page.getByText('No se ha podido copiar').waitFor()
  await page.getByText(`Cópialo a mano: ${w.server.url}/razas/beagle`).waitFor()
  assert.is(await toast(page).count(), 0)
  assert.equal(errors, [])
})

share('the sticker is downloaded, without script too', async (w) => {
  const { page } = await open(w, w.toby.path, { ...DESKTOP, javaScriptEnabled: false })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Descargar cromo' }).click(),
  ])
  assert.is(download.suggestedFilename(), 'toby-beagle-perrario.jpg')
  const { format, width, height } = await sharp(readFileSync(await download.path())).metadata()
  assert.equal([format, width, height], ['jpeg', 864, 1080])
})
