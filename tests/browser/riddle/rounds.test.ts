import { drawQuestions } from '#features/riddle/round/questions.server.ts'
import { readRound } from '#features/riddle/round/round-token.server.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const rounds = browserSuite('rounds')

const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1)

for (const javaScriptEnabled of [true, false])
  rounds(`a visitor plays ten questions ${javaScriptEnabled ? 'on one page' : 'without script'}`, async (t) => {
    const { page, errors } = await visit(t, '/reto', { ...PHONE, javaScriptEnabled })
    await page.getByRole('link', { name: 'Cromo o raza' }).click()
    await page.waitForURL('**/reto/ronda')
    let documents = 0
    page.on('response', (response) => {
      if (response.request().isNavigationRequest() && response.status() === 200) documents++
    })
    if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(page), [])
    await page.getByRole('button', { name: /^Difícil/ }).click()
    await page.getByText('Pregunta 1 de 10').waitFor()
    await page.waitForURL('**/reto/ronda/d*')
    const questions = drawQuestions(t.server.dataDir, readRound(t.server.dataDir, tokenOf(page.url()))!)
    for (const [i, { right }] of questions.entries()) {
      await page.getByText(`Pregunta ${i + 1} de 10`).waitFor()
      if (javaScriptEnabled && i < 2) {
        assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fitsWidth(page))
      }
      const options = page.locator('.round-options button')
      assert.is(await options.count(), 4)
      await options.nth(i === 0 ? (right + 1) % 4 : right).click()
      if (i < 9)
        await page
          .getByRole('status')
          .getByText(i === 0 ? 'No: era' : '¡Sí! Era')
          .waitFor()
    }
    await page.getByRole('heading', { name: '9 de 10' }).waitFor()
    assert.is(await page.locator('.round-results a[href^="/razas/"]').count(), 10)
    if (javaScriptEnabled) {
      assert.is(documents, 0, 'no page was loaded whole')
      assert.is(await page.evaluate(() => document.activeElement?.id), 'ronda-titulo')
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
      await page.goBack()
      await page.getByText('Pregunta 10 de 10').waitFor()
    }
    assert.equal(errors, [])
  })
