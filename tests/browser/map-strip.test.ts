import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, CDPSession, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { DESKTOP, PHONE } from '#tests/support/browser.ts'
import { madridSuite, type MadridWorld, visitMadrid, waitForCard } from '#tests/support/map.ts'
import { signedIn, useSession } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'

const COUNT = 60

const strip = madridSuite('map strip', COUNT)

/** A page on the map, and the dogs it asked for. */
async function open(t: MadridWorld, options?: BrowserContextOptions, expected: RegExp | null = null, view?: string) {
  const asked: URL[] = []
  const hear = (url: URL) => {
    if (url.pathname === '/api/map/dogs') asked.push(url)
  }
  return { ...(await visitMadrid(t, hear, options, expected, view)), asked }
}

const title = (page: Page) => page.locator('.strip h2')
const grip = (page: Page) => page.getByRole('separator', { name: 'Altura del panel' })
const height = (page: Page) => page.locator('.strip').evaluate((strip) => strip.getBoundingClientRect().height)
const waitForHeight = (page: Page, wanted: number) =>
  page.waitForFunction((px) => document.querySelector('.strip')!.getBoundingClientRect().height === px, wanted)
/** The names of the cards that are wholly seen. */
const seen = (page: Page) =>
  page.locator('.strip-card').evaluateAll((cards) =>
    cards
      .filter((card) => {
        const { left, right } = card.getBoundingClientRect()
        const room = document.querySelector('.strip-room')!.getBoundingClientRect()
        return left >= room.left - 1 && right <= room.right + 1
      })
      .map((card) => card.querySelector('h3 a')!.textContent),
  )
const next = (page: Page) => page.getByRole('button', { name: 'Perro siguiente' })

/** A finger's way over the screen. */
async function finger(page: Page, from: [number, number], to: [number, number]) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await touch('touchStart', [{ x: from[0], y: from[1] }])
  for (let step = 1; step <= 10; step++) {
    const at = (i: 0 | 1) => from[i] + ((to[i] - from[i]) * step) / 10
    await touch('touchMove', [{ x: at(0), y: at(1) }])
  }
  await touch('touchEnd', [])
  await session.detach()
}

// --- height ---

strip('a drag of its grip makes it from 200 to 500 pixels high, and the session remembers', async (t) => {
  const { page } = await open(t)
  assert.is(await height(page), 280)
  const box = (await grip(page).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + 12]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - 133, { steps: 4 })
  await waitForHeight(page, 413)
  assert.is(await grip(page).getAttribute('aria-valuenow'), '413')
  await page.mouse.move(x, 5, { steps: 4 })
  await waitForHeight(page, 500)
  await page.mouse.move(x, 890, { steps: 4 })
  await waitForHeight(page, 200)
  await page.mouse.move(x, y - 50, { steps: 4 })
  await page.mouse.up()
  await waitForHeight(page, 330)
  // Let go is let go.
  await page.mouse.move(x, y - 150)
  await page.reload()
  await waitForHeight(page, 330)
})

strip('the chevron unfolds it to 450 and back to 280; cards grow with it', async (t) => {
  const { page } = await open(t)
  const photo = () =>
    page
      .locator('.strip-card .pic')
      .first()
      .evaluate((image) => image.getBoundingClientRect().height)
  const small = await photo()
  await page.getByRole('button', { name: 'Ampliar', exact: true }).click()
  await waitForHeight(page, 450)
  await page.locator('.strip-card.tall').first().waitFor()
  assert.ok((await photo()) > small * 1.3)
  const fold = page.getByRole('button', { name: 'Reducir' })
  assert.is(await fold.getAttribute('aria-expanded'), 'true')
  await fold.click()
  await waitForHeight(page, 280)
})

strip('keys resize it as they do a splitter', async (t) => {
  const { page } = await open(t)
  await grip(page).focus()
  assert.equal(
    [await grip(page).getAttribute('aria-valuemin'), await grip(page).getAttribute('aria-valuemax')],
    ['200', '500'],
  )
  for (const [key, px] of [
    ['ArrowUp', 300],
    ['End', 500],
    ['ArrowUp', 500],
    ['Home', 200],
    ['Enter', 450],
  ] as const) {
    await page.keyboard.press(key)
    await waitForHeight(page, px)
  }
})

strip('a finger drags it and the page stays; the map is never covered whole', async (t) => {
  const { page } = await open(t, PHONE)
  const box = (await grip(page).boundingBox())!
  await finger(page, [195, box.y + 12], [195, 60])
  await waitForHeight(page, 500)
  assert.is(await page.evaluate(() => scrollY), 0)
  // A phone on its side: cards or at least the count, and map above.
  await page.setViewportSize({ width: 844, height: 390 })
  await page.waitForFunction(() => {
    const strip = document.querySelector('.strip')!.getBoundingClientRect()
    const frame = document.querySelector('.map-frame')!.getBoundingClientRect()
    return strip.height > 100 && strip.top - frame.top >= Math.min(80, frame.height * 0.45) - 1
  })
  // A small one, upright: something of what is above stays, and a map that is covered still knows who stands on it.
  await page.setViewportSize({ width: 320, height: 568 })
  await page.waitForFunction(() => {
    const strip = document.querySelector('.strip')!.getBoundingClientRect()
    const screen = document.querySelector('.map-screen')!.getBoundingClientRect()
    const box = document.querySelector('.map-box')!.getBoundingClientRect()
    return strip.height > 300 && strip.top - screen.top >= 35 && box.height >= 80
  })
})

strip(
  'a phone with its browser’s bars opens it to 450 and 500, over the filters, which a key finds in sight',
  async (t) => {
    const { page } = await open(t, { ...PHONE, viewport: { width: 390, height: 664 } })
    assert.is(await height(page), 280)
    await page.getByRole('button', { name: 'Ampliar', exact: true }).click()
    await waitForHeight(page, 450)
    const box = (await grip(page).boundingBox())!
    await finger(page, [195, box.y + 12], [195, 20])
    await waitForHeight(page, 500)
    await finger(page, [195, (await grip(page).boundingBox())!.y + 12], [195, 660])
    await waitForHeight(page, 200)
    await grip(page).focus()
    await page.keyboard.press('End')
    await waitForHeight(page, 500)
    await page.locator('.strip-card').first().waitFor()
    const filters = () => page.locator('.map-head').evaluate((head) => head.getBoundingClientRect().bottom)
    const top = () => page.locator('.strip').evaluate((each) => each.getBoundingClientRect().top)
    assert.ok((await top()) < (await filters()))
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Shift+Tab')
      if (await page.evaluate(() => document.activeElement!.closest('.map-head'))) break
    }
    await page.waitForFunction(() => {
      const [head, each] = ['.map-head', '.strip'].map((name) => document.querySelector(name)!.getBoundingClientRect())
      return each!.top >= head!.bottom
    })
  },
)

strip('the sort buttons order it, and its marks and counter stay', async (t) => {
  await withDatabase(t.server, async (db) => {
    for (const [name, votes, weight] of [
      ['Perro 7', 9, 4],
      ['Perro 50', 8, null],
      ['Perro 31', 7, 60],
    ] as const)
      await db
        .updateTable('dogs')
        .set({ votes, weight, updated_at: Date.now() })
        .where('id', '=', t.dogs.get(name)!.id)
        .execute()
  })
  const { page, asked } = await open(t)
  const sort = (name: string) => page.locator('.sorts').getByRole('link', { name }).click()
  const first = (...names: string[]) =>
    page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('.strip-card h3 a')]
          .slice(0, wanted.length)
          .map((a) => a.textContent)
          .join() === wanted.join(),
      names,
    )
  await next(page).click()
  await sort('+ Likes')
  await first('Perro 7', 'Perro 50', 'Perro 31')
  assert.is(asked.at(-1)!.searchParams.get('sort'), 'votes-desc')
  assert.is(new URL(page.url()).searchParams.get('sort'), 'votes-desc')
  assert.is(await title(page).innerText(), '60 perros en esta zona')
  assert.match((await page.locator('.stats').innerText()).replace(/\s+/g, ' '), /likes máx\./)
  // It goes on in that order, each dog once.
  for (let i = 0; i < 30; i++) await next(page).click()
  await page.locator('.strip li[aria-posinset="30"]').waitFor()
  assert.ok(asked.some((url) => url.searchParams.has('cursor') && url.searchParams.get('sort') === 'votes-desc'))
  await sort('Peso')
  await first('Perro 31', 'Perro 7')
  // By weight only dogs that have one (spec.md §4); the map goes on showing all.
  assert.is(await title(page).innerText(), '2 perros en esta zona')
  assert.match(await page.locator('.map-count').innerText(), /^60\s+perros visibles$/)
  await sort('Peso')
  await first('Perro 7', 'Perro 31')
  await page.reload()
  await first('Perro 7', 'Perro 31')
  await sort('Nuevos')
  await first('Perro 0', 'Perro 1')
  assert.is(new URL(page.url()).searchParams.get('sort'), null)
})

// --- the cards ---

strip('one page at a time, each dog once, and never all of them in the document', async (t) => {
  const { page, asked } = await open(t)
  assert.is(await title(page).innerText(), '60 perros en esta zona')
  assert.equal((await seen(page)).slice(0, 2), ['Perro 0', 'Perro 1'])
  assert.is(asked.length, 1)
  const names = new Set<string>()
  for (let i = 0; i < COUNT; i++) {
    await next(page).click()
    await waitForCard(page, `Perro ${i}`)
    for (const name of await seen(page)) names.add(name!)
    assert.ok((await page.locator('.strip li').count()) <= 14, `slides at ${i}`)
    assert.ok((await seen(page)).includes(`Perro ${i}`), `Perro ${i} is seen`)
  }
  assert.is(names.size, COUNT)
  assert.ok(await next(page).isDisabled())
  assert.is(asked.length, 3)
  assert.equal(
    asked.map((url) => url.searchParams.has('cursor')),
    [false, true, true],
  )
  const last = page.locator('.strip li').last()
  assert.equal([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')], ['60', '60'])
})

strip('Tab reaches card after card; what has the focus is seen and marked on the map', async (t) => {
  const { page } = await open(t)
  await page.locator('.strip-card h3 a').first().focus()
  for (let i = 0; i < 12; i++) {
    await waitForCard(page, `Perro ${i}`)
    assert.ok((await seen(page)).includes(`Perro ${i}`))
    assert.is(await page.evaluate(() => document.activeElement!.textContent), `Perro ${i}`)
    await page.locator('.mark.on').waitFor()
    // Past the heart.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await waitForCard(page, 'Perro 11')
})

strip('a swipe selects the card it comes to rest at', async (t) => {
  const { page } = await open(t, PHONE)
  const { y } = (await page.locator('.strip-room').boundingBox())!
  await finger(page, [320, y + 60], [120, y + 60])
  await waitForCard(page, 'Perro 1')
  await finger(page, [320, y + 60], [120, y + 60])
  await waitForCard(page, 'Perro 2')
  await finger(page, [100, y + 60], [300, y + 60])
  await waitForCard(page, 'Perro 1')
  await page.locator('.mark.on').waitFor()
  assert.ok(page.url().includes('view=map'), 'a swipe is no press')
})

strip('«ver en el mapa» selects, a press opens the dog', async (t) => {
  const { page } = await open(t)
  await page.getByRole('button', { name: 'Ver en el mapa: Madrid' }).nth(1).click()
  await waitForCard(page, 'Perro 1')
  const box = (await page.locator('.strip-card .pic').nth(1).boundingBox())!
  await page.mouse.click(box.x + 40, box.y + 40)
  await page.waitForURL(`**${t.dogs.get('Perro 1')!.path}`)
})

strip('a marker brings its card, loaded or not, and the card stays while the view holds the dog', async (t) => {
  const { page, asked } = await open(t, DESKTOP, null, 'lat=40.4168&lon=-3.7038&zoom=17')
  await page.locator('.mark.pin').first().waitFor()
  // Whom the first page does not hold.
  const { dogs } = await page.evaluate(
    (path) => fetch(path).then((r) => r.json()),
    asked[0]!.pathname + asked[0]!.search,
  )
  const listed = new Set(dogs.map((each: { name: string }) => each.name))
  const labels = await page
    .locator('.mark.pin:not(.pile)[tabindex="0"]')
    .evaluateAll((pins) => pins.map((pin) => pin.ariaLabel!))
  const others = labels.map((label) => label.split(',')[0]!).filter((each) => !listed.has(each))
  // The oldest of them, whom no view of many dogs lists at once, however far its popup moves the map.
  const number = (each: string) => Number(each.split(' ')[1])
  const name = others.toSorted((a, b) => number(b) - number(a))[0]!
  const far = page.getByRole('button', { name: `${name}, Beagle, Madrid` })
  await far.dispatchEvent('click')
  await waitForCard(page, name)
  assert.is((await seen(page))[0], name)
  assert.is(await page.locator('.strip li').first().getAttribute('aria-posinset'), '1')
  // Another view, another list.
  const again = page.waitForResponse('**/api/map/dogs?**')
  await page.getByRole('button', { name: 'Alejar' }).click()
  await again
  await page.locator('.strip ul[aria-busy="false"]').waitFor()
  await waitForCard(page, name)
  // Not page after page in search of it.
  assert.not(asked.some((url) => url.searchParams.has('cursor')))
  await page.getByRole('textbox', { name: 'Buscar dirección' }).fill('Vigo')
  await page.keyboard.press('Enter')
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
  assert.equal(await seen(page), ['Solo'])
})

strip('names of more than 20 characters have two lines, their age its own', async (t) => {
  const rename = (name: string) =>
    withDatabase(t.server, (db) =>
      db
        .updateTable('dogs')
        .set({ name, age: 3, age_unit: 'años' })
        .where('id', '=', t.dogs.get('Perro 0')!.id)
        .execute(),
    )
  const lines = async (page: Page) => {
    const heading = page.locator('.strip-card h3').first()
    return heading.evaluate((h3) => {
      const [name, age] = [h3.querySelector('a')!, h3.querySelector('small')!].map((e) => e.getBoundingClientRect())
      return { isBelow: age!.top >= name!.bottom - 2, isCut: h3.scrollWidth > h3.clientWidth + 1 }
    })
  }
  await rename('Maximiliano de Madrid')
  const long = await open(t, PHONE)
  assert.equal(await lines(long.page), { isBelow: true, isCut: false })
  await rename('Max')
  const short = await open(t, PHONE)
  assert.equal(await lines(short.page), { isBelow: false, isCut: false })
  await rename('Perro 0')
})

strip('a heart of the strip likes, and knows what was liked', async (t) => {
  const ana = await signedIn(t.server, 'ana@ejemplo.es')
  const { page, context } = await open(t)
  await useSession(context, t.server, ana)
  await page.reload()
  const heart = page.getByRole('button', { name: /^Me gusta Perro 2:/ })
  await heart.waitFor()
  assert.is(await heart.getAttribute('aria-pressed'), 'false')
  const liked = page.waitForResponse((response) => response.request().method() === 'PUT')
  await heart.click()
  assert.equal(await (await liked).json(), { liked: true, likes: 1 })
  await page.reload()
  await page.locator('.strip-card [aria-pressed="true"]').waitFor()
  assert.is(await heart.getAttribute('aria-pressed'), 'true')
  assert.is(await page.locator('.strip-card.on').count(), 0)
})

// --- other areas ---

strip('the old cards stay until another area’s come', async (t) => {
  const { page, context } = await open(t)
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await context.route('**/api/map/dogs?**', async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await page.getByRole('textbox', { name: 'Buscar dirección' }).fill('Vigo')
  await page.keyboard.press('Enter')
  await page.locator('.strip ul[aria-busy="true"]').waitFor()
  assert.is((await seen(page))[0], 'Perro 0')
  release()
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
  assert.is(await title(page).innerText(), '1 perro en esta zona')
  assert.equal(await seen(page), ['Solo'])
})

strip('nobody there: a warm word, and the way to add a dog', async (t) => {
  const { page } = await open(t)
  await page.getByRole('textbox', { name: 'Buscar dirección' }).fill('Teruel')
  await page.keyboard.press('Enter')
  await page.locator('.strip-state').waitFor()
  assert.is(await title(page).innerText(), 'Por aquí aún no hay perros')
  assert.ok((await page.locator('.strip-state').innerText()).includes('Mueve el mapa, aléjalo un poco'))
  await page.locator('.strip-state').getByRole('link', { name: 'Añadir perro' }).waitFor()
})

strip('what fails says so and can be tried again, the next page too', async (t) => {
  const { page, context } = await open(t, DESKTOP, /Failed to load resource|503|500/)
  let status = 500
  const detail = 'El mapa no está disponible ahora mismo. Inténtalo dentro de un momento.'
  await context.route('**/api/map/dogs?**', (route) => {
    if (status === 200) return route.continue()
    if (status === 0) return route.abort('internetdisconnected')
    return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, detail }) })
  })
  await page.locator('.strip-card h3 a').first().focus()
  for (let i = 0; i < 24; i++) await next(page).click()
  const more = page.locator('.strip-more')
  await more.getByRole('alert').waitFor()
  assert.is(await more.getByRole('alert').innerText(), 'No se pudieron cargar los perros. Intenta de nuevo más tarde.')
  status = 200
  await more.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.strip-card h3 a', { hasText: 'Perro 24' }).waitFor()
  status = 503
  await page.getByRole('textbox', { name: 'Buscar dirección' }).fill('Vigo')
  await page.keyboard.press('Enter')
  const state = page.locator('.strip-state[role="alert"]')
  await state.waitFor()
  assert.ok((await state.innerText()).startsWith('El mapa no está disponible ahora mismo.'))
  status = 0
  await state.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.strip-state', { hasText: 'Error de red al cargar los perros.' }).waitFor()
  status = 200
  await state.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
})

strip('filters are its own, too', async (t) => {
  const { page, asked } = await open(t, DESKTOP, null, 'lat=40.4&lon=-5&zoom=6&breed=dalmata')
  assert.equal(await seen(page), ['Solo'])
  assert.is(asked[0]!.searchParams.get('breed'), 'dalmata')
})

strip('axe finds nothing to say', async (t) => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const device of [PHONE, DESKTOP]) {
      const { page } = await open(t, { ...device, colorScheme })
      await page.getByRole('button', { name: 'Ampliar', exact: true }).click()
      await page.locator('.strip-card.tall').first().waitFor()
      // The map gives way to it, and cards of the view before are pale until the new ones come.
      await page.waitForTimeout(700)
      await page.locator('.strip ul[aria-busy="false"]').waitFor()
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.strip li')].every((card) => getComputedStyle(card).opacity === '1'),
      )
      const { violations } = await new AxeBuilder({ page }).include('.strip').analyze()
      assert.equal(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      )
    }
})

strip.run()
