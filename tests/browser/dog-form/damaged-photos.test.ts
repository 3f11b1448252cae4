import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { type ChosenFile, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import {
  openDogsPage,
  queuePanel,
  countPosts,
  queueSuite,
  withoutNetworkErrors,
} from '#tests/support/dogs/offline-queue.ts'
import { phonePhoto, quarteredPicture } from '#tests/support/photos/test-pictures.ts'

const DAMAGED_MESSAGE = 'La foto está dañada o incompleta. Prueba con otra.'
const NO_PHOTO_MESSAGE = 'Por favor, sube al menos una imagen del perro.'

const damaged = queueSuite('damaged photos in the form')

const photo = await phonePhoto(1600, 1200)

/** A camera's photo of which three tenths have arrived. */
const cutPhoto = (name: string): ChosenFile => ({
  name,
  mimeType: 'image/jpeg',
  buffer: photo.subarray(0, photo.length * 0.3),
})

damaged('say so at once, each by its name, and take no place of the ten, nor the cover', async (t) => {
  const { page, errors } = await openDogsPage(t)
  const dialog = await openAddForm(page)
  const png = await quarteredPicture(900, 700).blur(9).png().toBuffer()
  await dialog
    .locator('input[type=file]')
    .setInputFiles([
      cutPhoto('rota.jpg'),
      { name: 'rota.png', mimeType: 'image/png', buffer: png.subarray(0, png.length / 2) },
    ])
  await dialog.getByText(`«rota.jpg»: ${DAMAGED_MESSAGE}`).waitFor()
  await dialog.getByText(`«rota.png»: ${DAMAGED_MESSAGE}`).waitFor()
  const images = dialog.locator('.df-gallery .df-tile img')
  assert.is(await images.count(), 0)
  await submitForm(dialog)
  assert.is(await dialog.locator('#df-images-error').innerText(), NO_PHOTO_MESSAGE)
  assert.is(countPosts(t.front), 0)

  // Whole ones beside them: ten, the first of which is the cover.
  const whole = await smallPhotos(11)
  await dialog
    .locator('input[type=file]')
    .setInputFiles([cutPhoto('uno.jpg'), ...whole.slice(0, 5), cutPhoto('dos.jpg'), ...whole.slice(5)])
  await dialog.getByText('10 de 10').waitFor()
  await dialog.getByText('Un perro puede tener hasta 10 fotos: una se ha quedado fuera.').waitFor()
  await images.nth(9).waitFor()
  assert.is(await images.count(), 10)
  assert.is(await dialog.locator('.df-gallery > li').first().locator('img').count(), 1)
  assert.equal(errors, [])
})

damaged('do not wait for the network, nor come in from another app', async (t) => {
  const { page, errors } = await openDogsPage(t)
  t.front.down()
  const dialog = await openAddForm(page)
  await dialog.locator('input[type=file]').setInputFiles([cutPhoto('monte.jpg')])
  await dialog.getByText(`«monte.jpg»: ${DAMAGED_MESSAGE}`).waitFor()
  await submitForm(dialog)
  assert.is(await dialog.locator('#df-images-error').innerText(), NO_PHOTO_MESSAGE)
  assert.is(await queuePanel(page).count(), 0)
  t.front.up()

  await share(page, cutPhoto('compartida.jpg'))
  await dialog.getByText(`«compartida.jpg»: ${DAMAGED_MESSAGE}`).waitFor()
  assert.is(await dialog.locator('.df-gallery .df-tile img').count(), 0)
  assert.equal(withoutNetworkErrors(errors), [])
})

/** As the system sends it: a form posted to the manifest’s share target. */
async function share(page: Page, file: ChosenFile): Promise<void> {
  await page.evaluate(() => {
    const share = document.createElement('form')
    Object.assign(share, { method: 'post', action: '/compartir', enctype: 'multipart/form-data', id: 'share' })
    share.innerHTML = '<input type="file" name="fotos">'
    document.body.append(share)
  })
  await page.locator('#share input').setInputFiles(file)
  await page.locator('#share').evaluate((element: HTMLFormElement) => element.submit())
}
