import type { Locator, Page } from 'playwright'
import { openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, dogForm, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const programs = browserSuite<{ page: Page }>('the dog form and programs')
programs.before(async (t) => {
  t.page = await (await openContext(t.browser)).newPage()
  await t.page.goto(`${t.server.url}/terminos`)
})

const names = async (server: TestServer) => {
  const answer = (await (await fetch(`${server.url}/api/dogs`)).json()) as { dogs: { name: string }[] }
  return answer.dogs.map(({ name }) => name)
}
/** Keeps what the form sends from now on: Playwright does not show bodies that hold files. */
const captureForms = (page: Page) =>
  page.evaluate(() => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      const texts = [...(body as FormData)].filter(([, value]) => typeof value === 'string')
      sessionStorage.setItem('sent', JSON.stringify(Object.fromEntries(texts)))
      send.call(this, body)
    }
  })
const sent = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('sent')!))

/** What the form says before it leads to the registration: tests/browser/dog-form/add. */
const addedAsVisitor = (dialog: Locator) =>
  dialog.getByText('Perro añadido. Te llevamos a registrarte para que sea tuyo.').waitFor()

programs('people never meet the trap: neither eye, nor key, nor screen reader', async ({ page }) => {
  const dialog = await openAddForm(page)
  const trap = dialog.locator('input[name=hueso]')
  assert.is(await trap.evaluate((element) => element.closest('[aria-hidden=true]') !== null), true)
  const { width, height } = (await dialog.locator('.trap').boundingBox())!
  assert.ok(width <= 1 && height <= 1, `${width} x ${height}`)
  const before = await dialog.locator('form').evaluate((form) => form.scrollHeight - form.clientHeight)
  assert.ok(before <= 0, 'it takes no room')
  const met = new Set<string>()
  await dialog.getByLabel('Nombre').focus()
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab')
    met.add(await page.evaluate(() => (document.activeElement as HTMLInputElement).name ?? ''))
  }
  assert.ok(met.has('description'), [...met].join())
  assert.not(met.has('hueso'))
})

programs('one that fills in all it finds adds nothing; a person’s second press goes through', async (t) => {
  const { server, page } = t
  const dialog = dogForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  // As a program does: whatever is there, seen or not.
  for (const input of await dialog.locator('input:not([type], [inputmode]), input[name=zone]').all())
    await input.evaluate((element: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(element, 'Sevilla')
      element.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await submitForm(dialog)
  // What stands in the field is no breed of the list.
  await dialog.getByRole('button', { name: 'No lo sé' }).click()
  await dialog
    .getByText(
      'Error guardando el perro: Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Aquí sigue todo: vuelve a pulsar «Añadir perro».',
    )
    .waitFor()
  assert.equal(await names(server), [])
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Sevilla')
  assert.is(await dialog.locator('.df-tile img').count(), 1)
  await submitForm(dialog)
  await addedAsVisitor(dialog)
  assert.equal(await names(server), ['Sevilla'])
})

programs('a visitor who is faster than people can be waits the rest of two seconds', async ({ server, page }) => {
  const errors = watchErrors(page)
  await page.goto(`${server.url}/terminos`)
  await captureForms(page)
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Nombre').fill('Rauda')
  await submitForm(dialog)
  await addedAsVisitor(dialog)
  const { open_for_ms, hueso, name } = await sent(page)
  assert.ok(Number(open_for_ms) >= 2000, open_for_ms)
  assert.equal([hueso, name], [undefined, 'Rauda'])
  assert.ok((await names(server)).includes('Rauda'))
  assert.equal(errors, [])
})

programs('what was sent too soon all the same keeps what was typed, and goes at the second press', async (t) => {
  const { server, page } = t
  await page.goto(`${server.url}/terminos`)
  // A clock that stands still: the form waits, and says that no time has passed.
  await page.evaluate(() => Object.assign(performance, { now: () => 100 }))
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Nombre').fill('Prisa')
  await submitForm(dialog)
  await dialog
    .getByText(
      'Error guardando el perro: ¡Qué rapidez! Para no confundirte con un programa, espera un par de segundos y vuelve a pulsar «Añadir perro»: aquí sigue todo.',
    )
    .waitFor()
  assert.not((await names(server)).includes('Prisa'))
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Prisa')
  await page.evaluate(() => Object.assign(performance, { now: () => 60_000 }))
  await submitForm(dialog)
  await addedAsVisitor(dialog)
  assert.ok((await names(server)).includes('Prisa'))
})
