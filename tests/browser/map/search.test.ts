import type { BrowserContextOptions, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { MADRID, madridSuite, type MadridWorld, openMap, openMadrid } from '#tests/support/map/madrid-suite.ts'
import { paintTwice } from '#tests/support/browser/requests.ts'

const search = madridSuite('map search', 3)

/** A page on the map, its box, and what was asked of the geocoder. */
async function open(t: MadridWorld, options?: BrowserContextOptions, expected?: RegExp) {
  const asked: string[] = []
  const hear = ({ pathname, searchParams }: URL) => {
    if (pathname === '/api/geocode') asked.push(searchParams.get('q')!)
  }
  const visit = await openMadrid(t, hear, options, expected)
  return { ...visit, asked, box: visit.page.getByRole('textbox', { name: 'Buscar dirección' }) }
}

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

search('a pause in typing searches once, from three letters on, and the map goes there', async (t) => {
  const { page, asked, box } = await open(t)
  await page.clock.install()
  await box.pressSequentially('Vi')
  await page.clock.runFor(1300)
  await paintTwice(page)
  assert.equal(asked, [])
  await box.pressSequentially('go', { delay: 50 })
  await waitForMessage(page, 'Vigo, Pontevedra')
  assert.equal(asked, ['Vigo'])
  await waitUntilAt(page, 42.23, -8.72)
  await page.locator('.strip-card h3 a', { hasText: 'Solo' }).waitFor()
})

search('Enter searches at once; too little is said, not asked', async (t) => {
  const { page, asked, box } = await open(t)
  await page.clock.install()
  await box.fill('  ab ')
  await box.press('Enter')
  await waitForMessage(page, 'Escribe al menos 3 caracteres.')
  assert.equal(asked, [])
  await box.fill('  Santiago   de Compostela ')
  await box.press('Enter')
  await waitForMessage(page, 'Santiago de Compostela')
  // The pause that ran beside it searches no second time.
  await page.clock.runFor(1300)
  await paintTwice(page)
  assert.equal(asked, ['Santiago de Compostela'])
})

search('the same again costs no search, but Enter goes back there', async (t) => {
  const { page, asked, box } = await open(t)
  await box.fill('toledo')
  await box.press('Enter')
  await waitUntilAt(page, 39.86, -4.02)
  await box.fill('lugo')
  await box.press('Enter')
  await waitUntilAt(page, 43.01, -7.56)
  await box.fill('TOLEDO')
  await box.press('Enter')
  await waitUntilAt(page, 39.86, -4.02)
  await waitForMessage(page, /^Toledo$/)
  assert.equal(asked, ['toledo', 'lugo'])
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('geo_zone_cache_v2')!))
  assert.equal(Object.keys(kept), ['toledo', 'Toledo, Toledo', 'lugo', 'Lugo, Lugo'])
  assert.equal(kept.toledo, kept['Toledo, Toledo'])
  // On the next visit, too.
  await page.reload()
  await box.fill('Lugo')
  await waitForMessage(page, /^Lugo$/)
  assert.is(asked.length, 2)
})

search('a zone that the device knows costs no search, nonsense there hurts nobody', async (t) => {
  const { page, asked, box } = await open(t)
  await page.evaluate(() =>
    localStorage.setItem('geo_zone_cache_v2', '{"Cala de Luna":[3.1,39.8],"mal":"x","peor":[1]}'),
  )
  await box.fill('cala de luna')
  await box.press('Enter')
  await waitUntilAt(page, 39.8, 3.1)
  assert.equal(asked, [])
  await page.evaluate(() => localStorage.setItem('geo_zone_cache_v2', '<html>'))
  await box.fill('vigo')
  await box.press('Enter')
  await waitUntilAt(page, 42.23, -8.72)
  assert.equal(asked, ['vigo'])
})

search('what a search says goes as soon as a dog is chosen', async (t) => {
  for (const options of [DESKTOP, { ...PHONE, viewport: { width: 390, height: 844 } }]) {
    const { page, box } = await open(t, options)
    await box.fill('vigo')
    await box.press('Enter')
    await waitForMessage(page, 'Vigo, Pontevedra')
    // It would stay for five seconds by itself.
    await page.locator('.mark.pin[aria-label^="Solo"]').dispatchEvent('click')
    await page.locator('.pop', { hasText: 'Solo' }).waitFor()
    assert.is(await page.locator('.address-message').count(), 0)
    await page.keyboard.press('Escape')
    await page.locator('.pop').waitFor({ state: 'detached' })
    assert.is(await page.locator('.address-message').count(), 0)
  }
})

search('five searches a session; the sixth is told, and a new session begins anew', async (t) => {
  const { page, context, asked, box } = await open(t)
  const towns = ['lugo', 'soria', 'teruel', 'cuenca', 'zzzyyyxxx']
  for (const [index, town] of towns.entries()) {
    await box.fill(town)
    await box.press('Enter')
    await page.waitForFunction((n) => sessionStorage.getItem('perrario:address-searches') === n, String(index + 1))
    if (town !== 'zzzyyyxxx') await waitForMessage(page, town[0]!.toUpperCase() + town.slice(1))
  }
  await waitForMessage(page, 'No encontramos ese lugar. Prueba con el nombre de un municipio o de un barrio.')
  await box.fill('huesca')
  await box.press('Enter')
  await waitForMessage(page, 'Ya has hecho las 5 búsquedas de esta sesión.')
  await page.reload()
  await box.fill('huesca')
  await waitForMessage(page, 'Ya has hecho las 5 búsquedas de esta sesión.')
  assert.equal(asked, towns)
  // What is known is still to be had.
  await box.fill('soria')
  await box.press('Enter')
  await waitForMessage(page, /^Soria$/)
  const other = await context.newPage()
  await openMap(other, t.server)
  await other.getByRole('textbox', { name: 'Buscar dirección' }).fill('huesca')
  await waitForMessage(other, /^Huesca$/)
})

search('what fails says why, is not counted, and can be tried again', async (t) => {
  const { page, context, box } = await open(t, DESKTOP, /Failed to load resource/)
  let status = 429
  await context.route('**/api/geocode?**', (route) =>
    status === 200
      ? route.continue()
      : status === 0
        ? route.abort('internetdisconnected')
        : route.fulfill({ status, contentType: 'application/problem+json', body: '{}' }),
  )
  const tell = async (text: string) => {
    await box.press('Enter')
    await waitForMessage(page, text)
  }
  await box.fill('vigo')
  await tell('Demasiadas búsquedas seguidas. Espera un momento y vuelve a intentarlo.')
  status = 500
  await tell('La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.')
  status = 0
  await tell('No hay conexión. Comprueba tu red y vuelve a intentarlo.')
  status = 200
  await tell('Vigo, Pontevedra')
  assert.is(await page.evaluate(() => sessionStorage.getItem('perrario:address-searches')), '1')
})

search('the counter stays to be read while the box says something', async (t) => {
  for (const device of [PHONE, { viewport: { width: 768, height: 900 } }, DESKTOP]) {
    const { page, box } = await open(t, device)
    for (const text of ['ab', 'zzzyyyxxx', 'vigo']) {
      await box.fill(text)
      await box.press('Enter')
      await page.locator('.address-message:not(.busy)').waitFor()
      const hidden = await page.evaluate(() => {
        const count = document.querySelector('.map-count')!
        const { left, top, width, height } = count.getBoundingClientRect()
        return [0.05, 0.5, 0.95].filter((part) => {
          const there = document.elementFromPoint(left + width * part, top + height / 2)
          return !there || !count.contains(there)
        })
      })
      assert.equal(hidden, [], `«${text}» at ${device.viewport.width} px`)
      assert.match(await page.locator('.map-count').innerText(), /perros? visibles?$/)
    }
    await page.evaluate(() => sessionStorage.removeItem('perrario:address-searches'))
  }
})

search('an older question that is still asked is given up', async (t) => {
  const { page, context, box } = await open(t)
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await context.route('**/api/geocode?q=lugo', async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  const given = page.waitForEvent('requestfailed', (request) => request.url().includes('q=lugo'))
  await box.fill('lugo')
  await box.press('Enter')
  await waitForMessage(page, 'Buscando…')
  await box.fill('vigo')
  await box.press('Enter')
  await given
  release()
  await waitForMessage(page, 'Vigo, Pontevedra')
  await waitUntilAt(page, 42.23, -8.72)
})

search('the cross and Escape empty the box and stop what is under way', async (t) => {
  const { page, asked, box } = await open(t)
  assert.is(await page.getByRole('button', { name: 'Borrar la búsqueda' }).count(), 0)
  await box.fill('vigo')
  await page.getByRole('button', { name: 'Borrar la búsqueda' }).click()
  assert.is(await box.inputValue(), '')
  assert.ok(await box.evaluate((input) => input === document.activeElement))
  await page.clock.install()
  await box.fill('lugo')
  await box.press('Escape')
  assert.is(await box.inputValue(), '')
  await page.clock.runFor(1300)
  await paintTwice(page)
  assert.equal(asked, [])
})

search('what is typed before the script comes is looked for, and Enter leaves the map be', async (t) => {
  const { page, context, asked, box } = await open(t)
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await context.route('**/_astro/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${t.server.url}/?view=map&${MADRID}`, { waitUntil: 'commit' })
  await box.fill('vigo')
  await box.press('Enter')
  assert.ok(page.url().includes('view=map'))
  assert.equal(asked, [])
  release()
  await waitForMessage(page, 'Vigo, Pontevedra')
  assert.is(await box.inputValue(), 'vigo')
  assert.equal(asked, ['vigo'])
})

search('on a phone the keyboard steps back, and axe finds nothing to say', async (t) => {
  const { page, box } = await open(t, PHONE)
  await box.fill('zzzyyyxxx')
  await box.press('Enter')
  await waitForMessage(page, 'No encontramos ese lugar.')
  assert.not(await box.evaluate((input) => input === document.activeElement))
  assert.equal(await axeFaults(page, { within: '.address' }), [])
})

search.run()
