import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { madridSuite, waitForCard } from '#tests/support/map/madrid-suite.ts'
import { dragFinger, nextDog, openStrip, visibleCards, STRIP_DOG_COUNT, stripTitle } from '#tests/support/map/strip.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'

const strip = madridSuite('map strip, its cards', STRIP_DOG_COUNT)

strip('one page at a time, each dog once, and never all of them in the document', async (t) => {
  const { page, asked } = await openStrip(t)
  assert.is(await stripTitle(page).innerText(), '60 perros en esta zona')
  assert.equal((await visibleCards(page)).slice(0, 2), ['Perro 0', 'Perro 1'])
  assert.is(asked.length, 1)
  const names = new Set<string>()
  for (let i = 0; i < STRIP_DOG_COUNT; i++) {
    await nextDog(page).click()
    await waitForCard(page, `Perro ${i}`)
    for (const name of await visibleCards(page)) names.add(name!)
    assert.ok((await page.locator('.strip li').count()) <= 14, `slides at ${i}`)
    assert.ok((await visibleCards(page)).includes(`Perro ${i}`), `Perro ${i} is seen`)
  }
  assert.is(names.size, STRIP_DOG_COUNT)
  assert.ok(await nextDog(page).isDisabled())
  assert.is(asked.length, 3)
  assert.equal(
    asked.map((url) => url.searchParams.has('cursor')),
    [false, true, true],
  )
  const last = page.locator('.strip li').last()
  assert.equal([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')], ['60', '60'])
})

strip('Tab reaches card after card; what has the focus is seen and marked on the map', async (t) => {
  const { page } = await openStrip(t)
  await page.locator('.strip-card h3 a').first().focus()
  for (let i = 0; i < 12; i++) {
    await waitForCard(page, `Perro ${i}`)
    assert.ok((await visibleCards(page)).includes(`Perro ${i}`))
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
  const { page } = await openStrip(t, PHONE)
  const { y } = (await page.locator('.strip-room').boundingBox())!
  await dragFinger(page, [320, y + 60], [120, y + 60])
  await waitForCard(page, 'Perro 1')
  await dragFinger(page, [320, y + 60], [120, y + 60])
  await waitForCard(page, 'Perro 2')
  await dragFinger(page, [100, y + 60], [300, y + 60])
  await waitForCard(page, 'Perro 1')
  await page.locator('.mark.on').waitFor()
  assert.ok(page.url().includes('view=map'), 'a swipe is no press')
})

strip('«ver en el mapa» selects, a press opens the dog', async (t) => {
  const { page } = await openStrip(t)
  await page.getByRole('button', { name: 'Ver en el mapa: Madrid' }).nth(1).click()
  await waitForCard(page, 'Perro 1')
  const box = (await page.locator('.strip-card .pic').nth(1).boundingBox())!
  await page.mouse.click(box.x + 40, box.y + 40)
  await page.waitForURL(`**${t.dogs.get('Perro 1')!.path}`)
})

strip('a marker brings its card, loaded or not, and the card stays while the view holds the dog', async (t) => {
  const { page, asked } = await openStrip(t, DESKTOP, null, 'lat=40.4168&lon=-3.7038&zoom=17')
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
  assert.is((await visibleCards(page))[0], name)
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
  assert.equal(await visibleCards(page), ['Solo'])
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
  const long = await openStrip(t, PHONE)
  assert.equal(await lines(long.page), { isBelow: true, isCut: false })
  await rename('Max')
  const short = await openStrip(t, PHONE)
  assert.equal(await lines(short.page), { isBelow: false, isCut: false })
  await rename('Perro 0')
})

strip('a heart of the strip likes, and knows what was liked', async (t) => {
  const ana = await signInMember(t.server, 'ana@ejemplo.es')
  const { page, context } = await openStrip(t)
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

strip.run()
