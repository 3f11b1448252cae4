import type { Browser, BrowserContext, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, openEditForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const NUMBER_REMOVED_MESSAGE = 'Hemos quitado el número: de una dirección solo se guarda la calle.'

interface Shared {
  server: TestServer
  browser: Browser
}

const zones = suite<Shared>('the number of a door')
zones.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
})
zones.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

async function start({ browser, server }: Shared, options = DESKTOP): Promise<[BrowserContext, Page]> {
  const context = await openContext(browser, options)
  await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
  const page = await context.newPage()
  await page.goto(`${server.url}/terminos`)
  return [context, page]
}
const savedDog = async (page: Page) =>
  (await (
    await page.waitForResponse((answer) => /\/api\/dogs/.test(answer.url()) && answer.request().method() !== 'GET')
  ).json()) as { dog: { id: string; zone: string | null } }

for (const screen of [DESKTOP, PHONE])
  zones(`goes as the field is left, with a word, at ${screen.viewport.width} px`, async (t) => {
    const [context, page] = await start(t, screen)
    const dialog = await openAddForm(page)
    await attachPhotos(dialog, await smallPhotos(1))
    const zone = dialog.getByLabel('Zona')
    await zone.pressSequentially('Calle de Alcalá, 45, Madrid')
    await dialog.getByLabel('Descripción').focus()
    assert.is(await zone.inputValue(), 'Calle de Alcalá, Madrid')
    assert.is(await dialog.getByRole('status').getByText(NUMBER_REMOVED_MESSAGE).count(), 1)
    // It is said of what stands there.
    await zone.fill('Getafe')
    assert.is(await dialog.getByText(NUMBER_REMOVED_MESSAGE).count(), 0)
    await zone.fill('Distrito 22')
    await dialog.getByLabel('Descripción').focus()
    assert.is(await zone.inputValue(), 'Distrito 22')
    await context.close()
  })

zones('goes where Enter sends the form, and the word outlives it; the same when editing', async (t) => {
  const [context, page] = await start(t)
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Zona').fill('Plaza 2 de Mayo 7, Madrid')
  const added = savedDog(page)
  await dialog.getByLabel('Zona').press('Enter')
  const { dog } = await added
  assert.is(dog.zone, 'Plaza 2 de Mayo, Madrid')
  await page.locator('.toast', { hasText: NUMBER_REMOVED_MESSAGE }).waitFor()
  await dialog.waitFor({ state: 'detached' })

  const editing = await openEditForm(page, dog.id)
  await editing.getByLabel('Zona').fill('Avenida de América 45')
  const edited = savedDog(page)
  await submitForm(editing)
  assert.is((await edited).dog.zone, 'Avenida de América')
  await editing.waitFor({ state: 'detached' })
  await context.close()
})

zones('never reaches the database from a program either', async ({ server }) => {
  const ana = await signInMember(server, 'ana@ejemplo.es')
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

zones.run()
