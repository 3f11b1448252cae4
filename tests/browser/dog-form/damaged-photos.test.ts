import * as assert from 'uvu/assert'
import type { Page, BrowserContext } from 'playwright'
import {
  type ChosenFile,
  openAddForm,
  smallPhotos,
  submitForm,
  dogForm,
  attachPhotos,
} from '#tests/support/dogs/dog-form.ts'
import {
  openDogsPage,
  queuePanel,
  countPosts,
  queueSuite,
  withoutNetworkErrors,
  waitUntilAdded,
  addOffline,
  goOnline,
  dogsNamed,
  fillForm,
  queueRow,
} from '#tests/support/dogs/offline-queue.ts'
import { phonePhoto, quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { call } from '#tests/support/api.ts'
import { signInMember } from '#tests/support/members.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'

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

// WebKit's private windows keep no Blob and no File in IndexedDB. Chromium does: here it is made to refuse them, too.
const refuseFiles = (context: BrowserContext) =>
  context.addInitScript(() => {
    const holdsFile = (value: unknown): boolean =>
      value instanceof Blob ||
      (typeof value === 'object' &&
        value !== null &&
        !ArrayBuffer.isView(value) &&
        Object.values(value).some(holdsFile))
    for (const method of ['put', 'add'] as const) {
      const real = IDBObjectStore.prototype[method]
      IDBObjectStore.prototype[method] = function (value: unknown, ...rest: [IDBValidKey?]) {
        if (holdsFile(value)) throw new DOMException('BlobURLs are not yet supported.', 'DataCloneError')
        return real.call(this, value, ...rest)
      }
    }
  })

/** Writes into one of the page's databases, past what refuses files. */
const write = (page: Page, database: string, store: string, key: string, text: string) =>
  page.evaluate(
    ([database, store, key, text]) =>
      new Promise<void>((done, fail) => {
        const opening = indexedDB.open(database!)
        opening.addEventListener('success', () => {
          const writing = opening.result.transaction(store!, 'readwrite')
          const bytes = Uint8Array.from(atob(text!), (letter) => letter.charCodeAt(0))
          writing.objectStore(store!).put(new File([bytes], 'antigua.jpg', { type: 'image/jpeg' }), key)
          writing.addEventListener('complete', () => {
            opening.result.close()
            done()
          })
        })
        opening.addEventListener('error', () => fail(opening.error))
      }),
    [database, store, key, text],
  )

const keysOf = (page: Page, database: string, store: string) =>
  page.evaluate(
    ([database, store]) =>
      new Promise<string[]>((done) => {
        const opening = indexedDB.open(database!)
        opening.addEventListener('success', () => {
          const all = opening.result.transaction(store!).objectStore(store!).getAllKeys()
          all.addEventListener('success', () => {
            opening.result.close()
            done(all.result.map(String))
          })
        })
      }),
    [database, store],
  )

damaged('what an earlier version kept as a file is read', async (t) => {
  const { page } = await openDogsPage(t, await signInMember(t.server))
  const [photo] = await smallPhotos(1)
  const bytes = photo!.buffer.toString('base64')
  t.front.down()
  await addOffline(page, 'Antigua')
  const key = (await keysOf(page, 'perrario-cola', 'perros')).find((each) => each.startsWith('foto/'))!
  await write(page, 'perrario-cola', 'perros', key, bytes)
  await goOnline(t.front, page)
  await waitUntilAdded(page, 'Antigua')

  const dialog = await fillForm(page, 'Antiguo borrador')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  let drafts: string[] = []
  while (drafts.length === 0) drafts = await keysOf(page, 'perrario-borradores', 'fotos')
  await write(page, 'perrario-borradores', 'fotos', drafts[0]!, bytes)
  await page.reload()
  await openAddForm(page)
  await dogForm(page).locator('.df-tile img').first().waitFor()
})

// From here on the browser refuses files.
damaged('a dog without signal is kept with its photos, and sent', async (t) => {
  const ana = await signInMember(t.server)
  await refuseFiles(t.context)
  const { context, page } = await openDogsPage(t, ana)
  t.front.down()
  await addOffline(page, 'Privada', 2)
  await page.close()
  const again = await context.newPage()
  await again.goto(`${t.front.url}/perros`)
  await queueRow(again, 'Privada').waitFor()
  await goOnline(t.front, again)
  await waitUntilAdded(again, 'Privada')
  const [dog] = await dogsNamed(t.server, 'Privada')
  assert.is((await call(t.server, `/api/dogs/${dog.id}`)).body.dog.images.length, 2)
})

damaged('a draft keeps its photos', async (t) => {
  const { page } = await openDogsPage(t, await signInMember(t.server))
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(2))
  await dialog.getByLabel('Nombre').fill('Borrador')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await waitUntilTrue('both photos are kept', async () => {
    const { length } = await keysOf(page, 'perrario-borradores', 'fotos')
    return length >= 2
  })
  await page.reload()
  await openAddForm(page)
  await dogForm(page).getByText('Borrador recuperado').waitFor()
  await dogForm(page).locator('.df-tile img').nth(1).waitFor()
})

damaged.run()
