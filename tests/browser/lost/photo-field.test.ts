import type { Browser, Locator, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { DESKTOP, launchBrowser, openContext, PHONE } from '#tests/support/browser/chromium.ts'
import { cameraPhoto } from '#tests/support/dogs/dog-form.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { noisePhoto } from '#tests/support/photos/sample-photos.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'

// The field of one photo, in the forms of who saw a lost dog and of who found one.

const photo = suite<{ server: TestServer; browser: Browser }>('photo field')
photo.before(async (t) => {
  t.server = await startServer({ TRUST_PROXY: '1' })
  t.browser = await launchBrowser()
})
photo.after(async ({ browser, server }) => {
  await browser.close()
  await server.dispose()
})

async function openChooser(page: Page, button: Locator) {
  const chooser = page.waitForEvent('filechooser')
  await button.tap()
  return chooser
}

photo('a phone’s photo is taken or chosen, and a refused one is taken out', async ({ server, browser }) => {
  const luna = await withDatabase(server, async (db) => {
    const [owner, lost] = await seed(db, member(), dog({ name: 'Luna' }))
    await addLostCase(db, { dogId: lost.id, ownerId: owner.id })
    return lost
  })
  const context = await openContext(browser, PHONE)
  const page = await context.newPage()
  await page.goto(`${server.url}/perdidos/${luna.id}/visto`)
  const field = page.locator('#sighting-photo')
  await openChooser(page, field)
  assert.is(await field.getAttribute('capture'), 'environment')
  const chooser = await openChooser(page, page.getByRole('button', { name: 'Elegir foto' }))
  assert.is(await field.getAttribute('capture'), null)
  await chooser.setFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('no es una foto') })
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await page.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await page.locator('#sighting-photo[aria-invalid=true][aria-describedby*=sighting-photo-error]:focus').waitFor()
  await page.getByRole('button', { name: 'Quitar la foto' }).tap()
  await page.locator('#sighting-photo:not([aria-invalid]):focus').waitFor()
  await page.getByRole('button', { name: 'Quitar la foto' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  await context.close()
})

photo('who found a dog takes its photo or chooses one, as who saw one', async ({ server, browser }) => {
  const context = await openContext(browser, PHONE)
  const page = await context.newPage()
  await page.goto(`${server.url}/encontrados`)
  const field = page.locator('#found-photo')
  await page.getByText('Hacer foto').waitFor()
  await openChooser(page, field)
  assert.is(await field.getAttribute('capture'), 'environment')
  const chooser = await openChooser(page, page.getByRole('button', { name: 'Elegir foto' }))
  assert.is(await field.getAttribute('capture'), null)
  await chooser.setFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: (await cameraPhoto()).buffer })
  await page.getByAltText('La foto que vas a enviar').waitFor()
  await page.getByText('Repetir foto').waitFor()
  await page.getByRole('button', { name: 'Quitar la foto' }).tap()
  await page.locator('#found-photo:focus').waitFor()
  assert.is(await field.inputValue(), '')
  await context.close()
  const desk = await openContext(browser, DESKTOP)
  const desktop = await desk.newPage()
  await desktop.goto(`${server.url}/encontrados`)
  // A computer has no camera to hold to a dog.
  await desktop.locator('.photo-label', { hasText: 'Elegir foto' }).waitFor()
  assert.ok(await desktop.locator('[data-photo-choose]').isHidden())
  await desk.close()
})

photo(
  'a photo that is too heavy waits until it is shrunk, however soon «Enviar» is pressed',
  async ({ server, browser }) => {
    const buffer = await noisePhoto(3200, 2400)
    assert.ok(buffer.length > PHOTO_UPLOAD_MAX_BYTES, `${buffer.length}`)
    const context = await openContext(browser, PHONE)
    const page = await context.newPage()
    await page.goto(`${server.url}/encontrados`)
    await page.getByText('Hacer foto').waitFor()
    await page.getByLabel('Pueblo o barrio donde estaba').fill('Getafe')
    await page.getByLabel('Tamaño').selectOption('mediano')
    await page.locator('#found-photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
    const send = page.getByRole('button', { name: 'Enviar' })
    await send.dblclick()
    await page.getByRole('heading', { name: 'El perro que has encontrado' }).waitFor()
    const notices = await withDatabase(server, (db) => db.selectFrom('found_notices_all').select('id').execute())
    assert.is(notices.length, 1)
    await context.close()
  },
)

photo.run()
