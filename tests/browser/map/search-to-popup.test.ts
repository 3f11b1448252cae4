import * as assert from 'uvu/assert'
import { signInMember } from '#tests/support/members.ts'
import { addDog } from '#tests/support/page-cache-suite.ts'
import { waitForCard } from '#tests/support/map/madrid-suite.ts'
import {
  callsTo,
  readMapQuery,
  waitForCards,
  waitForCounter,
  mapSuite,
  markButton,
  openMap,
  PLACED_DOG_COUNT,
  pressPin,
  waitUntilIdle,
  TOLEDO,
  zoomTo,
} from '#tests/support/map/map-suite.ts'

const map = mapSuite('map')

map('circles change colour at 10 and 25 dogs', async (t) => {
  const { page } = t
  await openMap(t)
  await waitForCounter(page, `${PLACED_DOG_COUNT} perros visibles`)
  assert.match((await markButton(page, '12 perros, ampliar').getAttribute('class'))!, /step-2/)
  assert.match((await markButton(page, '30 perros, ampliar').getAttribute('class'))!, /step-3/)
  // A dog that stands alone is a photo at any zoom.
  assert.match((await markButton(page, 'Viento, Galgo español, Cáceres').getAttribute('class'))!, /pin/)
})

map('a town is searched, its circle opened, and a dog’s popup leads to the dog', async ({ page }) => {
  await page.getByLabel('Buscar dirección').fill('Toledo')
  await page.waitForURL(/zoom=14/)
  await waitForCounter(page, '12 perros visibles')
  assert.is(await page.locator('.mark.cluster').count(), 0)
  for (const zoom of [13, 12, 11, 10]) {
    await page.getByRole('button', { name: 'Alejar' }).click()
    await page.waitForURL(new RegExp(`zoom=${zoom}`))
  }
  await waitUntilIdle(page)
  const circle = markButton(page, '12 perros, ampliar')
  assert.is(await circle.innerText(), '12')
  await circle.click()
  await page.waitForURL(/zoom=16/)
  await waitForCounter(page, '12 perros visibles')
  await zoomTo(page, 17)
  const name = await pressPin(page)
  const popup = page.getByRole('dialog', { name, exact: true })
  assert.match(await popup.innerText(), new RegExp(`${name}\\s+Beagle\\s+Toledo`))
  await popup.getByRole('link', { name }).click()
  await page.waitForURL(`**/beagle/${name.toLowerCase().replace(' ', '-')}`)
})

map('map and strip are in step', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  await page.getByRole('heading', { name: '13 perros en esta zona' }).waitFor()
  await markButton(page, '12 perros, ampliar').click()
  await page.getByRole('heading', { name: '12 perros en esta zona' }).waitFor()
  await zoomTo(page, 17)
  const name = await pressPin(page)
  const mark = markButton(page, `${name}, Beagle, Toledo`)
  await waitForCard(page, name)
  assert.is(await mark.getAttribute('aria-current'), 'true')
  // The popup may have moved the map, and with it the list.
  await waitForCards(page)
  const step = name === (await page.locator('.strip-card h3 a').first().innerText()) ? 'siguiente' : 'anterior'
  await page.getByRole('button', { name: `Perro ${step}` }).click()
  await page.waitForFunction((was) => document.querySelector('.strip-card.on h3 a')?.textContent !== was, name)
  const chosen = await page.locator('.strip-card.on').getByRole('heading').getByRole('link').innerText()
  const ringed = (await page.locator('.mark.on').getAttribute('aria-label'))!
  assert.ok(ringed === `${chosen}, Beagle, Toledo` || /^\d+ perros, Toledo, ver la lista$/.test(ringed), ringed)
  assert.is(await mark.getAttribute('aria-current'), null)
})

map('the popup closes by its button, by the map and by another dog', async ({ page }) => {
  const popups = page.locator('.pop')
  await pressPin(page)
  await popups.getByRole('button', { name: 'Cerrar' }).click()
  assert.is(await popups.count(), 0)
  await pressPin(page)
  await popups.waitFor()
  await page.locator('.map-box').click({ position: { x: 40, y: 380 } })
  assert.is(await popups.count(), 0)
})

map('a small move keeps the marks and asks nothing, a long one asks once', async (t) => {
  const { page } = t
  await zoomTo(page, 15)
  await page.waitForSelector('.mark.pin')
  t.calls.length = 0
  const asked = () => callsTo(t, '/api/map').length
  await page.evaluate(() =>
    document.querySelectorAll('.mark').forEach((each) => void Object.assign(each, { isKept: true })),
  )
  const before = page.url()
  await page.locator('.map-box').focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction((url) => location.href !== url, before)
  assert.is(asked(), 0)
  const here = page.url()
  for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+ArrowRight')
  await page.waitForFunction((url) => location.href !== url, here)
  await waitUntilIdle(page)
  assert.is(asked(), 1)
  assert.is(await page.evaluate(() => [...document.querySelectorAll('.mark')].every((each) => 'isKept' in each)), true)
})

map('map and strip count as busy from a move on, not first when they ask for its dogs', async ({ page }) => {
  await waitForCards(page)
  await page.evaluate(() => {
    const events: string[] = []
    Object.assign(window, { events })
    const watch = (selector: string, name: 'busy' | 'state') => {
      const element = document.querySelector<HTMLElement>(selector)!
      new MutationObserver(() => events.push(`${name} ${element.dataset[name]}`)).observe(element, {
        attributeFilter: [`data-${name}`],
      })
    }
    watch('.map-frame', 'busy')
    watch('.strip', 'state')
    const { fetch } = window
    window.fetch = (address, init) => {
      events.push(`asks ${String(address).split('?')[0]}`)
      return fetch(address, init)
    }
  })
  await page.locator('.map-box').press('-')
  await page.waitForURL(/zoom=14/)
  await waitForCards(page)
  const events = await page.evaluate(() => (window as unknown as { events: string[] }).events)
  const isBefore = (first: string, second: string) =>
    assert.ok(events.includes(first) && events.indexOf(first) < events.indexOf(second), events.join(', '))
  isBefore('busy true', 'asks /api/map')
  isBefore('asks /api/map', 'busy false')
  isBefore('state loading', 'asks /api/map/dogs')
  isBefore('asks /api/map/dogs', 'state loaded')
})

map('a dog that is added comes onto the map', async ({ page }) => {
  const zoom = readMapQuery(page).zoom
  const asked = page.waitForRequest((request) => request.url().includes('/api/map?'))
  await page.evaluate(() => dispatchEvent(new Event('perrario:dog-saved')))
  await asked
  assert.is(readMapQuery(page).zoom, zoom)
})

map('a visitor’s open map counts a dog that somebody adds', async ({ server, context }) => {
  const page = await context.newPage()
  await page.clock.install()
  await openMap({ page, server }, TOLEDO)
  const count = () => page.locator('.map-count').innerText()
  const before = parseInt(await count(), 10)
  const { cookie } = await signInMember(server)
  await addDog(server, cookie, { name: 'Nuevo', zone: 'Toledo' })
  await page.clock.runFor(25_000)
  await page.locator('.map-count', { hasText: new RegExp(`^\\s*${before + 1} `) }).waitFor()
  await page.close()
})
