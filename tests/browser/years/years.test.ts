import { like } from '#features/likes/likes.server.ts'
import { memories } from '#features/years/memories.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { madridYear, yearRange } from '#features/years/years.ts'
import { madridDay, madridMidnight } from '#lib/dates.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Last year can be looked back on whatever the day.
const YEAR = madridYear(Date.now()) - 1
const IN_YEAR = yearRange(YEAR).from + 40 * 86_400_000

const years = browserSuite<{ ana: TestMember }>('years')
years.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  const today = madridDay(Date.now())
  const { db } = t.server

  const [bea] = await seed(db, member({ alias: 'Bea Fan' }))
  const [toby] = await seed(
    db,
    dog({ owner_id: t.ana.id, created_at: IN_YEAR, name: 'Toby', zone: 'Soria' }),
    dog({ discoverer_id: t.ana.id, created_at: IN_YEAR + 1000, name: 'Luna', breed: 'Bóxer', zone: 'Teruel' }),
    dog({ owner_id: t.ana.id, created_at: madridMidnight(today - 10_000) + 1, name: 'Nala', breed: 'Akita Inu' }),
  )
  await like(db, bea, toby.id, IN_YEAR + 2000)
  await runDueJobs(db, [memories], { now: madridMidnight(today) + 12 * 3_600_000 })
})

/** Rows without files are photos that do not load. */
const withoutPhotos = (errors: readonly string[]) => errors.filter((text) => !text.includes('Failed to load resource'))

for (const javaScriptEnabled of [true, false])
  years(
    `a member looks at eight cards and shares a link ${javaScriptEnabled ? 'that they copy' : 'without script'}`,
    async (t) => {
      const options = { ...PHONE, javaScriptEnabled, permissions: ['clipboard-read', 'clipboard-write'] }
      const { page, errors } = await visit(t, `/perfil/${YEAR}`, options, t.ana)
      await page.getByRole('heading', { level: 1, name: `Tu ${YEAR} en perros` }).waitFor()
      assert.is(await page.locator('.year-card').count(), 8)
      const names = await page.getByRole('link', { name: /^Descargar la tarjeta: / }).count()
      assert.is(names, 8)
      if (javaScriptEnabled) {
        assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fitsWidth(page))
        // By keyboard: the numbers lead to their cards, and focus brings a card into view.
        await page.getByRole('link', { name: '5. Quien más te ha querido' }).press('Enter')
        const card = page.locator('#tarjeta-fan')
        await page.waitForFunction(() => {
          const { left, right } = document.querySelector('#tarjeta-fan')!.getBoundingClientRect()
          return left >= 0 && right <= innerWidth + 60
        })
        assert.match(await card.innerText(), /Bea Fan/)
        await page.getByRole('link', { name: 'Descargar la tarjeta: El último del año' }).focus()
        await page.waitForFunction(
          () => document.querySelector('#tarjeta-ultimo')!.getBoundingClientRect().left < innerWidth,
        )
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Descargar la tarjeta: Tu año en perros' }).click(),
        ])
        assert.is(download.suggestedFilename(), `perrario-${YEAR}-portada.jpg`)
      }
      await page.getByRole('button', { name: /Hacer (un|otro) enlace/ }).click()
      const field = page.getByLabel('Enlace a tu año')
      const address = await field.inputValue()
      if (javaScriptEnabled) {
        await page.getByRole('button', { name: 'Copiar enlace' }).click()
        await page.getByText('¡Enlace copiado!').waitFor()
        assert.is(await page.evaluate(() => navigator.clipboard.readText()), address)
      }
      const visitor = await takePage(t.browser, { ...PHONE, javaScriptEnabled, locale: 'es-ES' })
      await visitor.page.goto(address)
      await visitor.page.getByRole('heading', { level: 1, name: `El ${YEAR} en perros de ${t.ana.alias}` }).waitFor()
      assert.not.match(await visitor.page.content(), 'Bea Fan')
      if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(visitor.page), [])
      await page.getByRole('button', { name: 'Retirar el enlace' }).click()
      await page.getByText('Enlace retirado: ya no vale.').waitFor()
      await visitor.page.goto(address)
      await visitor.page.getByText('Este enlace ya no vale.').waitFor()
      assert.equal(withoutPhotos(errors), [])
    },
  )

years('«Tal día» stops at one press in the bell', async (t) => {
  const { page, errors } = await visit(t, '/', PHONE, t.ana)
  await page.getByRole('button', { name: /^Notificaciones/ }).click()
  await page.getByText('Hace un año llegó al álbum Nala.').waitFor()
  await page.getByRole('button', { name: 'No recordarme más: Tal día como hoy' }).click()
  await page.getByText('No te recordaremos más perros de hace un año.').waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.goto(`${t.server.url}/perfil/avisos`)
  assert.not.ok(await page.getByRole('switch', { name: /^Tal día/ }).isChecked())
  assert.equal(withoutPhotos(errors), [])
})
