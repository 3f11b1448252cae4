import type { Locator, Page } from 'playwright'
import { axeFaults, axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import {
  cameraPhoto,
  attachPhotos,
  closeLanding,
  openAddForm,
  smallPhotos,
  submitForm,
} from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  page: Page
  /** The open form: each test goes on with what the last one left in it. */
  dialog: Locator
}

const adding = browserSuite<Shared>('adding a dog')

adding.before(async (t) => {
  t.page = await (await openContext(t.browser)).newPage()
})

const dogs = async (server: TestServer) => {
  const answer = (await (await fetch(`${server.url}/api/dogs`)).json()) as { dogs: Record<string, unknown>[] }
  return answer.dogs
}
const textOf = (page: Page, selector: string) => page.locator(`dialog.df ${selector}`).innerText()

adding('the form’s code comes with the first look at a trigger, not with the page', async (t) => {
  const { server, page } = t
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  const requests = watchRequests(page)
  // A page without any other island: the list brings React by itself.
  await page.goto(`${server.url}/terminos`)
  await waitUntilQuiet(page, requests)
  assert.not(scripts.some((url) => url.includes('DogForm')))
  const island = await page.locator('astro-island[component-url*=DogForm]').getAttribute('renderer-url')
  assert.not(scripts.some((url) => url.endsWith(island!)))
  t.dialog = await openAddForm(page)
  assert.ok(scripts.some((url) => url.includes('DogForm')))
  assert.ok(scripts.some((url) => url.endsWith(island!)))
})

adding('says what is wrong beside each field and goes to the first', async ({ server, page, dialog }) => {
  const before = (await dogs(server)).length
  await dialog.getByLabel('Peso').fill('-12')
  await dialog.getByLabel('Edad (opcional)').fill('2.5')
  await dialog.getByLabel('Zona').fill('Madrid!')
  await submitForm(dialog)
  assert.is(await textOf(page, '#df-images-error'), 'Por favor, sube al menos una imagen del perro.')
  assert.is(await textOf(page, '#df-weight-error'), 'El peso debe ser un número positivo.')
  assert.is(await textOf(page, '#df-age-error'), 'Edad debe ser un número entero positivo.')
  assert.is(
    await textOf(page, '#df-zone-error'),
    'Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.',
  )
  await page.waitForFunction(() => document.activeElement?.id === 'df-images')
  assert.is(await dialog.getByLabel('Peso').getAttribute('aria-describedby'), 'df-weight-hint df-weight-error')
  assert.is(await dialog.getByLabel('Peso').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Peso').fill('12')
  assert.is(await dialog.locator('#df-weight-error').count(), 0)
  assert.is((await dogs(server)).length, before)
})

adding(
  'the breed list searches without accents, marks the match and says when there is none',
  async ({ page, dialog }) => {
    const breed = dialog.getByRole('combobox', { name: 'Raza' })
    await breed.click()
    assert.is(await breed.getAttribute('aria-expanded'), 'true')
    assert.is(await dialog.getByRole('option').first().innerText(), 'Mestizo')
    await page.keyboard.type('pastor alem')
    assert.is(await dialog.locator('.df-opt mark').first().innerText(), 'Pastor alem')
    const active = await breed.getAttribute('aria-activedescendant')
    assert.is(await dialog.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
    // Safari says of the Enter that ends a composition only its key code.
    await breed.evaluate((field) =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      ),
    )
    assert.is(await breed.getAttribute('aria-expanded'), 'true')
    await breed.fill('zzzz')
    assert.ok(await dialog.locator('.df-none').getByText('No se encontró ninguna raza').isVisible())
    await page.keyboard.press('Escape')
    assert.is(await breed.getAttribute('aria-expanded'), 'false')
    assert.ok(await dialog.isVisible(), 'Escape closed the list, not the dialog')
    assert.is(await breed.inputValue(), '')
  },
)

adding('can be used by everyone, on a desktop and a phone', async ({ page, dialog }) => {
  await attachPhotos(dialog, await smallPhotos(2))
  await dialog.getByLabel('Peso').fill('-1')
  await dialog.getByText('Grande', { exact: true }).click()
  await submitForm(dialog)
  await dialog.locator('#df-weight-error').waitFor()
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    assert.equal(await axeFaultsInBothThemes(page, { within: 'dialog.df' }), [])
    // In both themes: tests/browser/accessibility/dialogs-form.
    await dialog.getByRole('combobox', { name: 'Raza' }).fill('bea')
    await dialog.getByRole('option').first().waitFor()
    assert.equal(await axeFaults(page, { within: 'dialog.df [role=listbox]' }), [])
    const overflow = await page.evaluate(() => {
      const box = document.querySelector('.df-scroll')!
      return box.scrollWidth - box.clientWidth
    })
    assert.is(overflow, 0, 'nothing sticks out sideways')
    await page.keyboard.press('Escape')
    assert.ok(await dialog.isVisible())
  }
  await page.setViewportSize(DESKTOP.viewport)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
})

adding('the server’s errors keep the form open with all that was typed', async ({ page, dialog }) => {
  for (const field of ['Peso', 'Zona']) await dialog.getByLabel(field).fill('')
  await dialog.getByLabel('Edad (opcional)').fill('')
  await dialog.getByLabel('Nombre').fill('Nube')
  const answer = (status: number, body: object) =>
    page.route(
      '**/api/dogs',
      (route) => route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(body) }),
      { times: 1 },
    )
  await answer(500, { detail: 'Error inesperado. Intenta de nuevo.' })
  await submitForm(dialog)
  await dialog.getByText('Error guardando el perro: Error inesperado. Intenta de nuevo.').waitFor()
  await answer(422, { detail: 'Zona no válida.', errors: { zone: 'Zona no válida.' } })
  await submitForm(dialog)
  await dialog.locator('#df-zone-error').waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'df-zone')
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Nube')
  assert.is(await dialog.locator('.df-tile img').count(), 2)
})

adding(
  'a visitor adds a dog by two presses: it is sent once, its claim stays, they are taken to register',
  async (t) => {
    const { server, page, dialog } = t
    await dialog.getByLabel('Nombre').fill('Rex')
    await dialog.getByRole('combobox', { name: 'Raza' }).fill('mestizo')
    await page.keyboard.press('Enter')
    assert.ok(await dialog.getByText('Si lo dejas vacío, se guarda como Mestizo.').isVisible())
    await dialog.getByLabel('¿Mezcla de qué?').fill('labrador y galgo')
    await dialog.getByLabel('Zona').fill('Jaca')
    let sends = 0
    let letGo = () => {}
    const held = new Promise<void>((done) => (letGo = done))
    await page.route('**/api/dogs', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sends++
      await held
      return route.continue()
    })
    await page.evaluate(() => {
      const { form } = document.querySelector<HTMLButtonElement>('.df-buttons [type=submit]')!
      form!.requestSubmit()
      form!.requestSubmit()
    })
    const busy = dialog.getByRole('button', { name: 'Guardando…' })
    await busy.waitFor()
    assert.ok(await busy.isDisabled())
    await page.keyboard.press('Escape')
    assert.ok(await dialog.isVisible(), 'what is being saved is not closed')
    letGo()
    await dialog.getByText('Perro añadido. Te llevamos a registrarte para que sea tuyo.').waitFor()
    await page.waitForURL('**/perfil')
    assert.is(sends, 1)
    await page.unroute('**/api/dogs')
    const stored = (await dogs(server)).find(({ name }) => name === 'Rex')!
    assert.is(stored.breed, 'labrador y galgo')
    assert.is(stored.owner_id, null)
    const [association, list] = await page.evaluate(() =>
      ['pending-dog-association', 'pending-dogs-data'].map((key) => JSON.parse(localStorage.getItem(key) ?? 'null')),
    )
    assert.is(association.dogId, stored.id)
    assert.is(association.ownershipType, 'owner')
    assert.type(association.createdAt, 'number')
    assert.ok(association.token.length > 10)
    assert.is(list[0].dog.id, stored.id)
    assert.is(list[0].email, '')
  },
)

adding('a member adds a dog with photos; everyone hears of it and the form closes', async (t) => {
  const { server, page } = t
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await useSession(page.context(), server, ana)
  const errors = watchErrors(page)
  await page.goto(`${server.url}/`)
  const dialog = (t.dialog = await openAddForm(page))
  await page.evaluate(() =>
    window.addEventListener('perrario:dog-saved', (event) => {
      document.title = JSON.stringify((event as CustomEvent).detail)
    }),
  )
  await attachPhotos(dialog, [await cameraPhoto(), ...(await smallPhotos(1))])
  await dialog.getByLabel('Nombre').fill('Toby')
  await dialog.getByRole('combobox', { name: 'Raza' }).fill('pastor aleman')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Edad (opcional)').fill('5')
  await dialog.getByText('meses', { exact: true }).click()
  await dialog.getByLabel('Peso').fill('12.5')
  await dialog.getByText('Mediano', { exact: true }).click()
  await dialog.getByLabel('Zona').fill('Chamberí, Madrid')
  await dialog.getByText('Descubridor', { exact: true }).click()
  await dialog.getByLabel('Descripción').fill('Ladra a las aspiradoras.')
  await dialog.getByRole('switch', { name: 'Adoptado' }).check()
  await submitForm(dialog)
  await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
  await closeLanding(page)

  const { mode, dog } = JSON.parse(await page.title()) as { mode: string; dog: Record<string, unknown> }
  assert.is(mode, 'add')
  const stored = (await dogs(server)).find(({ id }) => id === dog.id)!
  const { name, breed, age, age_unit, weight, size, zone, discoverer_id, owner_id, description, is_adopted } = stored
  assert.equal(
    { name, breed, age, age_unit, weight, size, zone, discoverer_id, owner_id, description, is_adopted },
    {
      name: 'Toby',
      breed: 'Pastor alemán',
      age: 5,
      age_unit: 'meses',
      weight: 12.5,
      size: 'mediano',
      zone: 'Chamberí, Madrid',
      discoverer_id: ana.id,
      owner_id: null,
      description: 'Ladra a las aspiradoras.',
      is_adopted: true,
    },
  )
  assert.is((stored.images as unknown[]).length, 2)
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('borrador'))), [])
  assert.ok(await page.evaluate(() => document.activeElement?.matches('[data-add-dog]')))
  assert.equal(errors, [])
})

adding('two sends of the same form make one dog', async ({ server, page }) => {
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Nombre').fill('Única')
  // The first answer gets lost on its way back: the dog is there, the person cannot know.
  let sends = 0
  await page.route('**/api/dogs', async (route) => {
    // The list behind the form reads the same address.
    if (route.request().method() !== 'POST' || sends++ > 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await submitForm(dialog)
  await dialog.getByText('Guardado en este dispositivo. Se enviará cuando vuelva la conexión.').waitFor()
  // It is sent again by itself.
  await page.getByText('Única ya está en el álbum.').waitFor()
  assert.is(sends, 2)
  assert.is((await dogs(server)).filter(({ name }) => name === 'Única').length, 1)
})
