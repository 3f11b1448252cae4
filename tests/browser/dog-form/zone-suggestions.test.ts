import type { Browser, BrowserContext, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface Shared {
  server: TestServer
  browser: Browser
  context: BrowserContext
  page: Page
}

const zones = suite<Shared>('zone suggestions')
zones.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
})
zones.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})
zones.before.each(async (t) => {
  t.context = await openContext(t.browser)
  t.page = await t.context.newPage()
})
zones.after.each(({ context }) => context.close())

const open = async ({ server, page }: Shared) => {
  await page.goto(`${server.url}/terminos`)
  const dialog = await openAddForm(page)
  const zone = dialog.getByRole('combobox', { name: 'Zona' })
  return { dialog, zone, options: dialog.getByRole('listbox', { name: 'Municipios y barrios' }).getByRole('option') }
}

zones('towns and quarters are proposed while one types; one is taken with the keys and stored', async (t) => {
  const { server, context, page } = t
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await useSession(context, server, ana)
  const errors = watchErrors(page)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/places') && asked.push(request.url()))
  const { dialog, zone, options } = await open(t)
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

zones('any text may stand; Escape closes the list alone; a press takes a proposal', async (t) => {
  const { page } = t
  const errors = watchErrors(page)
  const { dialog, zone, options } = await open(t)
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
})

zones('the field works when no proposals come', async (t) => {
  const { page } = t
  await page.route('**/api/places*', (route) => route.fulfill({ status: 500, body: 'no' }))
  const { zone, options } = await open(t)
  const answered = page.waitForResponse('**/api/places*')
  await zone.pressSequentially('Toledo')
  await answered
  assert.is(await options.count(), 0)
  assert.is(await zone.inputValue(), 'Toledo')
  assert.is(await zone.getAttribute('aria-expanded'), 'false')
})

for (const [name, options, colorScheme] of [
  ['desktop', DESKTOP, 'dark'],
  ['phone', PHONE, 'light'],
] as const)
  zones(`the open list is within reach and has no faults for axe: ${name}, ${colorScheme}`, async (t) => {
    const context = await openContext(t.browser, { ...options, colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const errors = watchErrors(page)
    const { dialog, zone, options: proposals } = await open({ ...t, page })
    await zone.pressSequentially('san')
    await proposals.nth(7).waitFor()
    await page.waitForFunction(() => {
      const box = document.querySelector('.df-zone [role=listbox]')!.getBoundingClientRect()
      const frame = document.querySelector('dialog.df .df-scroll')!.getBoundingClientRect()
      return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
    })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/zone-${name}.png` })
    assert.equal(await axeFaults(page, { within: 'dialog.df' }), [])
    assert.ok(await dialog.isVisible())
    assert.equal(errors, [])
    await context.close()
  })

zones.run()
