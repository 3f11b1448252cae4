import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, PHONE, visit, watchErrors } from '#tests/support/browser.ts'
import { signedIn, useSession } from '#tests/support/members.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface World {
  server: TestServer
  browser: Browser
  toby: { id: string; path: string }
  long: { id: string }
}
const paper = suite<World>('print')

const LONG = 'Bartolomé de las Montañas Nevadas'

paper.before(async (t) => {
  t.server = await startServer({ SITE_URL: 'http://perrario.example' })
  t.browser = await launchBrowser()
  const [, toby, , long] = await withDatabase(t.server, (db) =>
    seed(
      db,
      member({ alias: 'Ana' }),
      dog({
        name: 'Toby',
        age: 3,
        age_unit: 'años',
        size: 'mediano',
        zone: 'Sevilla',
        description: 'Collar rojo.',
        photos: 0,
      }),
      dog({ breed: 'Teckel', photos: 0 }),
      dog({
        name: LONG,
        breed: 'Gran sabueso anglofrancés blanco y naranja',
        age: 4,
        age_unit: 'años',
        size: 'gigante',
        zone: 'San Sebastián de los Reyes',
        description: 'Muy largo. '.repeat(60),
        photos: 0,
      }),
    ),
  )
  Object.assign(t, { toby, long })
})
paper.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

async function open(t: World, path: string, options = {}) {
  const context = await visit(t.browser, { ...DESKTOP, ...options })
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(t.server.url + path)
  return { context, page, errors }
}

/** How many sheets a printer would use, without background graphics. */
async function sheets(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = (await page.pdf({ format })).toString('latin1')
  return Math.max(...[...pdf.matchAll(/\/Count (\d+)/g)].map(([, count]) => Number(count)))
}

/** The page as paper shows it, as wide as A4 and Letter are between margins of 12 mm. */
const asPaper = async (page: Page, width = 703, height = 1032) => {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width, height })
}

/** Descendants of `outer` that stand out of it, by half a pixel or more. */
const cut = (page: Page, outer: string, inner: string) =>
  page.locator(outer).evaluateAll(
    (outers, what) =>
      outers
        .flatMap((each) => {
          const box = each.getBoundingClientRect()
          return [...each.querySelectorAll(what)].filter((one) => {
            const own = one.getBoundingClientRect()
            return (
              own.height > 0 &&
              (own.bottom > box.bottom + 0.5 ||
                own.top < box.top - 0.5 ||
                own.right > box.right + 0.5 ||
                own.left < box.left - 0.5)
            )
          })
        })
        .map((one) => one.textContent),
    inner,
  )

const CHROME = ['.top', '.side', '.tabbar', '.join-banner', '.btn', '.print-bar', '.to-print', 'form', 'nav']
const shownOf = async (page: Page, selectors: string[]) => {
  const seen: string[] = []
  for (const each of selectors) if ((await page.locator(each).filter({ visible: true }).count()) > 0) seen.push(each)
  return seen
}

paper('the album is a cover and 22 pages, on A4 and Letter', async (t) => {
  const { context, page, errors } = await open(t, '/razas/imprimir')
  assert.is(await page.locator('.sheet').count(), 22)
  assert.is(await page.locator('.place').count(), 434)
  assert.is(await page.locator('.place.full').count(), 3)
  for (const format of ['A4', 'Letter'] as const) assert.is(await sheets(page, format), 23, format)
  assert.equal(errors, [])
  await context.close()
})

paper('no place of the album is cut, nothing but its pages is printed, and every picture has come', async (t) => {
  const { context, page } = await open(t, '/razas/imprimir')
  await page.waitForLoadState('networkidle')
  await asPaper(page)
  assert.equal(await cut(page, '.sheet', 'header, .place, .label, .hole, footer'), [])
  assert.equal(await cut(page, '.place', '.label, .hole'), [])
  assert.equal(await shownOf(page, CHROME), [])
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
  assert.match((await first.locator('.place').first().textContent())!, '001 Affenpinscher, por descubrir')
  await context.close()
})

paper('the album’s cover takes a name, and tells nobody', async (t) => {
  const { context, page } = await open(t, '/razas/imprimir')
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  // A first press brings scripts of the frame; a form would go to a page or to the API.
  page.on('request', (request) => new URL(request.url()).pathname.startsWith('/_astro/') || asked.push(request.url()))
  await page.getByRole('textbox', { name: 'Álbum de' }).fill('Lucía')
  await page.getByRole('textbox', { name: 'Álbum de' }).press('Enter')
  await asPaper(page)
  assert.is(await page.getByRole('textbox', { name: 'Álbum de' }).inputValue(), 'Lucía')
  assert.match((await page.locator('.cover').textContent())!, '434 razas, 3 pegatinas puestas por la comunidad.')
  assert.equal(asked, [])
  await context.close()
})

paper('it is reached from the album, mode by mode; a visitor’s own is empty', async (t) => {
  const { context, page } = await open(t, '/razas')
  await page.getByRole('link', { name: 'Imprimir el álbum' }).click()
  await page.waitForURL('**/razas/imprimir')
  await page.getByRole('link', { name: 'Vacío' }).click()
  await page.waitForURL('**/razas/imprimir?modo=mias')
  assert.is(await page.locator('.place.full').count(), 0)
  assert.match((await page.locator('.cover').textContent())!, '434 razas por descubrir.')
  await context.close()

  const luis = await signedIn(t.server, 'luis@ejemplo.es')
  await withDatabase(t.server, (db) => seed(db, dog({ breed: 'Galgo español', owner_id: luis.id, photos: 0 })))
  const own = await visit(t.browser)
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

paper('a poster is one page, whole, however long its words', async (t) => {
  for (const { id } of [t.toby, t.long]) {
    const { context, page, errors } = await open(t, `/perro/${id}/cartel`)
    for (const strips of [false, true]) {
      if (strips) await page.getByLabel('Tiras para arrancar').check()
      for (const format of ['A4', 'Letter'] as const) assert.is(await sheets(page, format), 1, format)
      for (const [width, height] of [
        [703, 1032],
        [725, 965],
      ] as const) {
        await asPaper(page, width, height)
        assert.equal(await cut(page, '.paper', 'img, h2, p, textarea, footer, .strips, .strips li'), [], `${width} px`)
        assert.equal(await shownOf(page, CHROME), [])
      }
      await page.emulateMedia({ media: null })
      await page.setViewportSize(DESKTOP.viewport)
    }
    assert.equal(errors, [])
    await context.close()
  }
})

paper('the contact is printed, on every strip too, and asked of nobody', async (t) => {
  const { context, page } = await open(t, `/perro/${t.toby.id}/cartel`)
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData()}`))
  await page.getByLabel('Tiras para arrancar').check()
  await page.getByLabel('Contacto').fill('Ana, 600 123 456')
  await page.getByLabel('Visto por última vez').fill('Ayer, en el parque')
  await asPaper(page)
  assert.is(await page.getByLabel('Contacto').isVisible(), true)
  assert.is(await page.getByLabel('Contacto').inputValue(), 'Ana, 600 123 456')
  assert.equal(await page.locator('[data-contact]').allTextContents(), Array(8).fill('Ana, 600 123 456'))
  const text = (await page.locator('.poster .paper').innerText()).replaceAll('\u{a0}', ' ')
  for (const words of [
    'SE BUSCA',
    'Toby',
    'Beagle, 3 años, tamaño mediano · Sevilla',
    'Collar rojo.',
    'perrario.example/beagle/toby',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  await page.pdf()
  await page.emulateMedia({ media: null })
  await page.goto(`${t.server.url}/comunidad`)
  assert.equal(
    asked.filter((each) => /600|parque/.test(decodeURIComponent(each))),
    [],
  )
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  assert.not.match(kept, '600')
  assert.not.match(t.server.output(), '600 123')
  await context.close()
})

paper('a poster says «Conoce a» instead, without a script too', async (t) => {
  const { context, page } = await open(t, `/perro/${t.toby.id}/cartel`, { javaScriptEnabled: false })
  assert.is(await page.getByText('Visto por última vez').isVisible(), true)
  await page.getByLabel('Conoce a Toby').check()
  await asPaper(page)
  assert.is(await page.getByText('Visto por última vez').isVisible(), false)
  assert.is(await page.locator('.headline', { hasText: 'Se busca' }).isVisible(), false)
  assert.is(await page.locator('.headline', { hasText: 'Conoce a' }).isVisible(), true)
  assert.is(await page.getByLabel('Tiras para arrancar').isVisible(), false)
  await context.close()
})

paper('«Imprimir» opens the browser’s dialog', async (t) => {
  for (const path of ['/razas/imprimir', `/perro/${t.toby.id}/cartel`]) {
    const { context, page } = await open(t, path)
    await page.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { printed: true }) }))
    await page.getByRole('button', { name: 'Imprimir', exact: true }).click()
    assert.is(await page.evaluate(() => 'printed' in window), true, path)
    await context.close()
  }
})

paper('a dog’s page is printed as one page without what one presses, and leads to its poster', async (t) => {
  const { context, page } = await open(t, t.toby.path)
  assert.is(await sheets(page, 'A4'), 1)
  await asPaper(page)
  assert.equal(await shownOf(page, [...CHROME, '.round', '.dots']), [])
  assert.is(await page.getByRole('heading', { level: 1 }).isVisible(), true)
  assert.is(await page.locator('.facts').isVisible(), true)
  await page.emulateMedia({ media: null })
  await page.setViewportSize(DESKTOP.viewport)
  await page.getByRole('link', { name: 'Imprimir cartel' }).click()
  await page.waitForURL(`**/perro/${t.toby.id}/cartel`)
  assert.is(await page.locator('h1').textContent(), 'Cartel de Toby')
  await context.close()
})

paper('other pages print without bars and buttons', async (t) => {
  for (const path of ['/', '/perros', '/razas', '/razas/beagle', '/comunidad', '/terminos', '/beagle/nadie']) {
    const { context, page } = await open(t, path)
    await asPaper(page)
    assert.equal(await shownOf(page, CHROME), [], path)
    assert.is(await page.getByRole('heading', { level: 1 }).first().isVisible(), true, path)
    await context.close()
  }
})

paper('search engines are told to leave both alone, and of whom they speak', async (t) => {
  for (const [path, canonical] of [
    ['/razas/imprimir?modo=mias', '/razas'],
    [`/perro/${t.toby.id}/cartel`, t.toby.path],
  ] as const) {
    const { context, page } = await open(t, path)
    assert.is(await page.locator('meta[name=robots]').getAttribute('content'), 'noindex')
    assert.is(await page.locator('link[rel=canonical]').getAttribute('href'), `http://perrario.example${canonical}`)
    await context.close()
  }
})

paper(
  'people with assistive technology can use both, in light and dark; a phone scrolls nothing sideways',
  async (t) => {
    for (const path of ['/razas/imprimir', `/perro/${t.toby.id}/cartel`, `/perro/${t.long.id}/cartel`]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { context, page } = await open(t, path, { colorScheme, reducedMotion: 'reduce' })
        const { violations } = await new AxeBuilder({ page }).analyze()
        assert.equal(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
          [],
          `${path} ${colorScheme}`,
        )
        await context.close()
      }
      const { context, page } = await open(t, path, { ...PHONE, viewport: { width: 320, height: 640 } })
      assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 320, path)
      await context.close()
    }
  },
)

paper.run()
