import type { BrowserContext, Locator, Page } from 'playwright'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import {
  dogForm,
  attachPhotos,
  openAddForm,
  openEditForm,
  removePhotos,
  smallPhotos,
  submitForm,
} from '#tests/support/dogs/dog-form.ts'
import { answerError, startGeminiStub, type GeminiStub, answerText } from '#tests/support/stubs/gemini.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  stub: GeminiStub
  context: BrowserContext
  page: Page
  /** The open form. */
  dialog: Locator
  errors: string[]
  /** The calls to the detection: method and size. */
  calls: { method: string; bytes: number }[]
}

const detecting = browserSuite<Shared>('breed detection in the dog form', async (t) => {
  t.stub = await startGeminiStub()
  return { GEMINI_API_KEY: 'clave', GEMINI_URL: t.stub.url }
})

detecting.before(async (t) => {
  t.context = await openContext(t.browser)
  t.page = await t.context.newPage()
  t.errors = watchErrors(t.page)
  t.calls = []
  t.page.on('request', (request) => {
    if (!request.url().endsWith('/api/breed-detection')) return
    t.calls.push({ method: request.method(), bytes: request.postDataBuffer()?.length ?? 0 })
  })
  t.dialog = await open(t)
})
detecting.after(({ stub }) => stub.stop())
/** The form is empty again, and the next photo a Beagle. */
detecting.before.each(async (t) => {
  if (await t.dialog.isVisible()) await startOver(t.dialog)
  Object.assign(t.stub, { requests: [], answers: [answerText('Beagle')], hold: undefined })
})

/** A test that ends by asking what the page logged. */
const detectionTest = (name: string, play: (t: Shared) => Promise<void>) =>
  detecting(name, async (t) => {
    await play(t)
    assert.equal(t.errors, [])
    t.calls.length = 0
  })

const posts = ({ calls }: Shared) => calls.filter(({ method }) => method === 'POST').length

const open = async ({ server, page }: Pick<Shared, 'server' | 'page'>) => {
  await page.goto(`${server.url}/terminos`)
  return openAddForm(page)
}
const box = (dialog: Locator, text: string) => dialog.locator('.df-detect').filter({ hasText: text })
const breed = (dialog: Locator) => dialog.getByRole('combobox', { name: 'Raza' })
async function startOver(dialog: Locator): Promise<void> {
  // Without the list of all breeds, which is long to draw.
  if (await button(dialog, 'Deshacer').isVisible()) await button(dialog, 'Deshacer').click()
  await removePhotos(dialog)
  await dialog.locator('.df-detect').waitFor({ state: 'detached' })
  if ((await breed(dialog).inputValue()) === '') return
  await breed(dialog).fill('')
  await breed(dialog).press('Tab')
}
const said = (dialog: Locator) => dialog.locator('.df-left > .sr[role=status]').textContent()
const button = (dialog: Locator, name: string) => dialog.locator('.df-detect').getByRole('button', { name })

async function choose(page: Page, dialog: Locator, name: string): Promise<void> {
  await breed(dialog).fill(name)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
}

detectionTest('analyses the first photo, says the breed and puts it in the form', async (t) => {
  const { page, stub, dialog } = t
  const { promise: hold, resolve: answer } = Promise.withResolvers<void>()
  stub.hold = hold
  assert.equal(t.calls, [])
  const photo = await phonePhoto(2000, 1500)
  assert.ok(photo.length > 300_000)
  await attachPhotos(dialog, [{ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: photo }])
  await box(dialog, 'Analizando la foto…').waitFor()
  assert.is(await said(dialog), 'Analizando la foto…')
  answer()
  await box(dialog, 'Raza detectada').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Beagle')
  assert.is(await said(dialog), 'Raza detectada: Beagle. Ya está elegida.')
  assert.equal(
    t.calls.map(({ method }) => method),
    ['GET', 'POST'],
  )
  assert.ok(t.calls[1]!.bytes < 250_000, 'the compressed photo is sent')
  await breed(dialog).click()
  const first = dialog.getByRole('option').first()
  assert.match(await first.innerText(), /Beagle\s*Sugerida/)
  await page.keyboard.press('Escape')
  assert.equal(await axeFaults(page, { within: 'dialog.df' }), [])

  await button(dialog, 'Deshacer').click()
  assert.is(await breed(dialog).inputValue(), '')
  assert.is(await said(dialog), 'Raza detectada: Beagle.')
  await button(dialog, 'Usar Beagle').click()
  assert.is(await breed(dialog).inputValue(), 'Beagle')
  assert.ok(await button(dialog, 'Deshacer').evaluate((element) => element === document.activeElement))
})

detectionTest('mestizo selects mestizo and asks for the mix', async (t) => {
  const { stub, dialog } = t
  stub.answers = [answerText('Parece un mestizo de podenco')]
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'Mestizo').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Mestizo')
  assert.ok(await dialog.getByLabel('¿Mezcla de qué?').isVisible())
})

detectionTest('what the person chose stays, before and while it looks', async (t) => {
  const { page, stub, dialog } = t
  await choose(page, dialog, 'carlino')
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'Beagle').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Carlino')
  await button(dialog, 'Usar Beagle').waitFor()

  await dialog.getByRole('button', { name: 'Quitar foto 1' }).click()
  await box(dialog, 'Beagle').waitFor({ state: 'detached' })
  await breed(dialog).fill('')
  await page.keyboard.press('Tab')
  const { promise: hold, resolve: answer } = Promise.withResolvers<void>()
  Object.assign(stub, { hold, answers: [answerText('Bóxer')] })
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'Analizando la foto…').waitFor()
  await choose(page, dialog, 'carlino')
  answer()
  await box(dialog, 'Bóxer').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Carlino')
})

detectionTest('a breed that is not in the list is shown with its text', async (t) => {
  const { stub, dialog } = t
  stub.answers = [answerText('Dogo de las Cañadas')]
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'Dogo de las Cañadas').waitFor()
  assert.ok(await dialog.getByText('No está en la lista: elige la que más se parezca.', { exact: true }).isVisible())
  assert.is(await breed(dialog).inputValue(), '')
  assert.is(await dialog.locator('.df-detect button').count(), 0)
})

detectionTest('a failure says why and can be tried again', async (t) => {
  const { stub, dialog } = t
  stub.answers = [
    answerText('Desconocida'),
    answerError(403, 'no'),
    answerError(503, 'Saturado'),
    answerError(503, 'Saturado'),
    answerText('Bóxer'),
  ]
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'No se pudo detectar la raza').waitFor()
  assert.is(await said(dialog), 'No se pudo detectar la raza')
  await button(dialog, 'Reintentar').click()
  await box(dialog, 'Error: API key inválida o expirada').waitFor()
  assert.ok(await dialog.locator('.df-detect').evaluate((element) => element === document.activeElement))
  await button(dialog, 'Reintentar').click()
  await box(dialog, 'Error: Saturado').waitFor()
  await button(dialog, 'Reintentar').click()
  await box(dialog, 'Bóxer').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Bóxer')
  assert.is(posts(t), 4)
  // The browser logs what is not a 200 by itself.
  assert.is(t.errors.splice(0).filter((text) => text.includes('status of 502')).length, 2)
})

detectionTest('another first photo ends the call, and one that was asked about is not again', async (t) => {
  const { page, stub, dialog } = t
  const [one, two] = await smallPhotos(2)
  await attachPhotos(dialog, [one!])
  await box(dialog, 'Beagle').waitFor()
  const { promise: hold, resolve: answer } = Promise.withResolvers<void>()
  Object.assign(stub, { hold, answers: [answerText('Bóxer'), answerText('Carlino')] })
  const aborted = stub.aborted
  await attachPhotos(dialog, [two!])
  const swap = async () => {
    await dialog.getByRole('button', { name: 'Mover foto 2' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
  }
  await swap()
  await box(dialog, 'Analizando la foto…').waitFor()
  await waitUntilTrue('it is asked about', async () => stub.requests.length >= 2)
  await swap()
  await box(dialog, 'Beagle').waitFor()
  await waitUntilTrue('the call is ended', async () => stub.aborted !== aborted)
  answer()
  await swap()
  await box(dialog, 'Carlino').waitFor()
  // What the detection had put there itself gives way.
  assert.is(await breed(dialog).inputValue(), 'Carlino')
  await swap()
  await box(dialog, 'Beagle').waitFor()
  assert.is(posts(t), 3)
})

detectionTest('offline nothing shows and nothing is asked; back online it is', async (t) => {
  const { context, stub, dialog } = t
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'Beagle').waitFor()
  await context.setOffline(true)
  stub.answers = [answerText('Bóxer')]
  await dialog.getByRole('button', { name: 'Quitar foto 1' }).click()
  await attachPhotos(dialog, await smallPhotos(1))
  assert.is(await dialog.locator('.df-detect').count(), 0)
  assert.is(posts(t), 1)
  await context.setOffline(false)
  await box(dialog, 'Bóxer').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Bóxer')
  // Offline a browser logs whatever else the page asks for: pictures, the live stream.
  t.errors.splice(0, Infinity, ...t.errors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')))
})

detectionTest('a phone shows it too, without widening the form', async (t) => {
  const { page, stub, dialog } = t
  await page.setViewportSize(PHONE.viewport)
  stub.answers = [answerText('Extraordinariamente-larguísimo-can')]
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'larguísimo').waitFor()
  assert.ok(await dialog.locator('.df-scroll').evaluate((element) => element.scrollWidth <= element.clientWidth))
  await page.setViewportSize(DESKTOP.viewport)
})

detectionTest('a dog’s kept photo is asked nowhere, a new first one is', async (t) => {
  const { server, context, page } = t
  await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
  const adding = await open(t)
  await attachPhotos(adding, await smallPhotos(1))
  await box(adding, 'Beagle').waitFor()
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/dogs'))
  await submitForm(adding)
  const { dog } = (await (await answer).json()) as { dog: { id: string; breed: string } }
  assert.is(dog.breed, 'Beagle')
  await dogForm(page).waitFor({ state: 'detached' })
  t.stub.answers = [answerText('Bóxer')]
  const dialog = await openEditForm(page, dog.id)
  await dialog.locator('.df-tile img').first().waitFor()
  assert.is(await dialog.locator('.df-detect').count(), 0)
  assert.is(posts(t), 1)
  await dialog.getByRole('button', { name: 'Quitar foto 1' }).click()
  await attachPhotos(dialog, await smallPhotos(1))
  await box(dialog, 'Bóxer').waitFor()
  assert.is(await breed(dialog).inputValue(), 'Beagle')
  assert.is(posts(t), 2)
})

// What such a server answers: tests/api/dogs/breed-detection.
detectionTest('where it is not configured nothing shows and nothing is sent', async (t) => {
  const { page } = t
  await page.route('**/api/breed-detection', (route) => route.fulfill({ json: { available: false } }))
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/breed-detection'))
  const dialog = (t.dialog = await open(t))
  await attachPhotos(dialog, await smallPhotos(2))
  await answer
  await dialog.getByRole('button', { name: 'Quitar foto 1' }).click()
  await dialog.getByRole('button', { name: 'Quitar foto 2' }).waitFor({ state: 'detached' })
  assert.is(await dialog.locator('.df-detect').count(), 0)
  assert.is(await dialog.locator('.df-left > .sr[role=status]').count(), 0)
  assert.equal(
    t.calls.map(({ method }) => method),
    ['GET'],
  )
})
