import type { Browser, BrowserContextOptions } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { MIN_LETTERS_PER_LINE, findBrokenWords } from '#tests/support/browser/layout-checks.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { readLayoutShift, waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const album = browserSuite('album', { ADMIN_EMAIL: 'admin@ejemplo.es' })

album.before(async (t) => {
  await seed(
    t.server.db,
    member(),
    ...Array.from({ length: 10 }, (_, i) => dog({ breed: 'Beagle', created_at: i + 1, name: `Toby ${i}` })),
    dog({ breed: 'Akita Inu' }),
  )
})

/** A visitor's page; rendered photos are rows without files here, so only other errors count. */
async function open(t: { server: TestServer; browser: Browser }, path: string, options: BrowserContextOptions = {}) {
  const taken = await takePage(t.browser, { ...DESKTOP, ...options })
  await taken.page.goto(t.server.url + path)
  return { ...taken, errors: () => taken.errors.filter((text) => !text.includes('Failed to load resource')) }
}

album('the notes of a breed are written on their ruled lines', async (t) => {
  for (const options of [DESKTOP, PHONE]) {
    const { page } = await open(t, '/razas/beagle', options)
    const { below, lines } = await page.locator('.fact').evaluate((note) => {
      const text = note.querySelector('p')!
      const mark = document.createElement('span')
      mark.style.display = 'inline-block'
      text.prepend(mark)
      const baseline = mark.getBoundingClientRect().bottom
      mark.remove()
      const { backgroundPositionY, borderTopWidth } = getComputedStyle(note)
      // A line is the last pixel of each 36.
      const line = note.getBoundingClientRect().top + parseFloat(borderTopWidth) + parseFloat(backgroundPositionY) + 35
      return { below: (((line - baseline) % 36) + 36) % 36, lines: getComputedStyle(text).lineHeight }
    })
    assert.is(lines, '36px')
    assert.ok(below >= 0 && below <= 5, `${below} px below the baseline`)
  }
})

/** A page whose pictures come from the server, as at a first visit, and how far its parts move meanwhile. */
async function openAfresh(t: { server: TestServer; browser: Browser }, path: string, options: BrowserContextOptions) {
  const taken = await takePage(t.browser, options)
  const { context, page } = taken
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const requests = watchRequests(page)
  await page.goto(t.server.url + path)
  await waitUntilQuiet(page, requests)
  const shift = await readLayoutShift(page)
  assert.ok(shift < 0.02, `${path} shifts by ${shift}`)
  await devtools.detach()
  return { ...taken, errors: () => taken.errors.filter((text) => !text.includes('Failed to load resource')) }
}

album('search narrows in place while typing, keeps the focus and the address; pictures shift nothing', async (t) => {
  const { page, errors } = await openAfresh(t, '/razas', DESKTOP)
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
})

album('mode, view, letters and pages swap the album and the address; Back returns; axe finds nothing', async (t) => {
  const { page, errors } = await open(t, '/razas')
  await page.evaluate(() => Object.assign(window, { same: true }))
  await page.locator('#album-view a[aria-label=Lista]').click()
  await page.locator('.lst').waitFor()
  assert.match(page.url(), /vista=lista/)
  await page.locator('#album-order a', { hasText: 'Estado' }).click()
  await page.waitForURL(/orden=estado/)
  assert.equal(await axeFaultsInBothThemes(page), [], 'the list by state')
  await page.locator('#album-order a', { hasText: 'A-Z' }).click()
  await page.waitForURL((url) => !url.search.includes('orden'))
  await page.locator('#album-view a[aria-label="Álbum"]').click()
  await page.locator('.book').waitFor()
  await page.locator('.idx a').last().click()
  await page.waitForURL(/pagina=\d+/)
  await page.locator('.idx a[aria-current]').last().waitFor()
  const last = page.url()
  await page.getByRole('link', { name: 'Página anterior' }).click()
  await page.waitForURL((url) => url.href !== last)
  assert.equal(await axeFaultsInBothThemes(page), [], 'the album')
  await page.locator('#album-modes a', { hasText: 'Mía' }).click()
  await page.getByText('No has desbloqueado razas aún').waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [], 'an empty album')
  assert.is(await page.evaluate(() => 'same' in window), true, 'the page was loaded anew')
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('modo=mias'))
  await page.getByText('La comunidad crece').waitFor()
  assert.equal(errors(), [])
})

// Each is 15 px narrower again where the page has a scrollbar.
const PHONE_WIDTHS = [390, 360, 320]

album('every breed’s name breaks at a syllable, if at all, on every phone', async (t) => {
  const { page } = await openAfresh(t, '/razas', PHONE)
  const names = await page.evaluate(async () => {
    const pages = Number(/\d+$/.exec(document.querySelector('.turn .num')!.textContent!.trim())![0]) / 2
    const book = document.querySelector('.book')!
    for (let n = 2; n <= pages; n++) {
      const html = await (await fetch(`/razas?pagina=${n}`)).text()
      const next = new DOMParser().parseFromString(html, 'text/html').querySelector('.book')!
      // Only names are looked at.
      for (const picture of next.querySelectorAll('img')) picture.removeAttribute('src')
      book.parentElement!.append(document.adoptNode(next))
    }
    return document.querySelectorAll('.pg .name').length
  })
  assert.is(names, 441)
  const faults: string[] = []
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
  assert.equal(faults, [])
})

album('a slot’s name is said once, without soft hyphens, under a heading; its photos turn', async (t) => {
  const { page } = await open(t, '/razas?buscar=affenpinscher')
  for (const [search, name] of [
    ['affenpinscher', /^001 Affenpinscher, por descubrir Hocico chato$/],
    ['beagle', /^\d{3} \d+ perros Beagle$/],
  ] as const) {
    if (!page.url().endsWith(search)) await page.goto(`${t.server.url}/razas?buscar=${search}`)
    await page.getByRole('heading', { level: 2, name: /encontrada/ }).waitFor()
    const slot = page.locator('.book').getByRole('link', { name })
    await slot.waitFor()
    assert.is(await slot.getAttribute('title'), null)
  }
  // By the pointer and by the arrow keys.
  const slot = page.locator('a.mini').first()
  const shown = () => slot.locator('.pic').evaluateAll((pics) => pics.findIndex((pic) => pic.hasAttribute('data-on')))
  assert.is(await shown(), 0)
  const box = (await slot.locator('.shot').boundingBox())!
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2)
  assert.is(await shown(), 2)
  await slot.focus()
  await page.keyboard.press('ArrowLeft')
  assert.is(await shown(), 1)
})

album('everything works without a script', async (t) => {
  const { page } = await open(t, '/razas', { javaScriptEnabled: false })
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
})

album('a breed’s notes take no more room once they turn, turn by themselves, and stop when asked', async (t) => {
  for (const device of [PHONE, DESKTOP]) {
    const { page, errors } = await openAfresh(t, '/razas/beagle', device)
    const notes = page.locator('[data-facts]')
    const before = (await notes.boundingBox())!.height
    assert.is(await page.getByRole('button', { name: 'Siguiente' }).count(), 0, 'its buttons wait')
    await notes.scrollIntoViewIfNeeded()
    await page.locator('[data-facts=on]').waitFor()
    await page.getByRole('button', { name: 'Siguiente' }).waitFor()
    assert.is((await notes.boundingBox())!.height, before)
    if (device === DESKTOP) {
      const count = page.locator('[data-facts-count]')
      const shown = async () => (await count.textContent())!.trim()
      const first = await shown()
      assert.match(first, /^\d \/ \d$/)
      await count.filter({ hasNotText: first }).waitFor()
      // Paused first: otherwise they may turn between the reading and the press.
      await page.getByRole('button', { name: 'Pausar' }).click()
      await page.getByRole('button', { name: 'Reanudar' }).waitFor()
      // While a note slides, Swiper ignores a press.
      await page.waitForFunction(() => {
        const strip = document.querySelector<HTMLElement & { swiper: { animating: boolean } }>('[data-facts] .swiper')!
        return !strip.swiper.animating
      })
      const [index, total] = (await shown()).split(' / ').map(Number) as [number, number]
      await page.getByRole('button', { name: 'Siguiente' }).click()
      await count.filter({ hasText: `${(index % total) + 1} / ${total}` }).waitFor()
      assert.equal(await axeFaultsInBothThemes(page), [])
    }
    assert.equal(errors(), [])
  }
})

album('a breed’s notes stand still where motion is unwanted; «Ver más» adds the next dogs', async (t) => {
  const { page, errors } = await open(t, '/razas/beagle', { reducedMotion: 'reduce' })
  // By keyboard: the focus that brings them near stays where it is.
  await page.locator('[data-facts] [tabindex="0"]').focus()
  await page.getByRole('button', { name: 'Reanudar' }).waitFor()
  assert.is(await page.evaluate(() => document.activeElement!.getAttribute('aria-label')), 'Notas')
  assert.is(await page.locator('#perros .dog-card').count(), 4)
  await page.getByRole('link', { name: 'Ver más' }).click()
  await page.locator('#perros .dog-card').nth(9).waitFor()
  assert.is(await page.locator('#perros [data-more]').count(), 0)
  assert.match(page.url(), /\/razas\/beagle$/)
  assert.equal(errors(), [])
})

album('the admin edits in place, sees mistakes, and takes a save back', async (t) => {
  const { page, errors } = await visit(t, '/razas/beagle', undefined, await signInMember(t.server, 'admin@ejemplo.es'))
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
})

album('«Mi Pokédex de Razas» for a visitor and for a member', async (t) => {
  const { context, page } = await open(t, '/?tab=mine')
  assert.is(await page.locator('h1').textContent(), 'Mi Pokédex de Razas')
  assert.equal(await page.locator('.mine dd').allTextContents(), ['0/441', '0', '—'])
  assert.equal(await axeFaultsInBothThemes(page), [])
  const ana = await signInMember(t.server, 'ana@ejemplo.es')
  await seed(t.server.db, dog({ breed: 'Teckel', owner_id: ana.id }))
  await useSession(context, t.server, ana)
  await page.reload()
  assert.equal(await page.locator('.mine dd').allTextContents(), ['1/441', '1', 'Top 10%'])
  await page.locator('#album-q').fill('teckel')
  await page.locator('.found', { hasText: '1 raza encontrada' }).waitFor()
  assert.match(page.url(), /\?tab=mine&buscar=teckel|buscar=teckel&tab=mine/)
})

album('a phone shows no sideways scroll, be the breed’s name as long as it is', async (t) => {
  const { page } = await openAfresh(t, '/razas?vista=lista', PHONE)
  for (const path of ['', '/gran-sabueso-anglofrances-blanco-y-naranja']) {
    if (path) await page.goto(`${t.server.url}/razas${path}`)
    await page.setViewportSize({ width: 320, height: 700 })
    assert.ok(await fitsWidth(page), path)
  }
})
