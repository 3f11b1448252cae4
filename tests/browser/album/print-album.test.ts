import type { Page } from 'playwright'
import { call } from '#tests/support/api.ts'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { signInMember } from '#tests/support/members.ts'
import {
  emulatePrint,
  SCREEN_ONLY,
  findOverflowing,
  openPage,
  countSheets,
  findVisible,
} from '#tests/support/browser/print.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { waitUntilQuiet } from '#tests/support/browser/requests.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const paper = browserSuite('print-album')

paper.before(async (t) => {
  await seed(
    t.server.db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby', photos: 0 }),
    dog({ breed: 'Teckel', photos: 0 }),
    dog({ breed: 'Galgo español', photos: 0 }),
  )
})

/** The sheets' room between margins of 12 mm, CSS px. */
const A4 = [703, 1032] as const
const LETTER = [725, 965] as const

const measurePapers = (page: Page) =>
  page
    .locator('.paper')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => ({ width, height })))

paper(
  'the album is a cover and 23 whole pages, on A4 and Letter, every picture has come; its cover takes a name',
  async (t) => {
    const { page, errors, requests } = await openPage(t, '/razas/imprimir')
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('.paper img')].every((picture) => picture.complete),
    )
    assert.is(await page.locator('.sheet').count(), 23)
    assert.is(await page.locator('.place').count(), 441)
    assert.is(await page.locator('.place.full').count(), 3)
    const missing = await page
      .locator('.paper img')
      .evaluateAll((all) => all.filter((img) => (img as HTMLImageElement).naturalWidth === 0).length)
    assert.is(missing, 0)
    assert.is(await page.locator('img[loading=lazy]').count(), 0)
    for (const [width, height] of [A4, LETTER]) {
      await emulatePrint(page, width, height)
      assert.equal(await findOverflowing(page, '.sheet', 'header, .place, .label, .hole, footer'), [])
      assert.equal(await findOverflowing(page, '.place', '.label, .hole'), [])
      const highest = Math.max(...(await measurePapers(page)).map((paper) => paper.height))
      assert.ok(highest < height, `${highest} px of ${height}`)
    }
    assert.equal(await findVisible(page, SCREEN_ONLY), [])
    const first = page.locator('.sheet').first()
    assert.is(await first.locator('h2').textContent(), 'A – B')
    assert.match((await first.locator('footer').textContent())!, 'Página 1 de 23')
    // Long names hold the places where they may be broken (features/breeds/syllables.ts).
    const name = (await first.locator('.place').first().textContent())!.replaceAll('\u{ad}', '')
    assert.match(name, '001 Affenpinscher, por descubrir')
    // With or without its pictures a sheet is as large: what follows needs none.
    const boxes = await measurePapers(page)
    await page.evaluate(() => {
      for (const picture of document.querySelectorAll('.place img'))
        for (const name of ['srcset', 'src']) picture.removeAttribute(name)
    })
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLImageElement>('.place img')].every((picture) => picture.naturalWidth === 0),
      undefined,
      { polling: 100 },
    )
    assert.equal(await measurePapers(page), boxes)
    for (const format of ['A4', 'Letter'] as const) assert.is(await countSheets(page, format), 24, format)

    // The cover takes a name, and tells nobody.
    await page.emulateMedia({ media: null })
    await page.setViewportSize(DESKTOP.viewport)
    await waitUntilQuiet(page, requests)
    const asked: string[] = []
    // A first press brings scripts of the frame; a form would go to a page or to the API.
    page.on('request', (request) => new URL(request.url()).pathname.startsWith('/_astro/') || asked.push(request.url()))
    await page.getByRole('textbox', { name: 'Álbum de' }).fill('Lucía')
    await page.getByRole('textbox', { name: 'Álbum de' }).press('Enter')
    await emulatePrint(page)
    assert.is(await page.getByRole('textbox', { name: 'Álbum de' }).inputValue(), 'Lucía')
    assert.match((await page.locator('.cover').textContent())!, '441 razas, 3 pegatinas puestas por la comunidad.')
    assert.equal([asked, errors], [[], []])
  },
)

/** Where the link of these words leads on a page. */
const linkOf = (html: string, words: string) =>
  new RegExp(`<a\\b[^>]*\\bhref="([^"]*)"[^>]*>(?:(?!</a>)[^])*?${words}`).exec(html)?.[1]?.replaceAll('&amp;', '&')

paper('it is reached from the album, mode by mode; a visitor’s own is empty', async ({ server }) => {
  const read = async (path: string, cookie?: string): Promise<string> =>
    (await call(server, path, { cookie })).body.replaceAll('\u{ad}', '')
  assert.is(linkOf(await read('/razas'), 'Imprimir el álbum'), '/razas/imprimir')
  assert.is(linkOf(await read('/razas/imprimir'), 'Vacío'), '/razas/imprimir?modo=mias')
  const empty = await read('/razas/imprimir?modo=mias')
  assert.is(empty.match(/class="place full"/g), null)
  assert.is(empty.match(/class="place"/g)!.length, 441)
  assert.match(empty, '441 razas por descubrir.')

  const luis = await signInMember(server, 'luis@ejemplo.es')
  await seed(server.db, dog({ breed: 'Galgo español', owner_id: luis.id, photos: 0 }))
  assert.is(linkOf(await read('/?tab=mine', luis.cookie), 'Imprimir el álbum'), '/razas/imprimir?modo=mias')
  const own = await read('/razas/imprimir?modo=mias', luis.cookie)
  assert.match(own, /<a href="[^"]*modo=mias"[^>]*aria-current="true"[^>]*>\s*Mis razas/)
  const full = own.match(/class="place full"[^]*?<\/li>/g)!
  assert.is(full.length, 1)
  assert.is(
    full[0]!
      .replace(/^[^>]*>/, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    '123 Galgo español',
  )
  assert.match(own, '441 razas, 1 pegatina puesta por ti.')
})

paper('other pages print without bars and buttons', async (t) => {
  const { page } = await openPage(t, '/')
  for (const path of ['/', '/perros', '/razas', '/razas/beagle', '/comunidad', '/terminos', '/beagle/nadie']) {
    await page.emulateMedia({ media: null })
    await page.setViewportSize(DESKTOP.viewport)
    if (path !== '/') await page.goto(t.server.url + path)
    await emulatePrint(page)
    assert.equal(await findVisible(page, SCREEN_ONLY), [], path)
    assert.is(await page.getByRole('heading', { level: 1 }).first().isVisible(), true, path)
  }
})
