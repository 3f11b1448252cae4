import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { startServer } from '#tests/support/server.ts'
import { chatDog, startChatStub } from '#tests/support/stubs/chat-completions.ts'
import { assert, suite } from '#tests/support/suites.ts'

// What else the form does with a detection: tests/browser/dog-form/breed-detection.

const alternatives = suite('other breeds that a photo may show')

alternatives('are buttons under the one that was detected', async () => {
  const stub = await startChatStub()
  const server = await startServer({ DETECTION_URL: stub.url, DETECTION_MODEL: 'modelo' })
  const browser = await launchBrowser()
  try {
    const page = await (await openContext(browser)).newPage()
    const errors = watchErrors(page)
    stub.answers = [
      chatDog([
        ['Beagle', 'alta'],
        ['Dogo de las Cañadas', 'media'],
        ['Basset Hound', 'media'],
        ['Carlino', 'baja'],
      ]),
    ]
    await page.goto(`${server.url}/terminos`)
    const dialog = await openAddForm(page)
    await attachPhotos(dialog, await smallPhotos(1))
    const others = dialog.getByRole('group', { name: 'También podría ser' }).getByRole('button')
    await others.first().waitFor()
    const breed = dialog.getByRole('combobox', { name: 'Raza' })
    assert.is(await breed.inputValue(), 'Beagle')
    assert.is(
      await dialog.locator('.df-left > .sr[role=status]').textContent(),
      'Raza detectada: Beagle, muy probable. Ya está elegida. También podría ser: Basset Hound, probable; Carlino, quizá.',
    )
    assert.equal(await others.allTextContents(), ['Basset Hound probable', 'Carlino quizá'])

    await dialog.getByRole('button', { name: 'Deshacer' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.is(await breed.inputValue(), 'Basset Hound')
    assert.is(await others.first().getAttribute('aria-pressed'), 'true')
    assert.ok(await others.first().evaluate((element) => element === document.activeElement))
    for (const { viewport } of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      assert.ok(await dialog.locator('.df-scroll').evaluate((element) => element.scrollWidth <= element.clientWidth))
      assert.equal(await axeFaults(page, { within: 'dialog.df' }), [])
    }
    await dialog.getByRole('button', { name: 'Usar Beagle' }).click()
    assert.is(await breed.inputValue(), 'Beagle')
    assert.is(await others.first().getAttribute('aria-pressed'), 'false')
    assert.equal(errors, [])
  } finally {
    await browser.close()
    await server.dispose()
    stub.stop()
  }
})
