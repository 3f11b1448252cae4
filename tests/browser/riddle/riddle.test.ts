import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { riddleDay } from '#features/riddle/riddle.ts'
import { call } from '#tests/support/api.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const riddle = browserSuite<{ name: string }>('riddle')
riddle.before(async (t) => {
  await call(t.server, '/reto')
  const { breed_slug } = await t.server.db
    .selectFrom('riddles')
    .select('breed_slug')
    .where('day', '=', riddleDay(Date.now()))
    .executeTakeFirstOrThrow()
  t.name = breedBySlug(breed_slug)!.nombre_castellano
})

const WRONG = ['Akbash', 'Billy', 'Barbet', 'Azawakh', 'Mudi']

for (const javaScriptEnabled of [true, false])
  riddle(`a visitor finds the breed ${javaScriptEnabled ? 'and shares the result' : 'without script'}`, async (t) => {
    const { page, errors } = await takePage(t.browser, {
      ...PHONE,
      javaScriptEnabled,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto(`${t.server.url}/comunidad`)
    await page.getByRole('link', { name: 'El reto del día' }).click()
    for (const [i, breed] of WRONG.entries()) {
      await page.getByLabel('¿Qué raza es?').fill(breed)
      await page.getByRole('button', { name: 'Probar' }).click()
      await page.getByRole('link', { name: breed, exact: true }).waitFor()
      assert.is(await page.locator('.riddle-guesses > li').count(), i + 1)
    }
    await page.getByLabel('¿Qué raza es?').fill('un gato')
    await page.getByRole('button', { name: 'Probar' }).click()
    await page.getByRole('alert').getByText('No conocemos esa raza. Elige una de la lista.').waitFor()
    if (javaScriptEnabled) {
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
    }
    await page.getByLabel('¿Qué raza es?').fill(t.name)
    await page.getByRole('button', { name: 'Probar' }).click()
    await page.getByRole('heading', { name: '¡La has encontrado!' }).waitFor()
    const row = page.getByRole('img', { name: 'Acertada en 6 de 6 intentos', exact: true })
    assert.equal([await row.innerText(), await row.locator('svg').count()], ['6/6', 6])
    if (javaScriptEnabled) {
      assert.equal(await axeFaultsInBothThemes(page), [])
      await page.getByRole('button', { name: 'Compartir resultado' }).click()
      await page.getByText('¡Resultado copiado!').waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      assert.match(copied, /^Reto de Perrario, .+\n🐾🐾🐾🐾🐾🦴 6\/6\nhttp.+\/reto\/\d{4}-\d\d-\d\d\?resultado=6$/u)
      assert.not.ok(copied.includes(t.name))
      const picture = page.getByRole('img', { name: /^Reto n\.º \d+ de Perrario\. Acertada en 6 de 6 intentos$/ })
      await picture.scrollIntoViewIfNeeded()
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.riddle-card')!.naturalWidth === 1200)
    } else {
      assert.is(await page.getByRole('button', { name: 'Compartir resultado' }).count(), 0, 'it would do nothing')
    }
    assert.equal(errors, [])
  })
