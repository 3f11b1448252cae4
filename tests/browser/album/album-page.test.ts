import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { MIN_LETTERS_PER_LINE, findBrokenWords } from '#tests/support/browser/layout-checks.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { readLayoutShift, waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const album = suite<{ server: TestServer; browser: Browser }>('album')

album.before(async (t) => {
  t.server = await startServer({ ADMIN_EMAIL: 'admin@ejemplo.es' })
  t.browser = await launchBrowser()
  await withDatabase(t.server, (db) =>
    seed(
      db,
      member(),
      ...Array.from({ length: 10 }, (_, i) => dog({ breed: 'Beagle', created_at: i + 1, name: `Toby ${i}` })),
      dog({ breed: 'Akita Inu' }),
    ),
  )
})
album.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

/** A visitor's page; rendered photos are rows without files here, so only other errors count. */
async function open(t: { server: TestServer; browser: Browser }, path: string, options = {}) {
  const context = await openContext(t.browser, options)
  const page = await context.newPage()
  const errors = watchErrors(page)
  const requests = watchRequests(page)
  await page.goto(t.server.url + path)
  return { context, page, requests, errors: () => errors.filter((text) => !text.includes('Failed to load resource')) }
}

album('search narrows in place while typing, keeps the focus and the address', async (t) => {
  const { context, page, errors } = await open(t, '/razas')
  await page.locator('#album-q').pressSequentially('pastor aleman')
  await page.locator('.found', { hasText: '1 raza encontrada' }).waitFor()
  assert.is(await page.locator('#album-q').evaluate((input) => document.activeElement === input), true)
  assert.match(page.url(), /\/razas\?.*buscar=pastor/)
  await page.locator('#album-order a', { hasText: 'Estado' }).click()
  await page.waitForURL(/orden=estado/)
  assert.match(page.url(), /buscar=pastor/)
  await page.reload()
  assert.is(await page.locator('#album-q').inputValue(), 'pastor aleman')
  await page.locator('#album-q').fill('zzzz')
  await page.getByText('No se encontró ninguna raza').waitFor()
  assert.equal(errors(), [])
  await context.close()
})

album('mode, view, letters and pages swap the album and the address; Back returns', async (t) => {
  const { context, page, errors } = await open(t, '/razas')
  await page.evaluate(() => Object.assign(window, { same: true }))
  await page.locator('#album-view a[aria-label=Lista]').click()
  await page.locator('.lst').waitFor()
  assert.match(page.url(), /vista=lista/)
  await page.locator('#album-view a[aria-label="Álbum"]').click()
  await page.locator('.book').waitFor()
  await page.locator('.idx a').last().click()
  await page.waitForURL(/pagina=\d+/)
  await page.locator('.idx a[aria-current]').last().waitFor()
  const last = page.url()
  await page.getByRole('link', { name: 'Página anterior' }).click()
  await page.waitForURL((url) => url.href !== last)
  await page.locator('#album-modes a', { hasText: 'Mis razas' }).click()
  await page.getByText('No has desbloqueado razas aún').waitFor()
  assert.is(await page.evaluate(() => 'same' in window), true, 'the page was loaded anew')
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('modo=mias'))
  await page.getByText('La comunidad crece').waitFor()
  assert.equal(errors(), [])
  await context.close()
})

// Each is 15 px narrower again where the page has a scrollbar.
const PHONE_WIDTHS = [390, 360, 320]

album('every breed’s name breaks at a syllable, if at all, on every phone', async (t) => {
  const { context, page } = await open(t, '/razas', PHONE)
  const last = await page.locator('.turn .num').textContent()
  const faults: string[] = []
  let names = 0
  for (let n = 1; n <= Number(/\d+$/.exec(last!.trim())![0]); n++) {
    await page.goto(`${t.server.url}/razas?pagina=${n}`)
    names += await page.locator('.pg .name').count()
    for (const width of PHONE_WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      for (const scrollbar of [0, 15]) {
        await page.evaluate((px) => (document.documentElement.style.paddingRight = `${px}px`), scrollbar)
        const broken = await page.evaluate(findBrokenWords, MIN_LETTERS_PER_LINE)
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll('.pg .name')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => `${textContent.trim()} is wider than its place`),
        )
        for (const fault of [...broken, ...cut]) faults.push(`${fault} at ${width} px`)
      }
    }
  }
  assert.ok(names > 400)
  assert.equal(faults, [])
  await context.close()
})

album('a slot’s name is said once, without soft hyphens, under a heading', async (t) => {
  for (const [search, name] of [
    ['affenpinscher', /^001 Affenpinscher, por descubrir$/],
    ['beagle', /^\d{3} \d+ perros Beagle$/],
  ] as const) {
    const { context, page } = await open(t, `/razas?buscar=${search}`)
    await page.getByRole('heading', { level: 2, name: /encontrada/ }).waitFor()
    const slot = page.locator('.book').getByRole('link', { name })
    await slot.waitFor()
    assert.is(await slot.getAttribute('title'), null)
    await context.close()
  }
})

album('everything works without a script', async (t) => {
  const { context, page } = await open(t, '/razas', { javaScriptEnabled: false })
  await page.locator('#album-q').fill('beagle')
  await page.locator('#album-q').press('Enter')
  await page.waitForURL(/buscar=beagle/)
  assert.is(await page.locator('.found').textContent(), '2 razas encontradas')
  await page.locator('a.mini', { hasText: 'Beagle' }).first().click()
  await page.waitForURL('**/razas/beagle')
  await page.locator('.thumbs label').nth(2).click()
  assert.is(await page.locator('.main figure').nth(2).isVisible(), true)
  assert.is(await page.locator('.main figure').first().isVisible(), false)
  await page.getByRole('link', { name: 'Ver más' }).click()
  await page.waitForURL(/desde=/)
  assert.is(await page.locator('#perros .dog-card').count(), 6)
  await context.close()
})

album('a slot turns its photos under the pointer and by the arrow keys', async (t) => {
  const { context, page } = await open(t, '/razas?buscar=beagle')
  const slot = page.locator('a.mini').first()
  const shown = () => slot.locator('.pic').evaluateAll((pics) => pics.findIndex((pic) => pic.hasAttribute('data-on')))
  assert.is(await shown(), 0)
  const box = (await slot.locator('.shot').boundingBox())!
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2)
  assert.is(await shown(), 2)
  await slot.focus()
  await page.keyboard.press('ArrowLeft')
  assert.is(await shown(), 1)
  await context.close()
})

album('a breed’s notes turn by themselves, stop when asked, and stand still where motion is unwanted', async (t) => {
  const { context, page, errors } = await open(t, '/razas/beagle')
  await page.locator('[data-facts]').scrollIntoViewIfNeeded()
  await page.locator('[data-facts=on]').waitFor()
  const count = page.locator('[data-facts-count]')
  assert.match((await count.textContent())!.trim(), /^1 \/ \d$/)
  await page.getByRole('button', { name: 'Siguiente' }).click()
  await page.waitForFunction(() => document.querySelector('[data-facts-count]')!.textContent!.trim().startsWith('2'))
  await page.getByRole('button', { name: 'Pausar' }).click()
  await page.getByRole('button', { name: 'Reanudar' }).waitFor()
  assert.equal(errors(), [])
  await context.close()

  const still = await open(t, '/razas/beagle', { reducedMotion: 'reduce' })
  // By keyboard: the focus that brings them near stays where it is.
  await still.page.locator('[data-facts] [tabindex="0"]').focus()
  await still.page.getByRole('button', { name: 'Reanudar' }).waitFor()
  assert.is(await still.page.evaluate(() => document.activeElement!.getAttribute('aria-label')), 'Notas')
  await still.context.close()
})

album('a breed’s notes take no more room once they turn, so that nothing below them moves', async (t) => {
  for (const device of [PHONE, DESKTOP]) {
    const { context, page } = await open(t, '/razas/beagle', device)
    const notes = page.locator('[data-facts]')
    const before = (await notes.boundingBox())!.height
    assert.is(await page.getByRole('button', { name: 'Siguiente' }).count(), 0, 'its buttons wait')
    await notes.scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Siguiente' }).waitFor()
    assert.is((await notes.boundingBox())!.height, before)
    await context.close()
  }
})

album('«Ver más» adds the next dogs to the grid', async (t) => {
  const { context, page } = await open(t, '/razas/beagle')
  assert.is(await page.locator('#perros .dog-card').count(), 4)
  await page.getByRole('link', { name: 'Ver más' }).click()
  await page.locator('#perros .dog-card').nth(9).waitFor()
  assert.is(await page.locator('#perros [data-more]').count(), 0)
  assert.match(page.url(), /\/razas\/beagle$/)
  await context.close()
})

album('the admin edits in place, sees mistakes, and takes a save back', async (t) => {
  const context = await openContext(t.browser)
  await useSession(context, t.server, await signInMember(t.server, 'admin@ejemplo.es'))
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(`${t.server.url}/razas/beagle`)
  await page.locator('#editar summary').click()
  await page.getByLabel('Pelaje').fill('')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await page.locator('#e-pelaje', { hasText: 'Describe el pelaje.' }).waitFor()
  await page.getByLabel('Pelaje').fill('corto, brillante')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await page.getByText('Cambios guardados').waitFor()
  await page.locator('.tile', { hasText: 'Corto, brillante' }).waitFor()
  await page.getByRole('button', { name: 'Deshacer el último cambio' }).click()
  await page.getByText('Cambio deshecho').waitFor()
  assert.is(await page.locator('.tile', { hasText: 'Corto, brillante' }).count(), 0)
  assert.equal(
    errors.filter((text) => !text.includes('Failed to load resource')),
    [],
  )
  await context.close()
})

album('«Mi Pokédex de Razas» for a visitor and for a member', async (t) => {
  const { context, page } = await open(t, '/?tab=mine')
  assert.is(await page.locator('h1').textContent(), 'Mi Pokédex de Razas')
  assert.equal(await page.locator('.mine dd').allTextContents(), ['0/434', '0', '—'])
  await context.close()
  const ana = await signInMember(t.server, 'ana@ejemplo.es')
  await withDatabase(t.server, (db) => seed(db, dog({ breed: 'Teckel', owner_id: ana.id })))
  const own = await openContext(t.browser)
  await useSession(own, t.server, ana)
  const hers = await own.newPage()
  await hers.goto(`${t.server.url}/?tab=mine`)
  assert.equal(await hers.locator('.mine dd').allTextContents(), ['1/434', '1', 'Top 10%'])
  await hers.locator('#album-q').fill('teckel')
  await hers.locator('.found', { hasText: '1 raza encontrada' }).waitFor()
  assert.match(hers.url(), /\?tab=mine&buscar=teckel|buscar=teckel&tab=mine/)
  await own.close()
})

album('nothing shifts while the pictures come', async (t) => {
  for (const [path, options] of [
    ['/razas', DESKTOP],
    ['/razas', PHONE],
    ['/razas?vista=lista', PHONE],
    ['/razas/beagle', DESKTOP],
    ['/razas/beagle', PHONE],
  ] as const) {
    const { context, page, requests } = await open(t, path, options)
    await waitUntilQuiet(page, requests)
    const shift = await readLayoutShift(page)
    assert.ok(shift < 0.02, `${path} shifts by ${shift}`)
    await context.close()
  }
})

album('people with assistive technology can use it, in light and dark', async (t) => {
  const { context, page } = await open(t, '/razas', { ...DESKTOP, reducedMotion: 'reduce' })
  for (const path of [
    '/razas',
    '/razas?vista=lista&orden=estado',
    '/razas?modo=mias',
    '/razas/beagle',
    '/razas/unicornio',
    '/?tab=mine',
  ]) {
    if (path !== '/razas') await page.goto(t.server.url + path)
    assert.equal(await axeFaultsInBothThemes(page), [], path)
  }
  await context.close()
})

album('a phone shows no sideways scroll', async (t) => {
  const { context, page } = await open(t, '/razas', { ...PHONE, viewport: { width: 320, height: 700 } })
  for (const path of [
    '/razas',
    '/razas?vista=lista',
    '/razas/beagle',
    '/razas/gran-sabueso-anglofrances-blanco-y-naranja',
    '/?tab=mine',
  ]) {
    if (path !== '/razas') await page.goto(t.server.url + path)
    assert.is(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, path)
  }
  await context.close()
})

album.run()
