import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { axeFaults, axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { useSession } from '#tests/support/members.ts'
import {
  alias,
  editSuite,
  messageLine,
  modal,
  openEditor,
  openSharedEditor,
  picker,
  shownEmoji,
  visitProfile,
  waitForMessage,
} from '#tests/support/browser/profile-editor.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { paintTwice } from '#tests/support/browser/requests.ts'

const edit = editSuite('the edit modal')

edit('saves alias and emoji, closes, and the whole page shows them', async (t) => {
  const page = await visitProfile(t)
  const errors = watchErrors(page)
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(t.server.url) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  await openEditor(page)
  await alias(page).fill('Rosa de los Vientos')
  await modal(page).getByText('19/20').waitFor()
  await waitForMessage(page, 'Disponible')
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await picker(page).getByRole('tab', { name: 'Animales y Naturaleza' }).click()
  await picker(page).getByRole('option', { name: '🦊', exact: true }).click()
  await picker(page).waitFor({ state: 'hidden' })
  assert.is(await shownEmoji(page), '🦊')
  await modal(page).getByRole('button', { name: 'Guardar' }).click()
  await page.locator('.toast b', { hasText: 'Perfil actualizado' }).waitFor()
  assert.is(await modal(page).count(), 0)
  for (const place of ['.carnet h1', '.profile-bar', '#side [data-me=alias]'])
    assert.is((await page.locator(place).innerText()).trim(), 'Rosa de los Vientos', place)
  for (const place of await page.locator('[data-me=emoji], .stub span').allTextContents()) assert.is(place.trim(), '🦊')
  assert.is(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Opciones')
  await page.reload()
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'Rosa de los Vientos')
  // The next draft starts from what was saved.
  await openEditor(page)
  assert.is(await alias(page).inputValue(), 'Rosa de los Vientos')
  assert.equal([foreign, errors], [[], []])
})

/** On the desktop in both lights, and on a phone. */
async function assertAccessible(page: Page) {
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.setViewportSize(PHONE.viewport)
  assert.equal(await axeFaults(page), [], 'on a phone')
  assert.ok(await fitsWidth(page))
  await page.setViewportSize(DESKTOP.viewport)
}

edit('a taken alias is told while it is typed, and on saving; one’s own is none; axe finds nothing', async (t) => {
  const page = await openSharedEditor(t)
  await assertAccessible(page)
  await alias(page).pressSequentially(' ')
  await alias(page).fill('luís')
  await waitForMessage(page, 'Este alias ya está en uso.')
  assert.is(await alias(page).getAttribute('aria-invalid'), 'true')
  await assertAccessible(page)
  await alias(page).fill('ANA')
  await waitForMessage(page, 'Disponible')
  await assertAccessible(page)
  await alias(page).fill('Ana')
  assert.is((await messageLine(page).innerText()).trim(), '')
  await alias(page).fill('Luis')
  await modal(page).getByRole('button', { name: 'Guardar' }).click()
  await waitForMessage(page, 'Este alias ya está en uso.')
  assert.ok(await modal(page).isVisible())
  assert.is(await alias(page).inputValue(), 'Luis')
  assert.ok(await alias(page).evaluate((input) => input === document.activeElement))
})

edit('what the alias alone tells is told at once', async (t) => {
  const page = await openSharedEditor(t)
  await page.route('**/api/profile/alias?*', (route) => route.abort())
  await alias(page).fill('')
  await waitForMessage(page, 'El alias no puede estar vacío')
  await alias(page).fill('Ñandú'.repeat(5))
  await waitForMessage(page, 'El alias no puede tener más de 20 caracteres.')
  await modal(page).getByText('25/20').waitFor()
  await alias(page).fill('An\uE000')
  await waitForMessage(page, 'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.')
  await page.keyboard.press('Enter')
  await waitForMessage(page, 'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.')
  assert.ok(await modal(page).isVisible())
  await page.unroute('**/api/profile/alias?*')
})

edit('only the last alias typed has its say', async (t) => {
  const page = await openSharedEditor(t)
  const asked: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/profile/alias?*', async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('alias')!)
    // The first answer comes last.
    if (asked.length === 1) await held
    await route.continue().catch(() => {})
  })
  const asking = page.waitForRequest('**/api/profile/alias?*')
  await alias(page).fill('Luis')
  const first = await asking
  await alias(page).fill('Luisa')
  await waitForMessage(page, 'Disponible')
  release()
  // Answered, or given up by the page.
  await first.response().catch(() => null)
  await paintTwice(page)
  assert.is((await messageLine(page).innerText()).trim(), 'Disponible')
  assert.equal(asked, ['Luis', 'Luisa'])
  await page.unroute('**/api/profile/alias?*')
})

edit('«Aleatorio» gives a free alias and an emoji; cancelling forgets them', async (t) => {
  const page = await openSharedEditor(t)
  await modal(page).getByRole('button', { name: 'Aleatorio' }).click()
  await waitForMessage(page, 'Disponible')
  const random = await alias(page).inputValue()
  assert.match(random, /^\p{L}+ \p{L}+$/u)
  await modal(page).getByRole('button', { name: 'Cancelar' }).click()
  await modal(page).waitFor({ state: 'hidden' })
  assert.is(page.url(), `${t.server.url}/perfil`)
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'Ana')
  await openEditor(page)
  assert.equal([await alias(page).inputValue(), await shownEmoji(page)], ['Ana', '🐶'])
  assert.is((await messageLine(page).innerText()).trim(), '')
  await modal(page).getByText('3/20').waitFor()
})

edit('axe finds nothing in the open picker', async (t) => {
  const page = await openSharedEditor(t)
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.hasAttribute('aria-posinset'))
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await picker(page).waitFor({ state: 'hidden' })
})

edit('a save that fails says so and loses nothing', async (t) => {
  const page = await openSharedEditor(t)
  await alias(page).fill('No me pierdas')
  await waitForMessage(page, 'Disponible')
  await page.route('**/api/profile', (route) => route.abort())
  const save = modal(page).getByRole('button', { name: 'Guardar' })
  await save.click()
  await page.locator('.toast b', { hasText: 'Error al guardar el perfil' }).waitFor()
  await modal(page).getByText('No se pudo conectar con el servidor.').waitFor()
  assert.is(await alias(page).inputValue(), 'No me pierdas')
  await page.unroute('**/api/profile')
  await page.context().clearCookies()
  await save.click()
  await modal(page).getByText('Inicia sesión para continuar.').waitFor()
  await useSession(page.context(), t.server, t.ana)
  await save.click()
  await modal(page).waitFor({ state: 'hidden' })
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'No me pierdas')
})

edit('without script the form stands on the page, is refused with reasons, and saves', async (t) => {
  const page = await visitProfile(t, { ...DESKTOP, javaScriptEnabled: false })
  await page.getByLabel('Opciones').click()
  await page.getByRole('link', { name: 'Editar perfil' }).click()
  await page.getByLabel('Alias').fill('Luis')
  await page.getByLabel('Emoji', { exact: true }).fill('🦊🦊')
  await page.keyboard.press('Enter')
  await page.getByText('Este alias ya está en uso.').waitFor()
  await page.getByText('Tiene que ser un solo emoji.').waitFor()
  assert.is(await page.getByLabel('Alias').inputValue(), 'Luis')
  await page.getByRole('button', { name: 'Aleatorio' }).click()
  await page.waitForURL('**/perfil?editar=aleatorio')
  assert.match(await page.getByLabel('Alias').inputValue(), /^\p{L}+ \p{L}+$/u)
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await page.waitForURL(/\/perfil\??$/)
  await page.goto(`${t.server.url}/perfil?editar`)
  await page.getByLabel('Alias').fill('Sin guion')
  await page.getByLabel('Emoji', { exact: true }).fill('\u2764')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Perfil actualizado').waitFor()
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'Sin guion')
  assert.is(await page.locator('.stub span').innerText(), '❤️')
})

edit('an address that asks for the form opens the modal where there is script', async (t) => {
  const page = await visitProfile(t)
  await page.goto(`${t.server.url}/perfil?editar=&alias=Luis&emoji=%F0%9F%90%B1`)
  await waitForMessage(page, 'Este alias ya está en uso.')
  assert.equal([await alias(page).inputValue(), await shownEmoji(page)], ['Luis', '🐱'])
  assert.is(page.url(), `${t.server.url}/perfil`)
  await modal(page).getByRole('button', { name: 'Cancelar' }).click()
  await openEditor(page)
  assert.is(await alias(page).inputValue(), 'Ana')
})
