import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import {
  emulatePrint,
  SCREEN_ONLY,
  findOverflowing,
  openPage,
  countSheets,
  findVisible,
} from '#tests/support/browser/print.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { waitUntilQuiet } from '#tests/support/browser/requests.ts'

const paper = suite<{ server: TestServer; browser: Browser }>('print-album')

paper.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, (db) =>
    seed(
      db,
      member({ alias: 'Ana' }),
      dog({ name: 'Toby', photos: 0 }),
      dog({ breed: 'Teckel', photos: 0 }),
      dog({ breed: 'Galgo español', photos: 0 }),
    ),
  )
})
paper.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

paper('the album is a cover and 22 pages, on A4 and Letter', async (t) => {
  const { context, page, errors } = await openPage(t, '/razas/imprimir')
  assert.is(await page.locator('.sheet').count(), 22)
  assert.is(await page.locator('.place').count(), 434)
  assert.is(await page.locator('.place.full').count(), 3)
  for (const format of ['A4', 'Letter'] as const) assert.is(await countSheets(page, format), 23, format)
  assert.equal(errors, [])
  await context.close()
})

paper('no place of the album is cut, nothing but its pages is printed, and every picture has come', async (t) => {
  const { context, page } = await openPage(t, '/razas/imprimir')
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.paper img')].every((picture) => picture.complete),
  )
  await emulatePrint(page)
  assert.equal(await findOverflowing(page, '.sheet', 'header, .place, .label, .hole, footer'), [])
  assert.equal(await findOverflowing(page, '.place', '.label, .hole'), [])
  assert.equal(await findVisible(page, SCREEN_ONLY), [])
  assert.is(await page.locator('img[loading=lazy]').count(), 0)
  const missing = await page
    .locator('.paper img')
    .evaluateAll((all) => all.filter((img) => (img as HTMLImageElement).naturalWidth === 0).length)
  assert.is(missing, 0)
  const heights = await page
    .locator('.paper')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
  assert.ok(Math.max(...heights) < 1032, `${Math.max(...heights)} px`)
  const first = page.locator('.sheet').first()
  assert.is(await first.locator('h2').textContent(), 'A – B')
  assert.match((await first.locator('footer').textContent())!, 'Página 1 de 22')
  // Long names hold the places where they may be broken (features/breeds/syllables.ts).
  const name = (await first.locator('.place').first().textContent())!.replaceAll('\u{ad}', '')
  assert.match(name, '001 Affenpinscher, por descubrir')
  await context.close()
})

paper('the album’s cover takes a name, and tells nobody', async (t) => {
  const { context, page, requests } = await openPage(t, '/razas/imprimir')
  await waitUntilQuiet(page, requests)
  const asked: string[] = []
  // A first press brings scripts of the frame; a form would go to a page or to the API.
  page.on('request', (request) => new URL(request.url()).pathname.startsWith('/_astro/') || asked.push(request.url()))
  await page.getByRole('textbox', { name: 'Álbum de' }).fill('Lucía')
  await page.getByRole('textbox', { name: 'Álbum de' }).press('Enter')
  await emulatePrint(page)
  assert.is(await page.getByRole('textbox', { name: 'Álbum de' }).inputValue(), 'Lucía')
  assert.match((await page.locator('.cover').textContent())!, '434 razas, 3 pegatinas puestas por la comunidad.')
  assert.equal(asked, [])
  await context.close()
})

paper('it is reached from the album, mode by mode; a visitor’s own is empty', async (t) => {
  const { context, page } = await openPage(t, '/razas')
  await page.getByRole('link', { name: 'Imprimir el álbum' }).click()
  await page.waitForURL('**/razas/imprimir')
  await page.getByRole('link', { name: 'Vacío' }).click()
  await page.waitForURL('**/razas/imprimir?modo=mias')
  assert.is(await page.locator('.place.full').count(), 0)
  assert.match((await page.locator('.cover').textContent())!, '434 razas por descubrir.')
  await context.close()

  const luis = await signInMember(t.server, 'luis@ejemplo.es')
  await withDatabase(t.server, (db) => seed(db, dog({ breed: 'Galgo español', owner_id: luis.id, photos: 0 })))
  const own = await openContext(t.browser)
  await useSession(own, t.server, luis)
  const his = await own.newPage()
  await his.goto(`${t.server.url}/?tab=mine`)
  await his.getByRole('link', { name: 'Imprimir el álbum' }).click()
  await his.waitForURL('**/razas/imprimir?modo=mias')
  assert.is(await his.getByRole('link', { name: 'Mis razas' }).getAttribute('aria-current'), 'true')
  assert.equal(await his.locator('.place.full .label').allTextContents(), ['123 Galgo español'])
  assert.match((await his.locator('.cover').textContent())!, '434 razas, 1 pegatina puesta por ti.')
  await own.close()
})

paper('other pages print without bars and buttons', async (t) => {
  for (const path of ['/', '/perros', '/razas', '/razas/beagle', '/comunidad', '/terminos', '/beagle/nadie']) {
    const { context, page } = await openPage(t, path)
    await emulatePrint(page)
    assert.equal(await findVisible(page, SCREEN_ONLY), [], path)
    assert.is(await page.getByRole('heading', { level: 1 }).first().isVisible(), true, path)
    await context.close()
  }
})

paper.run()
