import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { MADRID, madridSuite, openMadrid } from '#tests/support/map/madrid-suite.ts'
import { callsTo, type MapVisit, openPhone, waitForCards } from '#tests/support/map/map-suite.ts'

// The box and the map under it. When it searches and what it says: tests/unit/map/search-runner.
const search = madridSuite('map search', 3)

const box = (page: Page) => page.getByRole('textbox', { name: 'Buscar dirección' })
/** What was asked of the geocoder in this visit. */
const asked = (visit: MapVisit) => callsTo(visit, '/api/geocode').map(({ searchParams }) => searchParams.get('q'))
const waitForMessage = (page: Page, text: string | RegExp) =>
  page.locator('.address [role="status"] p', { hasText: text }).waitFor()
/** The map has come to where it was sent: the address says so. */
const waitUntilAt = (page: Page, lat: number, lon: number) =>
  page.waitForFunction(
    ([wantedLat, wantedLon]) => {
      const at = (name: string) => Number(new URL(location.href).searchParams.get(name))
      return Math.abs(at('lat') - wantedLat!) < 0.1 && Math.abs(at('lon') - wantedLon!) < 0.1 && at('zoom') === 14
    },
    [lat, lon],
  )
async function enter(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}

/** Presses «Solo» in Vigo, and closes its popup again. */
async function visitSolo(page: Page): Promise<void> {
  await page.locator('.mark.pin[aria-label^="Solo"]').dispatchEvent('click')
  await page.locator('.pop', { hasText: 'Solo' }).waitFor()
  assert.is(await page.locator('.address-message').count(), 0)
  await page.keyboard.press('Escape')
  await page.locator('.pop').waitFor({ state: 'detached' })
  assert.is(await page.locator('.address-message').count(), 0)
}

search('a pause in typing searches, the map goes there, and a chosen dog takes the message away', async (t) => {
  const { page } = t
  await openMadrid(t)
  await box(page).fill('Vigo')
  await waitForMessage(page, 'Vigo, Pontevedra')
  assert.equal(asked(t), ['Vigo'])
  await waitUntilAt(page, 42.23, -8.72)
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
  await enter(page, 'VIGO')
  await waitForMessage(page, 'Vigo, Pontevedra')
  // It would stay for five seconds by itself.
  await visitSolo(page)
})

search('the cross and Escape empty the box and stop what is under way', async (t) => {
  const { page } = t
  await box(page).fill('teruel')
  await page.getByRole('button', { name: 'Borrar la búsqueda' }).click()
  assert.is(await box(page).inputValue(), '')
  assert.is(await page.getByRole('button', { name: 'Borrar la búsqueda' }).count(), 0)
  assert.ok(await box(page).evaluate((input) => input === document.activeElement))
  await box(page).fill('soria')
  await box(page).press('Escape')
  assert.is(await box(page).inputValue(), '')
  // The pause of a later text ends after theirs would have.
  await box(page).fill('lugo')
  await waitForMessage(page, /^Lugo$/)
  assert.equal(asked(t), ['Vigo', 'lugo'])
})

search('an older question that is still asked is given up; what fails says why', async (t) => {
  const { page } = t
  t.expectedErrors = /Failed to load resource/
  await page.route('**/api/geocode?q=teruel', () => new Promise(() => {}))
  await page.route('**/api/geocode?q=soria', (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body: '{}' }),
  )
  const given = page.waitForEvent('requestfailed', (request) => request.url().includes('q=teruel'))
  await enter(page, 'teruel')
  await waitForMessage(page, 'Buscando…')
  await enter(page, 'soria')
  await given
  await waitForMessage(page, 'Demasiadas búsquedas seguidas. Espera un momento y vuelve a intentarlo.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await box(page).press('Enter')
  await waitForMessage(page, /^Soria$/)
  await waitUntilAt(page, 41.76, -2.46)
})

search('the count and the places of a visit hold on its next page', async (t) => {
  const { page } = t
  await page.evaluate(() => sessionStorage.setItem('perrario:address-searches', '5'))
  await page.reload()
  const before = asked(t).length
  await box(page).fill('huesca')
  await waitForMessage(page, 'Ya has hecho las 5 búsquedas de esta sesión.')
  // What is known is still to be had.
  await box(page).fill('Vigo')
  await waitForMessage(page, 'Vigo, Pontevedra')
  await waitUntilAt(page, 42.23, -8.72)
  assert.is(asked(t).length, before)
})

search('what is typed before the script comes is looked for, and Enter leaves the map be', async (t) => {
  const { page } = t
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.evaluate(() => {
    sessionStorage.clear()
    localStorage.clear()
  })
  await page.route('**/_astro/*.js', async (route) => {
    await held
    await route.continue()
  })
  t.calls.length = 0
  await page.goto(`${t.server.url}/?view=map&${MADRID}`, { waitUntil: 'commit' })
  await enter(page, 'vigo')
  assert.ok(page.url().includes('view=map'))
  assert.equal(asked(t), [])
  release()
  await waitForMessage(page, 'Vigo, Pontevedra')
  assert.is(await box(page).inputValue(), 'vigo')
  assert.equal(asked(t), ['vigo'])
})

search('the counter stays to be read while the box says something, on a phone as on a desktop', async (t) => {
  const phone = await openPhone(t)
  const { page } = phone
  await openMadrid(phone)
  for (const text of ['ab', 'zzzyyyxxx', 'vigo'])
    for (const [width, height] of [
      [390, 844],
      [768, 900],
      [1320, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      // What is found is named for five seconds from each Enter; what was not found, until something else is typed.
      if (width === 390 || text === 'vigo') await enter(page, text)
      await page.locator('.address-message:not(.busy)').waitFor()
      const hidden = await page.evaluate(() => {
        const count = document.querySelector('.map-count')!
        const { left, top, width, height } = count.getBoundingClientRect()
        return [0.05, 0.5, 0.95].filter((part) => {
          const there = document.elementFromPoint(left + width * part, top + height / 2)
          return !there || !count.contains(there)
        })
      })
      assert.equal(hidden, [], `«${text}» at ${width} px`)
      assert.match(await page.locator('.map-count').innerText(), /perros? visibles?$/)
    }
  assert.equal(asked(phone), ['zzzyyyxxx', 'vigo'])
})

search(
  'on a phone the keyboard steps back, a chosen dog takes the message away, and axe finds nothing to say',
  async (t) => {
    const { page } = await openPhone(t)
    await page.setViewportSize({ width: 390, height: 844 })
    await enter(page, 'zzz')
    await waitForMessage(page, 'No encontramos ese lugar.')
    assert.not(await box(page).evaluate((input) => input === document.activeElement))
    assert.equal(await axeFaults(page, { within: '.address' }), [])
    await enter(page, 'vigo')
    await waitForMessage(page, 'Vigo, Pontevedra')
    await waitForCards(page)
    await enter(page, 'vigo')
    await waitForMessage(page, 'Vigo, Pontevedra')
    await visitSolo(page)
  },
)
