import type { Locator, Page } from 'playwright'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  page: Page
  /** What the page logged as an error. */
  errors: string[]
  /** The open form, its field and what that proposes. */
  dialog: Locator
  zone: Locator
  options: Locator
}

const zones = browserSuite<Shared>('zone suggestions')
zones.before(async (t) => {
  const context = await openContext(t.browser)
  await useSession(context, t.server, await signInMember(t.server, 'ana@ejemplo.es'))
  t.page = await context.newPage()
  t.errors = watchErrors(t.page)
  await t.page.goto(`${t.server.url}/terminos`)
  t.dialog = await openAddForm(t.page)
  t.zone = t.dialog.getByRole('combobox', { name: 'Zona' })
  t.options = t.dialog.getByRole('listbox', { name: 'Municipios y barrios' }).getByRole('option')
})
zones.before.each(({ zone }) => zone.fill(''))

zones(
  'any text may stand; Escape closes the list alone; a press takes a proposal',
  async ({ page, dialog, zone, options, errors }) => {
    await zone.pressSequentially('donos')
    await options.first().waitFor()
    assert.is(await options.first().innerText(), 'Donostia, Gipuzkoa')
    await page.keyboard.press('Escape')
    assert.is(await options.count(), 0)
    assert.ok(await dialog.isVisible())
    assert.is(await zone.inputValue(), 'donos')
    await zone.fill('El parque de los galgos')
    await dialog.getByLabel('Peso').focus()
    assert.is(await zone.inputValue(), 'El parque de los galgos')
    await zone.fill('gerona')
    await options.first().click()
    assert.is(await zone.inputValue(), 'Gerona, Girona')
    assert.equal(errors, [])
  },
)

zones('the field works when no proposals come', async ({ page, zone, options, errors }) => {
  await page.route('**/api/places*', (route) => route.fulfill({ status: 500, body: 'no' }))
  const answered = page.waitForResponse('**/api/places*')
  await zone.pressSequentially('Toledo')
  await answered
  assert.is(await options.count(), 0)
  assert.is(await zone.inputValue(), 'Toledo')
  assert.is(await zone.getAttribute('aria-expanded'), 'false')
  await page.unroute('**/api/places*')
  // The browser logs what is not a 200 by itself.
  errors.length = 0
})

// In both themes: tests/browser/accessibility/dialogs-form.
zones(
  'the open list is within reach and has no faults for axe, on a desktop and a phone',
  async ({ page, zone, options, errors }) => {
    for (const { viewport } of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      await zone.fill('')
      await zone.pressSequentially('san')
      await options.nth(7).waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector('.df-zone [role=listbox]')!.getBoundingClientRect()
        const frame = document.querySelector('dialog.df .df-scroll')!.getBoundingClientRect()
        return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
      })
      assert.equal(await axeFaults(page, { within: 'dialog.df [role=listbox]' }), [])
    }
    await page.setViewportSize(DESKTOP.viewport)
    assert.equal(errors, [])
  },
)

zones('towns and quarters are proposed while one types; one is taken with the keys and stored', async (t) => {
  const { server, page, dialog, zone, options, errors } = t
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/places') && asked.push(request.url()))
  await attachPhotos(dialog, await smallPhotos(1))
  await zone.pressSequentially('chamber')
  await options.first().waitFor()
  assert.is(await options.first().innerText(), 'Chamberí, Madrid')
  assert.is(await zone.getAttribute('aria-expanded'), 'true')
  assert.is(await dialog.getByRole('status').getByText('propuesto').count(), 1)
  assert.ok(asked.length < 'chamber'.length, `${asked.length} questions`)
  // Nothing is taken that was not chosen: what was typed stands until then.
  assert.is(await zone.getAttribute('aria-activedescendant'), null)
  await page.keyboard.press('ArrowDown')
  assert.is(await zone.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'))
  await page.keyboard.press('Enter')
  assert.is(await zone.inputValue(), 'Chamberí, Madrid')
  assert.is(await options.count(), 0)
  await submitForm(dialog)
  await dialog.waitFor({ state: 'detached' })
  const { dogs } = (await (await fetch(`${server.url}/api/dogs`)).json()) as { dogs: { zone: string }[] }
  assert.is(dogs[0]!.zone, 'Chamberí, Madrid')
  assert.equal(errors, [])
})
