import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Dog } from '#features/dogs/dogs.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Luis discovered the dogs; Ana says that they are hers.
const ownership = suite('ownership')
let server: TestServer
let browser: Browser
let ana: TestMember
let luis: TestMember
let open: BrowserContext[] = []

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
  await Promise.all(open.map((context) => context.close()))
  open = []
})

const discovered = (name: string) =>
  withDatabase(server, async (db) => (await seed(db, dog({ name, discoverer_id: luis.id })))[0])

async function at(dog: Dog, who: TestMember, options: BrowserContextOptions = DESKTOP) {
  const context = await openContext(browser, options)
  open.push(context)
  await useSession(context, server, who)
  const page = await context.newPage()
  const errors = watchErrors(page)
  // Seeded dogs are rows without photo files.
  await page.route(/_ipx|\/photos\//, (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg/>' }))
  await page.goto(server.url + dog.path)
  return { page, errors }
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

ownership('Ana says it, Luis confirms, both see whose the dog is', async () => {
  const toby = await discovered('Toby')
  const hers = await at(toby, ana)
  await button(hers.page, 'Es mi perro').click()
  await hers.page.getByText('Has dicho que es tu perro.').waitFor()
  assert.is(new URL(hers.page.url()).pathname, toby.path)

  const his = await at(toby, luis, PHONE)
  const panel = his.page.getByRole('region', { name: '¿De quién es Toby?' })
  assert.is((await panel.getByRole('listitem').locator('p').innerText()).trim(), `${ana.alias} dice que es su perro`)
  await button(his.page, `Confirmar a ${ana.alias}`).click()
  for (const { page } of [his, hers]) {
    await page.goto(server.url + toby.path)
    const owner = page.locator('.people a', { hasText: 'Dueño' })
    assert.match(await owner.innerText(), ana.alias)
    assert.is(await page.locator('.ownership').count(), 0)
  }
  assert.ok(await button(hers.page, 'Editar').isVisible())
  assert.equal([...hers.errors, ...his.errors], [])
})

ownership('it can be taken back and declined, without script too', async () => {
  const luna = await discovered('Luna')
  const hers = await at(luna, ana, { ...DESKTOP, javaScriptEnabled: false })
  await button(hers.page, 'Es mi perro').click()
  await button(hers.page, 'Retirar').click()
  await button(hers.page, 'Es mi perro').click()
  await hers.page.getByText('Has dicho que es tu perro.').waitFor()
  const his = await at(luna, luis, { ...PHONE, javaScriptEnabled: false })
  await button(his.page, `Rechazar a ${ana.alias}`).click()
  await his.page.waitForURL(/#personas$/)
  assert.is(await his.page.locator('.ownership').count(), 0)
  await hers.page.reload()
  assert.match(await hers.page.locator('.ownership').innerText(), 'no ha confirmado que sea tu perro.')
  assert.is(await button(hers.page, 'Es mi perro').count(), 0)
})

ownership('an answer that comes too late says so', async () => {
  const kira = await discovered('Kira')
  await button((await at(kira, ana)).page, 'Es mi perro').click()
  const [one, other] = [await at(kira, luis), await at(kira, luis)]
  await button(one.page, `Confirmar a ${ana.alias}`).click()
  await one.page.waitForURL(/#personas$/)
  await button(other.page, `Rechazar a ${ana.alias}`).click()
  await other.page.getByRole('alert').getByText('Esto ha cambiado mientras mirabas. Así está ahora.').waitFor()
  assert.match(await other.page.locator('.people a', { hasText: 'Dueño' }).innerText(), ana.alias)
})

ownership('axe finds nothing', async () => {
  const coco = await discovered('Coco')
  const options = { ...PHONE, viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' as const }
  const look = async (page: Page) => {
    assert.equal(await axeFaultsInBothThemes(page, { within: '.dog-page' }), [])
    assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 360)
  }
  const hers = await at(coco, ana, options)
  await look(hers.page)
  await button(hers.page, 'Es mi perro').click()
  await button(hers.page, 'Retirar').waitFor()
  await look(hers.page)
  await look((await at(coco, luis, options)).page)
})

ownership.run()
