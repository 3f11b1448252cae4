import type { Page } from 'playwright'
import { call } from '#tests/support/api.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, openContext, PHONE } from '#tests/support/browser/chromium.ts'
import { attachPhotos, closeLanding, dogForm, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { answerText, type GeminiStub, startGeminiStub } from '#tests/support/stubs/gemini.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  stub: GeminiStub
  page: Page
}

// The form never decides a breed in silence (docs/product.md §11.3).
const asking = browserSuite<Shared>('the question of the breed', async (t) => {
  t.stub = await startGeminiStub()
  return { GEMINI_API_KEY: 'clave', GEMINI_URL: t.stub.url }
})

asking.before(async (t) => {
  const context = await openContext(t.browser, DESKTOP)
  t.page = await context.newPage()
  await useSession(context, t.server, await signInMember(t.server))
})
asking.after(({ stub }) => stub.stop())

asking(
  'a dog without a breed is asked for it; going back loses nothing, and an answer saves',
  async ({ server, page }) => {
    await page.route('**/api/breed-detection', (route) => route.fulfill({ json: { available: false } }))
    await page.goto(`${server.url}/razas/beagle`)
    await page.getByRole('link', { name: '¿Tienes un Beagle? Pega su cromo' }).click()
    const dialog = dogForm(page)
    const breed = dialog.getByRole('combobox', { name: 'Raza' })
    await breed.waitFor()
    assert.is(await breed.inputValue(), 'Beagle')
    await attachPhotos(dialog, await smallPhotos(1))
    await dialog.getByLabel('Nombre').fill('Sin papeles')
    await breed.fill('')
    await breed.press('Tab')
    const save = dialog.getByRole('button', { name: 'Añadir perro' })
    const question = dialog.getByRole('group', { name: '¿De qué raza?' })
    for (const goBack of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await save.click()
      await question.and(page.locator(':focus')).waitFor()
      assert.is(await save.count(), 0)
      await goBack()
      await breed.and(page.locator(':focus')).waitFor()
      assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Sin papeles')
    }
    await save.click()
    for (const { viewport } of [{ viewport: { width: 640, height: 360 } }, PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      assert.equal(await axeFaultsInBothThemes(page, { within: 'dialog.df' }), [])
      assert.equal(await question.getByRole('button').allInnerTexts(), ['Mestizo', 'No lo sé', 'Buscar otra'])
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null })
    await question.focus()
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
    await closeLanding(page)
    await page.unroute('**/api/breed-detection')
    assert.is((await call(server, '/api/dogs')).body.dogs[0].breed, 'Mestizo')
  },
)

asking('a dog saved without a breed is asked for it with what was detected', async ({ stub, server, page }) => {
  await page.goto(`${server.url}/terminos`)
  const dialog = await openAddForm(page)
  stub.answers = [answerText('Beagle')]
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByRole('button', { name: 'Deshacer' }).click()
  await dialog.getByRole('button', { name: 'Añadir perro' }).click()
  const question = dialog.getByRole('group', { name: '¿De qué raza?' })
  assert.is(await question.getByRole('button').first().innerText(), 'Beagle')
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/dogs'))
  await question.getByRole('button', { name: 'Beagle' }).click()
  assert.is(((await (await answer).json()) as { dog: { breed: string } }).dog.breed, 'Beagle')
  await dialog.waitFor({ state: 'detached' })
})
