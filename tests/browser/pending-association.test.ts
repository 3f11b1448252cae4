import type { Browser, BrowserContext, Page } from 'playwright'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, visit } from '#tests/support/browser.ts'
import { signedIn, useSession } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const pending = suite('pending association after sign-in')
let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page

pending.before(async () => {
  server = await startServer()
  browser = await launchBrowser()
})
pending.after(async () => {
  await browser.close()
  await server.dispose()
})
pending.before.each(async () => {
  context = await visit(browser)
  page = await context.newPage()
})
pending.after.each(() => context.close())

/** A dog added without an account, as a visitor's device would. */
async function anonymousDog(name: string) {
  const photo = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#c96' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  const fields = { name, breed: 'Beagle', weight: '12', age: '3', age_unit: 'años', relationship: 'owner' }
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.append('images', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'toby.jpg')
  const response = await fetch(`${server.url}/api/dogs`, { method: 'POST', body: form })
  const body = (await response.json()) as { dog: { id: string }; association: { token: string } }
  assert.is(response.status, 201, JSON.stringify(body))
  return { dogId: body.dog.id, ownershipType: 'owner', createdAt: Date.now(), token: body.association.token }
}
const remember = (association: object) =>
  page.evaluate((text) => localStorage.setItem('pending-dog-association', text), JSON.stringify(association))
const stored = () => page.evaluate(() => localStorage.getItem('pending-dog-association'))
const dogOf = async (id: string) =>
  ((await (await fetch(`${server.url}/api/dogs/${id}`)).json()) as { dog: { owner_id: string | null } }).dog

pending('the dog becomes the member’s, the page reloads and says so', async () => {
  const association = await anonymousDog('Toby')
  await page.goto(`${server.url}/perfil`)
  await remember(association)
  const ana = await signedIn(server, 'ana@ejemplo.es')
  await useSession(context, server, ana)
  await page.goto(`${server.url}/perfil`)
  await page.getByText('Perro asociado').waitFor()
  await page.getByText('Tu perro ha sido asociado a tu cuenta exitosamente.').waitFor()
  await page.locator('.dog-card').getByRole('link', { name: 'Toby' }).first().waitFor()
  assert.is(await stored(), null)
  assert.is((await dogOf(association.dogId)).owner_id, ana.id)
})

pending('a dog that is somebody’s already is let go, with its reason', async () => {
  const association = await anonymousDog('Luna')
  const bea = await signedIn(server, 'bea@ejemplo.es')
  const claim = await fetch(`${server.url}/api/dogs/${association.dogId}/association`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: bea.cookie },
    body: JSON.stringify({ ownershipType: 'owner', token: association.token }),
  })
  assert.is(claim.status, 200)
  await page.goto(`${server.url}/perfil`)
  await remember(association)
  await useSession(context, server, await signedIn(server, 'ana@ejemplo.es'))
  await page.goto(`${server.url}/perfil`)
  await page.getByText('No se pudo asociar el perro').waitFor()
  await page.waitForFunction(() => localStorage.getItem('pending-dog-association') === null)
  assert.is((await dogOf(association.dogId)).owner_id, bea.id)
})

pending('a call that did not get through leaves the entry for the next visit', async () => {
  const association = await anonymousDog('Coco')
  await page.goto(`${server.url}/perfil`)
  await remember(association)
  await useSession(context, server, await signedIn(server, 'ana@ejemplo.es'))
  await page.route('**/association', (route) => route.abort())
  const tried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/association'))
  await page.goto(`${server.url}/perfil`)
  await tried
  assert.ok(await stored())
  await page.unroute('**/association')
  await page.reload()
  await page.getByText('Perro asociado').waitFor()
  assert.is(await stored(), null)
})

pending.run()
