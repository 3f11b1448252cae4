import { DESKTOP } from '#tests/support/browser/chromium.ts'
import {
  emulatePrint,
  SCREEN_ONLY,
  findOverflowing,
  openPage,
  countSheets,
  findVisible,
} from '#tests/support/browser/print.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { waitUntilQuiet } from '#tests/support/browser/requests.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface World extends BrowserWorld {
  toby: { id: string; path: string }
  long: { id: string }
}
const paper = browserSuite<World>('print-poster', { SITE_URL: 'http://perrario.example' })

const LONG = 'Bartolomé de las Montañas Nevadas'

paper.before(async (t) => {
  const [, toby, long] = await seed(
    t.server.db,
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
  )
  Object.assign(t, { toby, long })
})

paper('a poster is one page, whole, however long its words', async (t) => {
  for (const { id } of [t.toby, t.long]) {
    const { page, errors } = await openPage(t, `/perro/${id}/cartel`)
    for (const strips of [false, true]) {
      if (strips) await page.getByLabel('Tiras para arrancar').check()
      for (const format of ['A4', 'Letter'] as const) assert.is(await countSheets(page, format), 1, format)
      for (const [width, height] of [
        [703, 1032],
        [725, 965],
      ] as const) {
        await emulatePrint(page, width, height)
        assert.equal(
          await findOverflowing(page, '.paper', 'img, h2, p, textarea, footer, .strips, .strips li'),
          [],
          `${width} px`,
        )
        assert.equal(await findVisible(page, SCREEN_ONLY), [])
      }
      await page.emulateMedia({ media: null })
      await page.setViewportSize(DESKTOP.viewport)
    }
    // On a phone nothing scrolls sideways; the scrollbar leaves 320 px.
    await page.setViewportSize({ width: 335, height: 640 })
    assert.ok(await fitsWidth(page))
    assert.equal(errors, [])
  }
})

paper('the contact is printed, on every strip too, and asked of nobody', async (t) => {
  const { page, requests } = await openPage(t, `/perro/${t.toby.id}/cartel`)
  await waitUntilQuiet(page, requests)
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData()}`))
  await page.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { printed: true }) }))
  await page.getByRole('button', { name: 'Imprimir', exact: true }).click()
  assert.is(await page.evaluate(() => 'printed' in window), true, '«Imprimir» opens the browser’s dialog')
  await page.getByLabel('Tiras para arrancar').check()
  await page.getByLabel('Contacto').fill('Ana, 600 123 456')
  await page.getByLabel('Visto por última vez').fill('Ayer, en el parque')
  await emulatePrint(page)
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
})

paper('a poster says «Conoce a» instead, without a script too', async (t) => {
  const { page } = await openPage(t, `/perro/${t.toby.id}/cartel`, { javaScriptEnabled: false })
  assert.is(await page.getByText('Visto por última vez').isVisible(), true)
  await page.getByLabel('Conoce a Toby').check()
  await emulatePrint(page)
  assert.is(await page.getByText('Visto por última vez').isVisible(), false)
  assert.is(await page.locator('.headline', { hasText: 'Se busca' }).isVisible(), false)
  assert.is(await page.locator('.headline', { hasText: 'Conoce a' }).isVisible(), true)
  assert.is(await page.getByLabel('Tiras para arrancar').isVisible(), false)
})

paper('a dog’s page is printed as one page without what one presses, and leads to its poster', async (t) => {
  const { page } = await openPage(t, t.toby.path)
  assert.is(await countSheets(page, 'A4'), 1)
  await emulatePrint(page)
  assert.equal(await findVisible(page, [...SCREEN_ONLY, '.round', '.dots']), [])
  assert.is(await page.getByRole('heading', { level: 1 }).isVisible(), true)
  assert.is(await page.locator('.facts').isVisible(), true)
  await page.emulateMedia({ media: null })
  await page.setViewportSize(DESKTOP.viewport)
  await page.getByRole('link', { name: 'Imprimir cartel' }).click()
  await page.waitForURL(`**/perro/${t.toby.id}/cartel`)
  assert.is(await page.locator('h1').textContent(), 'Cartel de Toby')
})

paper('search engines are told to leave a poster alone, and of whom it speaks', async ({ server, toby }) => {
  const html = await (await fetch(`${server.url}/perro/${toby.id}/cartel`)).text()
  assert.match(html, '<meta name="robots" content="noindex">')
  assert.match(html, `<link rel="canonical" href="http://perrario.example${toby.path}">`)
})
