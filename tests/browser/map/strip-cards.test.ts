import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { madridSuite, openMadrid, waitForCard, waitForStrip } from '#tests/support/map/madrid-suite.ts'
import { callsTo, openPhone, waitForCards, waitUntilIdle } from '#tests/support/map/map-suite.ts'
import {
  dragFinger,
  nextDog,
  stepCards,
  STRIP_CALL,
  STRIP_DOG_COUNT,
  stripTitle,
  visibleCards,
} from '#tests/support/map/strip.ts'
import { signInMember, useSession } from '#tests/support/members.ts'

const strip = madridSuite('map strip, its cards', STRIP_DOG_COUNT)

/** The last card that Tab goes to; the arrows go on from there. */
const LAST_BY_TAB = 11

strip('Tab reaches card after card; what has the focus is seen and marked on the map', async (t) => {
  const { page } = t
  await openMadrid(t)
  assert.is(await stripTitle(page).innerText(), '60 perros en esta zona')
  assert.equal((await visibleCards(page)).slice(0, 2), ['Perro 0', 'Perro 1'])
  assert.is(callsTo(t, STRIP_CALL).length, 1)
  await page.locator('.strip-card h3 a').first().focus()
  for (let i = 0; i <= LAST_BY_TAB; i++) {
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
  await waitForCard(page, `Perro ${LAST_BY_TAB}`)
})

strip('one page at a time, each dog once, and never all of them in the document', async (t) => {
  const { page } = t
  for (let i = LAST_BY_TAB + 1; i < STRIP_DOG_COUNT; i++) {
    await stepCards(page, 1)
    const seen = await page.evaluate(() => {
      const room = document.querySelector('.strip-room')!.getBoundingClientRect()
      const card = document.querySelector('.strip-card.on')!
      const { left, right } = card.getBoundingClientRect()
      const isSeen = left >= room.left - 1 && right <= room.right + 1
      return {
        name: card.querySelector('h3 a')!.textContent,
        isSeen,
        slides: document.querySelectorAll('.strip li').length,
      }
    })
    assert.equal([seen.name, seen.isSeen], [`Perro ${i}`, true])
    assert.ok(seen.slides <= 14, `${seen.slides} slides at ${i}`)
  }
  assert.ok(await nextDog(page).isDisabled())
  const asked = callsTo(t, STRIP_CALL)
  assert.equal(
    asked.map((url) => url.searchParams.has('cursor')),
    [false, true, true],
  )
  const last = page.locator('.strip li').last()
  assert.equal([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')], ['60', '60'])
})

strip('a marker brings its card, loaded or not, and the card stays while the view holds the dog', async (t) => {
  const { page } = t
  // So high that all of the dogs are in view, also where a popup moves the map: the first page never lists the older ones.
  await page.setViewportSize({ ...DESKTOP.viewport, height: 1400 })
  await openMadrid(t, 'lat=40.4168&lon=-3.7038&zoom=16')
  await waitForCards(page)
  const asked = callsTo(t, STRIP_CALL).at(-1)!
  t.calls.length = 0
  const namesAt = (path: string): Promise<string[]> =>
    page.evaluate(async (path) => {
      const { dogs, features } = await (await fetch(path)).json()
      return (dogs ?? features).map((each: { name?: string; properties?: { name: string } }) =>
        each.properties ? each.properties.name : each.name,
      )
    }, path)
  // Whom the first page does not hold, though the view does: marks of one cell are spread beyond it.
  const listed = await namesAt(asked.pathname + asked.search)
  const inView = await namesAt(`/api/map?zoom=16&bbox=${asked.searchParams.get('bbox')}`)
  const labels = await page
    .locator('.mark.pin:not(.pile)[tabindex="0"]')
    .evaluateAll((pins) => pins.map((pin) => pin.ariaLabel!))
  const others = labels
    .map((label) => label.split(',')[0]!)
    .filter((each) => inView.includes(each) && !listed.includes(each))
  const number = (each: string) => Number(each.split(' ')[1])
  const name = others.toSorted((a, b) => number(b) - number(a))[0]!
  assert.ok(name, `none of ${labels.join('; ')}`)
  const far = page.getByRole('button', { name: `${name}, Beagle, Madrid` })
  await far.dispatchEvent('click')
  await waitForCard(page, name)
  await waitForCards(page)
  assert.is((await visibleCards(page))[0], name)
  assert.is(await page.locator('.strip li').first().getAttribute('aria-posinset'), '1')
  // Another view, another list.
  await page.getByRole('button', { name: 'Alejar' }).click()
  await page.waitForURL(/zoom=15/)
  await waitForCards(page)
  await waitForCard(page, name)
  // Not page after page in search of it.
  assert.equal(
    callsTo(t, STRIP_CALL).filter((url) => url.searchParams.has('cursor')),
    [],
  )
  await page.getByRole('textbox', { name: 'Buscar dirección' }).fill('Vigo')
  await page.keyboard.press('Enter')
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
  assert.equal(await visibleCards(page), ['Solo'])
  await page.setViewportSize(DESKTOP.viewport)
})

strip('a heart of the strip likes, and knows what was liked', async (t) => {
  const { page } = t
  const ana = await signInMember(t.server, 'ana@ejemplo.es')
  await useSession(t.context, t.server, ana)
  await openMadrid(t)
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

strip('«ver en el mapa» selects, a press opens the dog', async (t) => {
  const { page } = t
  await waitForStrip(page)
  await waitUntilIdle(page)
  await page.getByRole('button', { name: 'Ver en el mapa: Madrid' }).nth(1).click()
  await waitForCard(page, 'Perro 1')
  const box = (await page.locator('.strip-card .pic').nth(1).boundingBox())!
  await page.mouse.click(box.x + 40, box.y + 40)
  await page.waitForURL(`**${t.dogs.get('Perro 1')!.path}`)
})

strip('names of more than 20 characters have two lines, their age its own', async (t) => {
  for (const [name, id] of [
    ['Maximiliano de Madrid', t.dogs.get('Perro 3')!.id],
    ['Max', t.dogs.get('Perro 4')!.id],
  ] as const)
    await t.server.db.updateTable('dogs_all').set({ name, age: 3, age_unit: 'años' }).where('id', '=', id).execute()
  const phone = await openPhone(t)
  await openMadrid(phone)
  const lines = (page: Page, name: string) =>
    page.locator('.strip-card h3', { has: page.getByText(name, { exact: true }) }).evaluate((h3) => {
      const [name, age] = [h3.querySelector('a')!, h3.querySelector('small')!].map((e) => e.getBoundingClientRect())
      return { isBelow: age!.top >= name!.bottom - 2, isCut: h3.scrollWidth > h3.clientWidth + 1 }
    })
  assert.equal(await lines(phone.page, 'Maximiliano de Madrid'), { isBelow: true, isCut: false })
  assert.equal(await lines(phone.page, 'Max'), { isBelow: false, isCut: false })
})

strip('a swipe selects the card it comes to rest at', async (t) => {
  const { page } = await openPhone(t)
  await waitForCards(page)
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
