import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Dog } from '#features/dogs/dogs.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, PHONE } from '#tests/support/browser/chromium.ts'
import { type PooledPage, takePage } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Luis discovered the dogs; Ana says that they are hers.
const ownership = suite('ownership')
let server: TestServer
let browser: Browser
let ana: TestMember
let luis: TestMember
const taken: PooledPage[] = []

ownership.before(async () => {
  server = await startServer()
  browser = await launchBrowser()
  ana = await signInMember(server, 'ana@ejemplo.es')
  luis = await signInMember(server, 'luis@ejemplo.es')
})
ownership.after(async () => {
  await browser.close()
  await server.dispose()
})
ownership.after.each(async () => {
  for (const each of taken.splice(0)) await each.release()
})

// No photos: the rows have no files.
const discovered = (name: string) =>
  withDatabase(server, async (db) => (await seed(db, dog({ name, photos: 0, discoverer_id: luis.id })))[0])

async function at(dog: Dog, who: TestMember, options: BrowserContextOptions = DESKTOP) {
  const pooled = await takePage(browser, options)
  taken.push(pooled)
  const { context, page, errors } = pooled
  await useSession(context, server, who)
  await page.goto(server.url + dog.path)
  return { page, errors }
}
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

ownership.run()
