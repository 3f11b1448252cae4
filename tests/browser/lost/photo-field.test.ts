import type { Locator, Page } from 'playwright'
import { PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { cameraPhoto } from '#tests/support/dogs/dog-form.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { noisePhoto } from '#tests/support/photos/sample-photos.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// The field of one photo, in the forms of who saw a lost dog and of who found one.

const photo = browserSuite('photo field', { TRUST_PROXY: '1' })

async function openChooser(page: Page, button: Locator) {
  const chooser = page.waitForEvent('filechooser')
  await button.tap()
  return chooser
}

photo('a phone’s photo is taken or chosen, and a refused one is taken out', async ({ server, browser }) => {
  const [owner, lost] = await seed(server.db, member(), dog({ name: 'Luna' }))
  await addLostCase(server.db, { dogId: lost.id, ownerId: owner.id })
  const luna = lost
  const { page } = await visit({ server, browser }, `/perdidos/${luna.id}/visto`, PHONE)
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
})

photo('who found a dog takes its photo or chooses one, as who saw one', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/encontrados', PHONE)
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
  const { page: desktop } = await visit({ server, browser }, '/encontrados', DESKTOP)
  // A computer has no camera to hold to a dog.
  await desktop.locator('.photo-label', { hasText: 'Elegir foto' }).waitFor()
  assert.ok(await desktop.locator('[data-photo-choose]').isHidden())
})

photo(
  'a photo that is too heavy waits until it is shrunk, however soon «Enviar» is pressed',
  async ({ server, browser }) => {
    const buffer = await noisePhoto(3200, 2400)
    assert.ok(buffer.length > PHOTO_UPLOAD_MAX_BYTES, `${buffer.length}`)
    const { page } = await visit({ server, browser }, '/encontrados', PHONE)
    await page.getByText('Hacer foto').waitFor()
    await page.getByLabel('Pueblo o barrio donde estaba').fill('Getafe')
    await page.getByLabel('Tamaño').selectOption('mediano')
    await page.locator('#found-photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
    const send = page.getByRole('button', { name: 'Enviar' })
    await send.dblclick()
    await page.getByRole('heading', { name: 'El perro que has encontrado' }).waitFor()
    const notices = await server.db.selectFrom('found_notices_all').select('id').execute()
    assert.is(notices.length, 1)
  },
)
