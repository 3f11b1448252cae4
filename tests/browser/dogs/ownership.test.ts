import type { Browser, BrowserContextOptions, Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Luis discovered the dogs; Ana says that they are hers.
const ownership = browserSuite('ownership')
let server: TestServer
let browser: Browser
let ana: TestMember
let luis: TestMember

ownership.before(async (t) => {
  ;({ server, browser } = t)
  ana = await signInMember(server, 'ana@ejemplo.es')
  luis = await signInMember(server, 'luis@ejemplo.es')
})

// No photos: the rows have no files.
const discovered = async (name: string) => (await seed(server.db, dog({ name, photos: 0, discoverer_id: luis.id })))[0]

const at = (dog: Dog, who: TestMember, options?: BrowserContextOptions) =>
  visit({ server, browser }, dog.path, options, who)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** On the narrowest phone. */
async function assertAccessible(page: Page) {
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 640 })
  assert.equal(await axeFaultsInBothThemes(page, { within: '.dog-page' }), [])
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 360)
  await page.setViewportSize(before)
}

ownership('Ana says it, Luis confirms, both see whose the dog is; axe finds nothing', async () => {
  const toby = await discovered('Toby')
  const hers = await at(toby, ana, PHONE)
  await assertAccessible(hers.page)
  await hers.page.setViewportSize(DESKTOP.viewport)
  await button(hers.page, 'Es mi perro').click()
  await hers.page.getByText('Has dicho que es tu perro.').waitFor()
  // These forms need no script: api/dogs/ownership sends them without.
  await button(hers.page, 'Retirar').click()
  await button(hers.page, 'Es mi perro').click()
  await button(hers.page, 'Retirar').waitFor()
  assert.is(new URL(hers.page.url()).pathname, toby.path)
  await assertAccessible(hers.page)

  const his = await at(toby, luis, PHONE)
  const panel = his.page.getByRole('region', { name: '¿De quién es Toby?' })
  assert.is((await panel.getByRole('listitem').locator('p').innerText()).trim(), `${ana.alias} dice que es su perro`)
  await assertAccessible(his.page)
  await button(his.page, `Confirmar a ${ana.alias}`).click()
  // The answer's own page shows it already.
  await his.page.waitForURL(/#personas$/)
  await hers.page.goto(server.url + toby.path)
  for (const { page } of [his, hers]) {
    const owner = page.locator('.people a', { hasText: 'Dueño' })
    assert.match(await owner.innerText(), ana.alias)
    assert.is(await page.locator('[aria-labelledby=ownership-title], form[action*=ownership]').count(), 0)
  }
  assert.ok(await button(hers.page, 'Editar').isVisible())
  assert.equal([...hers.errors, ...his.errors], [])
})

ownership('an answer that comes too late says so', async () => {
  const kira = await discovered('Kira')
  const asked = { method: 'POST', cookie: ana.cookie }
  assert.is((await call(server, `/api/dogs/${kira.id}/ownership`, asked)).status, 204)
  const { page } = await at(kira, luis)
  const confirmed = { method: 'POST', cookie: luis.cookie, json: { accept: true } }
  assert.is((await call(server, `/api/dogs/${kira.id}/ownership/${ana.id}`, confirmed)).status, 204)
  await button(page, `Rechazar a ${ana.alias}`).click()
  await page.getByRole('alert').getByText('Esto ha cambiado mientras mirabas. Así está ahora.').waitFor()
  assert.match(await page.locator('.people a', { hasText: 'Dueño' }).innerText(), ana.alias)
})
