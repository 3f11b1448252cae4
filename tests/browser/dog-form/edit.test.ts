import type { Locator, Page, Request } from 'playwright'
import { openContext } from '#tests/support/browser/chromium.ts'
import { dogForm, attachPhotos, openEditForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { dogHelpers, jpeg, otherJpeg } from '#tests/support/dogs/dogs-api.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface OwnDog {
  id: string
  images: { url: string }[]
}
interface Shared extends BrowserWorld {
  page: Page
  ana: TestMember
  /** Ana's, with two photos. */
  dog: OwnDog
}

const editing = browserSuite<Shared>('editing a dog')

editing.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  const images = [jpeg, otherJpeg]
  t.dog = (await dogHelpers(t.server).added({ images }, t.ana.cookie)).dog
  t.page = await (await openContext(t.browser)).newPage()
  await useSession(t.page.context(), t.server, t.ana)
  await t.page.goto(`${t.server.url}/terminos`)
})

/** What the page sends from now on that changes something. */
function watchWrites(page: Page, line: (request: Request) => string): string[] {
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(line(request)))
  return sent
}

/** Takes back another name and closes the form: no draft stays. */
async function leave(dialog: Locator, name: string): Promise<void> {
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await dialog.waitFor({ state: 'detached' })
}

const stored = async (server: TestServer, { id }: OwnDog) =>
  ((await (await fetch(`${server.url}/api/dogs/${id}`)).json()) as { dog: OwnDog & Record<string, unknown> }).dog

editing('sends only what changed', async ({ server, page, dog }) => {
  const sent = watchWrites(page, (request) => `${request.method()} ${request.postData()}`)
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByRole('heading', { name: 'Editar perro' }).waitFor()
  const name = dialog.getByLabel('Nombre')
  assert.is(await name.inputValue(), 'Toby')
  await name.fill('Tobías')
  await submitForm(dialog)
  await dialog.getByRole('button', { name: 'Cambios guardados' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(sent, ['PATCH {"name":"Tobías"}'])
  assert.is((await stored(server, dog)).name, 'Tobías')
})

editing('sends the gallery when its order or its photos changed', async ({ server, page, dog }) => {
  const methods = watchWrites(page, (request) => request.method())
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByRole('button', { name: 'Mover foto 2' }).focus()
  for (const key of ['Space', 'ArrowLeft', 'Space']) await page.keyboard.press(key)
  await attachPhotos(dialog, await smallPhotos(1))
  await submitForm(dialog)
  await dialog.waitFor({ state: 'detached' })
  assert.equal(methods, ['PUT'])
  const urls = (await stored(server, dog)).images.map(({ url }) => url)
  assert.equal(urls.slice(0, 2), [dog.images[1]!.url, dog.images[0]!.url])
  assert.is(urls.length, 3)
})

editing('a save that fails keeps the form open', async ({ page, dog }) => {
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByLabel('Nombre').fill('Otro')
  await page.route('**/api/dogs/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"detail":"Sin espacio."}' })
      : route.continue(),
  )
  await submitForm(dialog)
  await dialog.getByText('Error guardando los cambios: Sin espacio.').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Otro')
  await page.unroute('**/api/dogs/*')
  await leave(dialog, 'Tobías')
})

editing('without network an edit says so in Spanish and keeps what was typed', async ({ server, page, dog }) => {
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByLabel('Descripción').fill('Duerme mucho.')
  const says = 'Error guardando los cambios: No se pudo conectar con el servidor. Lo que has escrito sigue aquí'
  await page.context().setOffline(true)
  await submitForm(dialog)
  await dialog.getByText(says).waitFor()
  assert.is(await dialog.getByLabel('Descripción').inputValue(), 'Duerme mucho.')
  // With a new photo it goes another way, and is told alike.
  await attachPhotos(dialog, await smallPhotos(1))
  await submitForm(dialog)
  await dialog.getByText(says).waitFor()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('[data-edit-dog]').click()
  await dialog.getByText('No se pudo conectar con el servidor.', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await page.context().setOffline(false)
  await page.locator('[data-edit-dog]').click()
  await dialog.getByText('Borrador recuperado').waitFor()
  await submitForm(dialog)
  await dialog.waitFor({ state: 'detached' })
  const { description, images } = await stored(server, dog)
  assert.equal([description, images.length], ['Duerme mucho.', 4])
})

editing('a session that ended keeps what was typed and says where to sign in', async (t) => {
  const { server, page, dog } = t
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByLabel('Descripción').fill('Duerme poco.')
  await page.context().clearCookies()
  await submitForm(dialog)
  await dialog.getByText('Error: Usuario no autenticado').waitFor()
  assert.is(await dialog.getByRole('link', { name: 'inicia sesión' }).getAttribute('href'), '/login')

  await useSession(page.context(), server, t.ana)
  await page.reload()
  const again = await openEditForm(page, dog.id)
  await again.getByText('Borrador recuperado').waitFor()
  assert.is(await again.getByLabel('Descripción').inputValue(), 'Duerme poco.')
  await submitForm(again)
  await again.waitFor({ state: 'detached' })
  assert.is((await stored(server, dog)).description, 'Duerme poco.')
})

editing('another person’s dog is refused by the server, with its reason', async ({ server, page, ana, dog }) => {
  const name = 'Tobías'
  await page.context().clearCookies()
  await useSession(page.context(), server, await signInMember(server, 'luis@ejemplo.es'))
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByLabel('Nombre').fill('Mío')
  await submitForm(dialog)
  await dialog.getByText(/^Error guardando los cambios: ./).waitFor()
  assert.is((await stored(server, dog)).name, name)
  await leave(dialog, name)
  await useSession(page.context(), server, ana)
})

editing('an unknown dog says so instead of an empty form', async ({ page }) => {
  const dialog = await openEditForm(page, UNKNOWN_ID)
  await dialog.getByRole('alert').waitFor()
  assert.is(await dialog.locator('form').count(), 0)
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await dogForm(page).waitFor({ state: 'detached' })
})

editing('a dog that cannot be reached is tried again, in the same place', async ({ page, dog }) => {
  const address = `**/api/dogs/${dog.id}`
  await page.route(address, (route) => route.abort())
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByText('No se pudo conectar con el servidor.').waitFor()
  await dialog.getByRole('button', { name: 'Reintentar' }).click()
  await dialog.getByText('No se pudo conectar con el servidor.').waitFor()
  await page.unroute(address)
  await dialog.getByRole('button', { name: 'Reintentar' }).click()
  await dialog.getByLabel('Nombre').waitFor()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await dogForm(page).waitFor({ state: 'detached' })
})

editing('a field that is wrong comes into view with its label, whatever was scrolled to', async ({ page, dog }) => {
  const { width, height } = page.viewportSize()!
  for (const viewport of [
    { width: 1320, height: 620 },
    { width: 390, height: 660 },
  ]) {
    await page.setViewportSize(viewport)
    const dialog = await openEditForm(page, dog.id)
    const before = await dialog.getByLabel('Nombre').inputValue()
    await dialog.getByLabel('Nombre').fill('<b>')
    await dialog
      .locator('.df-scroll')
      .evaluate((area) => area.scrollTo({ top: area.scrollHeight, behavior: 'instant' }))
    await submitForm(dialog)
    await dialog.locator('#df-name:focus').waitFor()
    const room = await dialog.locator('.df-scroll').evaluate((area) => {
      const label = area.querySelector('label[for=df-name]')!
      return label.getBoundingClientRect().top - area.getBoundingClientRect().top
    })
    assert.ok(room >= 0, `${viewport.width} x ${viewport.height}: the label is ${-room} px above the edge`)
    await leave(dialog, before)
  }
  await page.setViewportSize({ width, height })
})

editing('words that are reviewed leave those of before, and the rest is saved', async ({ server, page, dog }) => {
  const before = await stored(server, dog)
  const dialog = await openEditForm(page, dog.id)
  await dialog.getByLabel('Descripción').fill('Se vende por 200 euros.')
  await dialog.getByRole('button', { name: 'Mover foto 2' }).focus()
  for (const key of ['Space', 'ArrowLeft', 'Space']) await page.keyboard.press(key)
  await submitForm(dialog)
  await dialog
    .getByText('Guardado. Un texto lo revisaremos antes de publicarlo: mientras, sigue el de antes.')
    .waitFor()
  await dialog.waitFor({ state: 'detached' })
  const after = await stored(server, dog)
  assert.equal(
    after.images.slice(0, 2).map(({ url }) => url),
    [before.images[1]!.url, before.images[0]!.url],
  )
  assert.is(after.description, before.description)
})
