import type { Browser, BrowserContext, Page } from 'playwright'
import sharp from 'sharp'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { closeLanding } from '#tests/support/dogs/dog-form.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const pending = browserSuite('pending association after sign-in')
let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let errors: string[]

pending.before((t) => void ({ server, browser } = t))
pending.before.each(async () => {
  ;({ context, page, errors } = await takePage(browser))
})

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
const storeAssociation = (association: object) =>
  page.evaluate((text) => localStorage.setItem('pending-dog-association', text), JSON.stringify(association))
const stored = () => page.evaluate(() => localStorage.getItem('pending-dog-association'))
const readStoredEmail = () =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('pending-dogs-data')!) as [{ email: string }])[0].email)
const dogOf = async (id: string) =>
  ((await (await fetch(`${server.url}/api/dogs/${id}`)).json()) as { dog: { owner_id: string | null } }).dog

pending('the dog becomes the member’s, the page reloads and says so', async () => {
  const association = await anonymousDog('Toby')
  await page.goto(`${server.url}/perfil`)
  await storeAssociation(association)
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await useSession(context, server, ana)
  await page.goto(`${server.url}/perfil`)
  await page.getByText('Perro asociado').waitFor()
  await page.getByText('Tu perro ha sido asociado a tu cuenta exitosamente.').waitFor()
  await closeLanding(page)
  await page.locator('.dog-card').getByRole('link', { name: 'Toby' }).first().waitFor()
  assert.is(await stored(), null)
  assert.is((await dogOf(association.dogId)).owner_id, ana.id)
})

pending('a dog that is somebody’s already is let go, with its reason', async () => {
  const association = await anonymousDog('Luna')
  const bea = await signInMember(server, 'bea@ejemplo.es')
  const claim = await fetch(`${server.url}/api/dogs/${association.dogId}/association`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: bea.cookie },
    body: JSON.stringify({ ownershipType: 'owner', token: association.token }),
  })
  assert.is(claim.status, 200)
  await page.goto(`${server.url}/perfil`)
  await storeAssociation(association)
  await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
  await page.goto(`${server.url}/perfil`)
  await page.getByText('No se pudo asociar el perro').waitFor()
  await page.waitForFunction(() => localStorage.getItem('pending-dog-association') === null)
  assert.is((await dogOf(association.dogId)).owner_id, bea.id)
})

pending('a call that did not get through leaves the entry for the next visit', async () => {
  const association = await anonymousDog('Coco')
  await page.goto(`${server.url}/perfil`)
  await storeAssociation(association)
  await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
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

pending('the sign-in screens say that a dog waits and keep the e-mail typed for it', async () => {
  const association = await anonymousDog('Kira')
  await page.goto(`${server.url}/perfil`)
  await page.evaluate(
    (one) => localStorage.setItem('pending-dogs-data', JSON.stringify([{ ...one, email: '', dog: { name: 'Kira' } }])),
    association,
  )
  await page.reload()
  await page.getByText('Kira te espera: entra y estará en tu cuenta.').waitFor()
  await page.getByLabel('Tu email').fill('no es')
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  assert.is(await readStoredEmail(), '')
  await page.getByLabel('Tu email').fill(' kira@ejemplo.es ')
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  assert.is(await readStoredEmail(), 'kira@ejemplo.es')

  // A phone loads the page anew while its person reads the mail: the code's field is still there.
  await page.goto(`${server.url}/login`)
  await page.getByText('Kira te espera: entra y estará en tu cuenta.').waitFor()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  await page.getByText('kira@ejemplo.es').waitFor()
  await page.getByRole('button', { name: 'Usar otro email' }).click()
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('#sign-in-email')!.value === 'kira@ejemplo.es',
  )
  assert.ok(await page.getByRole('button', { name: 'Recibir enlace mágico' }).isEnabled())
  assert.equal(errors, [])

  // The mailed code signs in, and /perfil does the rest: the e-mail goes with the entry.
  await page.reload()
  await page.getByLabel('Código de 6 cifras').fill(lastMailTo(server.dataDir, 'kira@ejemplo.es').code)
  await page.getByText('Perro asociado').waitFor()
  await page.getByText('Tu perro ha sido asociado a tu cuenta exitosamente.').waitFor()
  assert.is(await page.evaluate(() => localStorage.getItem('pending-dogs-data')), null)
  assert.ok((await dogOf(association.dogId)).owner_id)
})

pending('an answer that was lost is no failure: the dog is theirs', async () => {
  const association = await anonymousDog('Nala')
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await page.goto(`${server.url}/perfil`)
  await storeAssociation(association)
  await useSession(context, server, ana)
  await page.route('**/association', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/association'))
  await page.goto(`${server.url}/perfil`)
  await lost
  assert.is((await dogOf(association.dogId)).owner_id, ana.id)
  await page.unroute('**/association')
  await page.reload()
  await page.getByText('Perro asociado').waitFor()
  assert.is(await stored(), null)
})
