import type { Locator, Page } from 'playwright'
import { DESKTOP, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, openEditForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

const NUMBER_REMOVED_MESSAGE = 'Hemos quitado el número: de una dirección solo se guarda la calle.'

interface Shared extends BrowserWorld {
  page: Page
  ana: TestMember
  /** The open form, which has a photo. */
  dialog: Locator
}

const zones = browserSuite<Shared>('the number of a door')
zones.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  const context = await openContext(t.browser)
  await useSession(context, t.server, t.ana)
  t.page = await context.newPage()
  await t.page.goto(`${t.server.url}/terminos`)
  t.dialog = await openAddForm(t.page)
  await attachPhotos(t.dialog, await smallPhotos(1))
})

const savedDog = async (page: Page) =>
  (await (
    await page.waitForResponse((answer) => /\/api\/dogs/.test(answer.url()) && answer.request().method() !== 'GET')
  ).json()) as { dog: { id: string; zone: string | null } }

zones('goes as the field is left, with a word, on a desktop and a phone', async ({ page, dialog }) => {
  const zone = dialog.getByLabel('Zona')
  for (const { viewport } of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await zone.fill('')
    await zone.pressSequentially('Calle de Alcalá, 45, Madrid')
    await dialog.getByLabel('Descripción').focus()
    assert.is(await zone.inputValue(), 'Calle de Alcalá, Madrid')
    assert.is(await dialog.getByRole('status').getByText(NUMBER_REMOVED_MESSAGE).count(), 1)
    // It is said of what stands there.
    await zone.fill('Getafe')
    assert.is(await dialog.getByText(NUMBER_REMOVED_MESSAGE).count(), 0)
  }
  await zone.fill('Distrito 22')
  await dialog.getByLabel('Descripción').focus()
  assert.is(await zone.inputValue(), 'Distrito 22')
})

zones('apostrophes, slashes and full stops of zone and name are tidied with a word', async ({ dialog }) => {
  for (const [label, typed, stored] of [
    ['Zona', 'L’Hospitalet de Llobregat', 'L Hospitalet de Llobregat'],
    ['Zona', 'Alacant/Alicante', 'Alacant-Alicante'],
    ['Nombre', "D'Artagnan.", 'D Artagnan'],
  ] as const) {
    const field = dialog.getByLabel(label)
    await field.fill(typed)
    await dialog.getByLabel('Descripción').focus()
    assert.is(await field.inputValue(), stored)
    await dialog.getByRole('status').getByText(`Lo guardamos como «${stored}».`).waitFor()
  }
  await dialog.getByLabel('Nombre').fill('')
})

zones('goes where Enter sends the form, and the word outlives it; the same when editing', async ({ page, dialog }) => {
  await dialog.getByLabel('Zona').fill('Plaza 2 de Mayo 7, Madrid')
  const added = savedDog(page)
  await dialog.getByLabel('Zona').press('Enter')
  await dialog.getByRole('button', { name: 'No lo sé' }).click()
  const { dog } = await added
  assert.is(dog.zone, 'Plaza 2 de Mayo, Madrid')
  await page.locator('.toast', { hasText: NUMBER_REMOVED_MESSAGE }).waitFor()
  await dialog.waitFor({ state: 'detached' })

  await page.locator('.toast', { hasText: NUMBER_REMOVED_MESSAGE }).waitFor({ state: 'detached' })

  const editing = await openEditForm(page, dog.id)
  await editing.getByLabel('Zona').fill('Avenida de América 45')
  await editing.getByLabel('Descripción').focus()
  await editing.getByText(NUMBER_REMOVED_MESSAGE).waitFor()
  const edited = savedDog(page)
  await submitForm(editing)
  assert.is((await edited).dog.zone, 'Avenida de América')
  await editing.waitFor({ state: 'detached' })
  assert.is(await page.locator('.toast', { hasText: NUMBER_REMOVED_MESSAGE }).count(), 0, 'the form has said it')
})

zones('never reaches the database from a program either', async ({ server, ana }) => {
  const headers = { Cookie: ana.cookie, Origin: server.url }
  const body = new FormData()
  body.set('zone', 'calle Mayor núm. 12, 3º B, Getafe')
  const [photo] = await smallPhotos(1)
  body.set('images', new Blob([new Uint8Array(photo!.buffer)], { type: 'image/jpeg' }), 'a.jpg')
  const added = await fetch(`${server.url}/api/dogs`, { method: 'POST', body, headers })
  const { dog } = (await added.json()) as { dog: { id: string; zone: string } }
  assert.is(dog.zone, 'calle Mayor, Getafe')
  const edited = await fetch(`${server.url}/api/dogs/${dog.id}`, {
    method: 'PATCH',
    body: JSON.stringify({ zone: 'Gran Vía, 28, Madrid' }),
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
  assert.is(((await edited.json()) as { dog: { zone: string } }).dog.zone, 'Gran Vía, Madrid')
})
