import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import {
  readMapQuery,
  waitForCounter,
  mapSuite,
  openMap,
  waitUntilIdle,
  TOLEDO,
  zoomTo,
} from '#tests/support/map/map-suite.ts'

const map = mapSuite('map by keyboard')

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    if (name.test(await focused(page))) return
  }
  assert.unreachable(`Tab does not come to ${name}`)
}

map('the map has a name and says how it is used', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  const box = page.getByRole('region', { name: 'Mapa de perros' })
  const help = await box.evaluate(
    (each) => document.getElementById(each.getAttribute('aria-describedby')!)!.textContent,
  )
  assert.match(help!, /Muévete con las flechas y cambia el zoom con más y menos\./)
  assert.is(await page.locator('.map-count').getAttribute('role'), 'status')
})

map('circle, dog and popup without a pointer', async ({ page }) => {
  await tabTo(page, /^Mapa de perros$/)
  await tabTo(page, /^12 perros, ampliar$/)
  await page.keyboard.press('Enter')
  // The circle is gone: the focus stands on what it became.
  await page.waitForFunction(() =>
    /^Bolo|perros, Toledo/.test(document.activeElement?.getAttribute('aria-label') ?? ''),
  )
  if (!(await focused(page)).startsWith('Bolo')) await tabTo(page, /^Bolo/)
  const dog = await focused(page)
  await page.keyboard.press('Enter')
  const name = dog.split(',')[0]!
  await page.getByRole('dialog', { name, exact: true }).waitFor()
  assert.is(await page.evaluate(() => document.activeElement?.textContent), name)
  await page.keyboard.press('Escape')
  assert.is(await page.locator('.pop').count(), 0)
  assert.is(await focused(page), dog)
})

map('marks beyond the screen are no stops for Tab, and every dog in view is in the strip', async ({ page }) => {
  await zoomTo(page, 14)
  await waitForCounter(page, '12 perros visibles')
  const named = await page
    .locator('.mark.pin[tabindex="0"]')
    .evaluateAll((marks) => marks.reduce((sum, mark) => sum + Number(mark.querySelector('b')?.textContent ?? 1), 0))
  assert.is(named, 12)
  await page.locator('.map-box').focus()
  for (let i = 0; i < 5; i++) await page.keyboard.press('Shift+ArrowRight')
  await waitForCounter(page, '0 perros visibles')
  assert.is(await page.locator('.mark[tabindex="0"]').count(), 0)
  await page.getByRole('heading', { name: 'Por aquí aún no hay perros' }).waitFor()
})

map('arrows move, plus and minus zoom, on the map and on a mark; a popup leads to the dog’s page', async (t) => {
  const { page } = t
  await openMap(t, TOLEDO)
  await page.locator('.map-box').focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL((url) => Number(url.searchParams.get('lon')) > -4)
  await page.keyboard.press('+')
  await page.waitForURL(/zoom=8/)
  await waitUntilIdle(page)
  await page.keyboard.press('Tab')
  assert.match(await focused(page), /ampliar$|Cáceres$/)
  const lat = Number(readMapQuery(page).lat)
  await page.keyboard.press('ArrowUp')
  await page.waitForURL((url) => Number(url.searchParams.get('lat')) > lat)
  await page.keyboard.press('-')
  await page.waitForURL(/zoom=7/)
  await waitUntilIdle(page)
  await page.locator('.map-box').focus()
  await tabTo(page, /^Viento/)
  await page.keyboard.press('Enter')
  await page.locator('.pop a:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/galgo-espanol/viento')
})
