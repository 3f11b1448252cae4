import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { PHONE } from '#tests/support/browser.ts'
import { type ChosenFile, form, givePhotos, openAdd, smallPhotos, submit } from '#tests/support/dog-form.ts'
import { open, panel, posts, queueSuite, withoutNetwork } from '#tests/support/dog-queue.ts'
import { phonePhoto, quarters } from '#tests/support/photos.ts'
import { openBehind } from '#tests/support/pwa.ts'

const SENTENCE = 'La foto está dañada o incompleta. Prueba con otra.'
const NO_PHOTO = 'Por favor, sube al menos una imagen del perro.'

const damaged = queueSuite('damaged photos in the form')

/** A camera's photo of which three tenths have arrived. */
const cutPhoto = async (name: string): Promise<ChosenFile> => {
  const photo = await phonePhoto(1600, 1200)
  return { name, mimeType: 'image/jpeg', buffer: photo.subarray(0, photo.length * 0.3) }
}

damaged('say so at once, each by its name, and cannot be sent', async (t) => {
  const { context, page, errors } = await open(t)
  const dialog = await openAdd(page)
  const png = await quarters(900, 700).blur(9).png().toBuffer()
  await dialog
    .locator('input[type=file]')
    .setInputFiles([
      await cutPhoto('rota.jpg'),
      { name: 'rota.png', mimeType: 'image/png', buffer: png.subarray(0, png.length / 2) },
    ])
  await dialog.getByText(`«rota.jpg»: ${SENTENCE}`).waitFor()
  await dialog.getByText(`«rota.png»: ${SENTENCE}`).waitFor()
  assert.is(await dialog.locator('.df-gallery .df-tile img').count(), 0)
  await submit(dialog)
  assert.is(await dialog.locator('#df-images-error').innerText(), NO_PHOTO)
  // A whole one beside them is the cover.
  await givePhotos(dialog, await smallPhotos(1))
  assert.is(await dialog.locator('.df-gallery .df-tile img').count(), 1)
  assert.is(posts(t.front), 0)
  assert.equal(errors, [])
  await context.close()
})

damaged('nor do they wait for the network', async (t) => {
  const { context, page, errors } = await open(t, undefined, PHONE)
  t.front.down()
  const dialog = await openAdd(page)
  await dialog.locator('input[type=file]').setInputFiles([await cutPhoto('monte.jpg')])
  await dialog.getByText(`«monte.jpg»: ${SENTENCE}`).waitFor()
  await submit(dialog)
  assert.is(await dialog.locator('#df-images-error').innerText(), NO_PHOTO)
  assert.is(await panel(page).count(), 0)
  t.front.up()
  assert.equal(withoutNetwork(errors), [])
  await context.close()
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

damaged('nor do they come in from another app', async (t) => {
  const { context, page, errors } = await openBehind(t, '/razas', PHONE)
  await share(page, await cutPhoto('compartida.jpg'))
  await form(page).getByText(`«compartida.jpg»: ${SENTENCE}`).waitFor()
  assert.is(await form(page).locator('.df-gallery .df-tile img').count(), 0)
  assert.equal(errors, [])
  await context.close()
})

damaged.run()
