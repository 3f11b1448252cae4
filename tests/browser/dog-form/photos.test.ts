import type { Locator, Page } from 'playwright'
import { DESKTOP, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, removePhotos, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  page: Page
  /** The open form: each test goes on with the photos that the last one left. */
  dialog: Locator
}

const photos = browserSuite<Shared>('the form’s photos')

photos.before(async (t) => {
  t.page = await (await openContext(t.browser)).newPage()
  await t.page.goto(`${t.server.url}/`)
  t.dialog = await openAddForm(t.page)
})

/** The photos' widths in the order shown: each test photo has another. */
const order = (dialog: Locator) =>
  dialog
    .locator('.df-tile img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

photos('that are no image are refused, each with its sentence', async ({ dialog }) => {
  const text = { name: 'notas.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') }
  const fake = { name: 'falsa.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('esto no es una foto') }
  await dialog.locator('input[type=file]').setInputFiles([text, fake])
  await dialog.getByText('«notas.txt» no es una imagen.').waitFor()
  await dialog
    .getByText('«falsa.jpg»: El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.')
    .waitFor()
  await submitForm(dialog)
  assert.is(await dialog.locator('#df-images-error').innerText(), 'Por favor, sube al menos una imagen del perro.')
  await removePhotos(dialog)
})

photos('that are in the cloud alone say so in Spanish, with what to do', async ({ page, dialog }) => {
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype
    Blob.prototype.arrayBuffer = () => {
      Blob.prototype.arrayBuffer = arrayBuffer
      return Promise.reject(new DOMException('The requested file could not be read.', 'NotReadableError'))
    }
  })
  await dialog.locator('input[type=file][multiple]').setInputFiles(await smallPhotos(1))
  await dialog
    .getByText(
      '«foto-1.jpg»: No podemos abrir el archivo: quizá está solo en la nube. Descárgalo en este dispositivo y vuelve a elegirlo.',
    )
    .waitFor()
  await removePhotos(dialog)
})

photos('are taken on phones, which say what to do where no camera opens', async ({ server, browser }) => {
  const page = await (await openContext(browser, PHONE)).newPage()
  await page.goto(`${server.url}/`)
  const dialog = await openAddForm(page)
  const input = dialog.locator('input[type=file]')
  const press = async (name: string) => {
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name }).tap()
    return [(await chooser).isMultiple(), await input.getAttribute('capture')]
  }
  assert.equal(await press('Hacer foto'), [false, ''])
  await input.dispatchEvent('cancel')
  await dialog.getByText('¿No se abre la cámara? Dale permiso a tu navegador en los ajustes del dispositivo').waitFor()
  assert.equal(await press('Añadir fotos'), [true, null])
  await page.context().close()
})

photos('that were added are announced once they are ready', async ({ dialog }) => {
  const announced = (text: string) => dialog.locator('[aria-live=assertive]', { hasText: text }).waitFor()
  await attachPhotos(dialog, await smallPhotos(3))
  await announced('3 fotos añadidas. Llevas 3 de 10.')
  await dialog.locator('input[type=file]').setInputFiles(await smallPhotos(1))
  await announced('1 foto añadida. Llevas 4 de 10.')
  await dialog.getByRole('button', { name: 'Quitar foto 4' }).click()
})

photos('move by keyboard, telling each step and keeping the focus', async ({ page, dialog }) => {
  assert.equal(await order(dialog), [640, 660, 680])
  const said = dialog.locator('[aria-live=assertive]')
  await dialog.getByRole('button', { name: 'Mover foto 3' }).focus()
  await page.keyboard.press('Space')
  assert.is(
    await said.innerText(),
    'Foto 3 de 3 levantada. Muévela con las flechas, suéltala con Espacio o cancela con Escape.',
  )
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  assert.is(await said.innerText(), 'La foto está en el lugar 1 de 3: es la portada.')
  await page.keyboard.press('Space')
  assert.is(await said.innerText(), 'Foto soltada en el lugar 1 de 3: es la portada.')
  assert.equal(await order(dialog), [680, 640, 660])
  assert.is(await focused(page), 'Mover foto 1')

  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Escape')
  assert.is(await said.innerText(), 'Movimiento cancelado. La foto vuelve al lugar 1.')
  assert.equal(await order(dialog), [680, 640, 660])
  assert.ok(await dialog.isVisible(), 'Escape gave up the move, not the dialog')
})

photos('move by mouse, by their handle or by themselves', async ({ page, dialog }) => {
  const toCover = async () => {
    await page.mouse.down()
    const cover = (await dialog.locator('.df-tile').first().boundingBox())!
    await page.mouse.move(cover.x + cover.width / 2, cover.y + cover.height / 2, { steps: 8 })
    await dialog.locator('.df-ghost').waitFor()
    await page.mouse.up()
    await dialog.locator('.df-ghost').waitFor({ state: 'detached' })
  }
  await dialog.getByRole('button', { name: 'Mover foto 3' }).hover()
  await toCover()
  assert.equal(await order(dialog), [660, 680, 640])
  await dialog.getByRole('button', { name: 'Ver foto 2', exact: true }).hover()
  await toCover()
  assert.equal(await order(dialog), [680, 660, 640])
  assert.is(await page.locator('dialog.df-preview').count(), 0, 'a drag is no click')
})

photos('move by touch', async ({ page, dialog }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await page.setViewportSize(PHONE.viewport)
  const middle = async (locator: Locator) => {
    await locator.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await locator.boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }
  const from = await middle(dialog.getByRole('button', { name: 'Mover foto 3' }))
  const to = await middle(dialog.locator('.df-tile').first())
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        share === undefined ? [] : [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }],
    })
  await touch('touchStart', 0)
  for (let i = 1; i <= 8; i++) await touch('touchMove', i / 8)
  await dialog.locator('.df-ghost').waitFor()
  await touch('touchEnd')
  await dialog.locator('.df-ghost').waitFor({ state: 'detached' })
  assert.equal(await order(dialog), [640, 680, 660])
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await devtools.detach()
  await page.setViewportSize(DESKTOP.viewport)
})

photos('show big, and the arrows go round the ends', async ({ page, dialog }) => {
  await dialog.getByRole('button', { name: 'Ver foto 1', exact: true }).click()
  const preview = page.locator('dialog.df-preview')
  const at = preview.locator('.num')
  assert.is(await at.innerText(), '1 / 3')
  await preview.getByRole('button', { name: 'Foto anterior' }).click()
  assert.is(await at.innerText(), '3 / 3')
  await page.keyboard.press('ArrowRight')
  assert.is(await at.innerText(), '1 / 3')
  await page.keyboard.press('Escape')
  await preview.waitFor({ state: 'detached' })
  assert.ok(await dialog.isVisible())
  assert.is(await focused(page), 'Ver foto 1')
})

photos('come pasted, and dropped anywhere on the form', async ({ page, dialog }) => {
  const images = dialog.locator('.df-tile img')
  assert.is(await images.count(), 3)
  const [photo] = await smallPhotos(1)
  const transfer = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'foto.jpg', { type: 'image/jpeg' }))
    return data
  }, photo!.buffer.toString('base64'))
  await dialog.locator('#df-name').dispatchEvent('drop', { dataTransfer: transfer })
  await images.nth(3).waitFor()
  // Beside the form, and on every page without one, the browser would open the file and leave the page.
  const isOpened = (place: string) =>
    page.locator(place).evaluate((element, dataTransfer) => {
      const init = { dataTransfer, bubbles: true, cancelable: true }
      return ['dragover', 'drop'].some((type) => element.dispatchEvent(new DragEvent(type, init)))
    }, transfer)
  assert.not(await isOpened('main'))
  assert.is(await images.count(), 4)
  await dialog.evaluate(
    (element, data) => element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })),
    transfer,
  )
  await images.nth(4).waitFor()
})

photos('are ten at most: the eleventh is refused with its sentence', async ({ dialog }) => {
  await dialog.locator('input[type=file]').setInputFiles(await smallPhotos(6))
  await dialog.getByText('Un perro puede tener hasta 10 fotos: una se ha quedado fuera.').waitFor()
  await dialog.locator('.df-tile img').nth(9).waitFor()
  assert.is(await dialog.locator('.df-gallery > li').count(), 10)
  assert.ok(await dialog.locator('#df-images').isDisabled())
  assert.ok(await dialog.getByText('10 de 10', { exact: true }).isVisible())
})

/** Waits until the device has written so many photos: a reload in the same instant may come before the disk. */
const draftPhotos = (page: Page, count: number) =>
  page.waitForFunction(
    (wanted) =>
      new Promise<boolean>((done) => {
        const opening = indexedDB.open('perrario-borradores')
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('fotos').objectStore('fotos').getAllKeys()
          all.addEventListener('success', () => {
            opening.result.close()
            done(all.result.length === wanted)
          })
        })
      }),
    count,
  )

photos('come back with the draft after a reload, until it is discarded', async (t) => {
  const { page } = t
  const shown = await order(t.dialog)
  assert.equal(shown.slice(0, 3), [640, 680, 660])
  await t.dialog.getByLabel('Nombre').fill('Toby')
  await t.dialog.getByText('Gigante', { exact: true }).click()
  await page.keyboard.press('Escape')
  await t.dialog.waitFor({ state: 'detached' })
  await draftPhotos(page, 10)
  await page.reload()
  const dialog = (t.dialog = await openAddForm(page))
  await dialog.getByText('Borrador recuperado').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Toby')
  assert.ok(await dialog.getByLabel('Gigante').isChecked())
  await dialog.locator('.df-tile img').nth(9).waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.df-tile img')].every((image) => image.complete),
  )
  assert.equal(await order(dialog), shown)
  await dialog.getByRole('button', { name: 'Descartar' }).click()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), '')
  assert.is(await dialog.locator('.df-tile').count(), 0)
  await draftPhotos(page, 0)
  await page.reload()
  t.dialog = await openAddForm(page)
  assert.is(await t.dialog.getByText('Borrador recuperado').count(), 0)
})

photos('and words are not lost unasked where the device keeps no draft', async ({ page, dialog }) => {
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await dialog.getByLabel('Nombre').fill('Toby')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.getByText('No se ha podido guardar el borrador: si cierras ahora, pierdes lo que has escrito.').waitFor()
  await dialog.getByRole('button', { name: 'Seguir editando' }).click()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Toby')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.getByRole('button', { name: 'Cerrar sin guardar' }).click()
  await dialog.waitFor({ state: 'detached' })
})
