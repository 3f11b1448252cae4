import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const numbers = browserSuite('the form’s numbers')

const AGE = 'Edad debe ser un número entero positivo.'
const AGE_MAX = 'La edad no puede pasar de 20 años.'
const WEIGHT_NOTATION = 'Escribe el peso solo con cifras y, si hace falta, una coma: por ejemplo, 22,5.'

for (const [locale, screen] of [
  ['es-ES', DESKTOP],
  ['en-US', PHONE],
] as const)
  numbers(`are what was typed, in a browser in ${locale}, ${screen.viewport.width} px`, async ({ server, browser }) => {
    const context = await browser.newContext({ ...screen, locale, serviceWorkers: 'block' })
    const page = await context.newPage()
    await page.goto(`${server.url}/terminos`)
    const dialog = await openAddForm(page)
    await attachPhotos(dialog, await smallPhotos(1))
    const age = dialog.getByLabel('Edad (opcional)')
    const weight = dialog.getByLabel('Peso')
    assert.is(await age.getAttribute('inputmode'), 'numeric')
    assert.is(await weight.getAttribute('inputmode'), 'decimal')
    // Both begin where the other fields begin.
    for (const field of [age, weight])
      assert.is(await field.evaluate((input) => getComputedStyle(input).textAlign), 'start')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))

    // Key by key: a field that drops the comma drops it here.
    const type = async (field: typeof age, text: string) => {
      await field.fill('')
      await field.pressSequentially(text)
      assert.is(await field.inputValue(), text)
    }
    const refusedWith = async (field: typeof age, text: string, says: string) => {
      await type(field, text)
      await submitForm(dialog)
      await dialog.locator('.err').getByText(says, { exact: true }).waitFor()
      assert.is(await field.getAttribute('aria-invalid'), 'true')
    }
    await refusedWith(age, '1,5', AGE)
    await refusedWith(age, '1.5', AGE)
    await refusedWith(age, '-3', AGE)
    await refusedWith(age, '1e1', AGE)
    await refusedWith(age, '21', AGE_MAX)
    await type(age, '3')
    assert.equal(await dialog.locator('#df-age-hint, #df-weight-hint').allInnerTexts(), [
      'De 1 a 20 años',
      'Hasta 250 kg, con un decimal',
    ])
    await refusedWith(weight, '-12 kg', 'El peso debe ser un número positivo.')
    await refusedWith(weight, '1,2,3', WEIGHT_NOTATION)
    await refusedWith(weight, '1e1', WEIGHT_NOTATION)
    await refusedWith(weight, '251', 'El peso no puede pasar de 250 kg.')
    assert.equal(sent, [])

    await type(weight, '22,5 kg')
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/dogs'))
    await submitForm(dialog)
    const { dog } = (await (await answer).json()) as { dog: Record<string, unknown> }
    assert.equal([dog.age, dog.age_unit, dog.weight], [3, 'años', 22.5])
    await context.close()
  })

numbers('an API client may write either sign in its form', async ({ server }) => {
  const [photo] = await smallPhotos(1)
  for (const [weight, stored] of [
    ['22,5', 22.5],
    ['22.5', 22.5],
    ['.5', 0.5],
    [',5', 0.5],
    ['22,5 kg', 22.5],
  ] as const) {
    const body = new FormData()
    body.set('name', 'Toby')
    body.set('weight', weight)
    body.set('images', new Blob([new Uint8Array(photo!.buffer)], { type: 'image/jpeg' }), 'a.jpg')
    const response = await fetch(`${server.url}/api/dogs`, { method: 'POST', body, headers: { Origin: server.url } })
    const { dog } = (await response.json()) as { dog: { weight: number } }
    assert.is(dog.weight, stored)
  }
})
