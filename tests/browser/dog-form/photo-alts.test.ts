import type { Locator, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import {
  dogForm,
  attachPhotos,
  openAddForm,
  removePhotos,
  smallPhotos,
  submitForm,
} from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  page: Page
  /** The open form: each test goes on with what the last one left in it. */
  dialog: Locator
}
const alts = browserSuite<Shared>('describing photos')

alts.before(async (t) => {
  const context = await openContext(t.browser)
  await useSession(context, t.server, await signInMember(t.server))
  t.page = await context.newPage()
  await t.page.goto(`${t.server.url}/terminos`)
  t.dialog = await openAddForm(t.page)
})

const knob = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true })
const field = (dialog: Locator, place: number) =>
  dialog.getByLabel(`Descripción de la foto ${place}`).and(dialog.locator('textarea'))
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const altsOn = (page: Page) =>
  page.locator('[data-strip] img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).alt))

alts('what is begun is kept in the draft, and goes with it', async (t) => {
  const { page, dialog } = t
  await attachPhotos(dialog, await smallPhotos(1))
  await knob(dialog, 'Describir foto 1').click()
  const words = dialog.getByLabel('Descripción de la foto', { exact: true })
  await words.fill('Corre por la nieve')
  // Escape is through with the field, not with the form.
  await page.keyboard.press('Escape')
  assert.is(await dialog.locator('.df-words').count(), 0)
  assert.is(await dialog.count(), 1)
  assert.is(await focused(page), 'Descripción de la foto 1')

  await page.reload()
  const again = (t.dialog = await openAddForm(page))
  await again.getByText('Borrador recuperado').waitFor()
  await knob(again, 'Descripción de la foto 1').click()
  assert.is(await again.getByLabel('Descripción de la foto', { exact: true }).inputValue(), 'Corre por la nieve')
  // A photo that is taken out takes its words along.
  await again.getByRole('button', { name: 'Quitar foto 1' }).click()
  assert.is(await again.locator('.df-words').count(), 0)
  await attachPhotos(again, await smallPhotos(1))
  await knob(again, 'Describir foto 1').waitFor()
})

alts('no more than 150 characters go in, and nothing stands out on a phone', async ({ page, dialog }) => {
  await page.setViewportSize(PHONE.viewport)
  // The draft's is the first.
  await attachPhotos(dialog, (await smallPhotos(4)).slice(1))
  await knob(dialog, 'Describir foto 4').click()
  await field(dialog, 4).fill('👩‍👧'.repeat(160))
  assert.is(await field(dialog, 4).inputValue(), '👩‍👧'.repeat(150))
  await dialog.getByText('150/150').waitFor()
  const box = (await dialog.locator('.df-words').boundingBox())!
  const scroller = (await dialog.locator('.df-scroll').boundingBox())!
  assert.ok(box.y >= scroller.y && box.y + box.height <= scroller.y + scroller.height, 'all of it is in sight')
  assert.is(await dialog.locator('.df-scroll').evaluate((element) => element.scrollWidth - element.clientWidth), 0)
  await page.setViewportSize(DESKTOP.viewport)
  await removePhotos(dialog)
})

alts('a dog is added with words on a photo, by keyboard; its page says them, and an edit changes them', async (t) => {
  const { page, dialog } = t
  await attachPhotos(dialog, await smallPhotos(2))
  await dialog.getByLabel('Nombre').fill('Lúa')
  await dialog.getByLabel('Zona').fill('Jaca')

  await knob(dialog, 'Describir foto 2').focus()
  await page.keyboard.press('Enter')
  const words = field(dialog, 2)
  assert.ok(await words.evaluate((element) => element === document.activeElement))
  assert.is(await words.getAttribute('placeholder'), 'Lúa, Mestizo, en Jaca')
  await dialog.getByText('La oirá quien no puede verla. Si la dejas vacía: nombre, raza y zona.').waitFor()
  await page.keyboard.type('Duerme en el sofá')
  await dialog.getByText('17/150').waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.keyboard.press('Enter')
  assert.is(await dialog.locator('.df-words').count(), 0)
  assert.is(await focused(page), 'Descripción de la foto 2')

  // The words go where their photo goes.
  await dialog.getByRole('button', { name: 'Mover foto 2' }).focus()
  for (const key of ['Space', 'ArrowLeft', 'Space']) await page.keyboard.press(key)
  await dialog.getByRole('button', { name: 'Ver foto 1: Duerme en el sofá' }).waitFor()
  await knob(dialog, 'Describir foto 2').waitFor()
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/dogs'))
  await submitForm(dialog)
  const { dog } = (await (await saved).json()) as { dog: { id: string; path: string } }
  await dialog.waitFor({ state: 'detached' })

  await page.goto(t.server.url + dog.path)
  assert.equal(await altsOn(page), ['Duerme en el sofá. Foto 1 de 2', 'Lúa, Mestizo, en Jaca. Foto 2 de 2'])
  await page.getByRole('button', { name: 'Ver a pantalla completa' }).click()
  const lightbox = page.getByRole('dialog', { name: 'Fotos a pantalla completa' })
  await lightbox.getByRole('img', { name: 'Duerme en el sofá. Foto 1 de 2' }).waitFor()
  await lightbox.getByRole('button', { name: 'Cerrar' }).click()
  await lightbox.waitFor({ state: 'detached' })

  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.method()))
  await page.getByRole('button', { name: 'Editar' }).click()
  const edit = dogForm(page)
  await knob(edit, 'Descripción de la foto 1').click()
  assert.is(await field(edit, 1).inputValue(), 'Duerme en el sofá')
  await field(edit, 1).fill('')
  // From one photo to another without a stop between.
  await knob(edit, 'Describir foto 2').click()
  await field(edit, 2).fill('  ¡Al agua!\n')
  await knob(edit, 'Listo').click()
  await Promise.all([page.waitForEvent('load'), submitForm(edit)])
  assert.equal(sent, ['PUT'])
  assert.equal(await altsOn(page), ['Lúa, Mestizo, en Jaca. Foto 1 de 2', '¡Al agua! Foto 2 de 2'])
})
