import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import {
  callsTo,
  dogId,
  mapSuite,
  openMap,
  openPhone,
  waitForCards,
  waitUntilAtRest,
} from '#tests/support/map/map-suite.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const SHOWN = { shown_lat: 39.8721, shown_lon: -4.0301 }
const TOLEDO = 'lat=39.865&lon=-4.025&zoom=14'

const map = mapSuite('lost dogs on the map', {
  seedDogs: async (db) => {
    const [, toby, luna] = await seed(
      db,
      member({ alias: 'Ana' }),
      dog({ id: dogId(1), name: 'Toby', zone: 'Toledo' }),
      dog({ id: dogId(2), name: 'Luna', zone: 'Toledo' }),
    )
    await insertLostCase(db, toby, { ...SHOWN, zone: 'Toledo', province: '45', since: Date.now() - 3 * 3_600_000 })
    return new Map([
      ['Toby', toby],
      ['Luna', luna],
    ])
  },
})

const NAME = 'Se busca: Toby, Beagle, Toledo, se perdió hace 3 horas'

map('a lost dog is a red mark in a circle, which the keyboard reaches and opens', async (t) => {
  const { page, dogs } = t
  await openMap(t, TOLEDO)
  const mark = page.getByRole('button', { name: NAME })
  await mark.waitFor()
  assert.is(await page.locator('path.lost-area').count(), 1)
  await waitUntilAtRest(page)
  await mark.focus()
  await page.keyboard.press('Enter')
  const popup = page.getByRole('dialog', { name: 'Toby' })
  await popup.getByText('Se busca: se perdió hace 3 horas').waitFor()
  assert.is(await popup.getByRole('link').getAttribute('href'), dogs.get('Toby')!.path)
  assert.ok(await popup.getByRole('link').evaluate((link) => link === document.activeElement))
  await page.keyboard.press('Escape')
  await popup.waitFor({ state: 'detached' })
  assert.ok(await mark.evaluate((button) => button === document.activeElement))
})

map('its switch takes the layer off the map and puts it back', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  const mark = page.getByRole('button', { name: NAME })
  await mark.waitFor()
  const toggle = page.getByRole('button', { name: 'Perdidos', exact: true })
  assert.is(await toggle.getAttribute('aria-pressed'), 'true')
  await toggle.click()
  await mark.waitFor({ state: 'detached' })
  assert.equal([await toggle.getAttribute('aria-pressed'), await page.locator('path.lost-area').count()], ['false', 0])
  await toggle.click()
  await mark.waitFor()
})

map('no card says that there are no dogs while a lost one is marked', async (t) => {
  const { page } = t
  const nothing = { type: 'FeatureCollection', features: [], visible: 0, total: 0 }
  await page.route(/\/api\/map\?/, (route) => route.fulfill({ json: nothing }))
  await page.goto(`${t.server.url}/perros?view=map&${TOLEDO}`)
  await page.getByText('0 perros visibles').waitFor()
  await page.getByRole('button', { name: NAME }).waitFor()
  assert.is(await page.locator('.map-panel').count(), 0)
})

map('a small pan asks for nothing anew', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  await page.getByRole('button', { name: NAME }).waitFor()
  const before = callsTo(t, '/api/map/lost').length
  await page.locator('.map-box').focus()
  await page.keyboard.press('ArrowRight')
  await waitUntilAtRest(page)
  await page.waitForTimeout(400)
  assert.is(callsTo(t, '/api/map/lost').length, before)
})

map('passes axe with its popup open, on a desktop and on a phone', async (t) => {
  for (const visit of [t, await openPhone(t)]) {
    const { page } = visit
    await openMap(visit, TOLEDO)
    await page.getByRole('button', { name: NAME }).waitFor()
    await waitForCards(page)
    await page.getByRole('button', { name: NAME }).dispatchEvent('click')
    await page.getByRole('dialog', { name: 'Toby' }).waitFor()
    await waitUntilAtRest(page)
    assert.equal(await axeFaultsInBothThemes(page), [], String(page.viewportSize()?.width))
  }
})
