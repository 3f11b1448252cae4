import * as assert from 'uvu/assert'
import { watchErrors } from '#tests/support/browser/chromium.ts'
import {
  alias,
  editSuite,
  modal,
  openEditor,
  picker,
  shownEmoji,
  visitProfile,
} from '#tests/support/browser/profile-editor.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const edit = editSuite('the emoji picker')

edit('works by keyboard alone, and Escape closes only the picker', async (t) => {
  const page = await visitProfile(t)
  const errors = watchErrors(page)
  await page.getByLabel('Opciones').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await modal(page).waitFor()
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).focus()
  await page.keyboard.press('Enter')
  const focused = () =>
    page.evaluate(() => {
      const inside = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
      return { name: inside?.getAttribute('aria-label'), place: Number(inside?.getAttribute('aria-posinset')) }
    })
  const at = async (place: number) =>
    page.waitForFunction(
      (wanted) => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-posinset') === String(wanted),
      place,
    )
  await at(1)
  // The frequent row is as long as what was used before: six at first.
  const frequent = await page.locator('em-emoji-picker [data-id=frequent] [role=option]').count()
  await page.keyboard.press('ArrowRight')
  await at(2)
  await page.keyboard.press('ArrowLeft')
  await at(1)
  await page.keyboard.press('ArrowDown')
  await at(frequent + 1)
  await page.keyboard.press('ArrowDown')
  await at(frequent + 9)
  await page.keyboard.press('End')
  await at(frequent + 16)
  await page.keyboard.press('Home')
  await at(frequent + 9)
  for (let pages = 1; pages <= 2; pages++) {
    // Rows are drawn as they come near.
    await page.waitForFunction(() => {
      const root = document.activeElement!.shadowRoot!
      const row = Number(root.activeElement!.closest<HTMLElement>('.row')!.dataset.index)
      return root.querySelector(`.row[data-index="${row + 5}"] button`)
    })
    await page.keyboard.press('PageDown')
    await at(frequent + 9 + pages * 40)
  }
  // Out of the list and back in.
  await page.keyboard.press('Shift+Tab')
  assert.is((await focused()).name, 'Banderas')
  await page.keyboard.press('ArrowLeft')
  assert.is((await focused()).name, 'Símbolos')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.ok((await focused()).place > 0)
  await page.keyboard.press('Escape')
  await picker(page).waitFor({ state: 'hidden' })
  assert.ok(await modal(page).isVisible())
  assert.is(await shownEmoji(page), '🐶')
  assert.ok(
    await modal(page)
      .getByRole('button', { name: 'Cambiar emoji' })
      .evaluate((b) => b === document.activeElement),
  )
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.hasAttribute('aria-posinset'))
  const { name } = await focused()
  await page.keyboard.press('Enter')
  await picker(page).waitFor({ state: 'hidden' })
  assert.is(await shownEmoji(page), name)
  await alias(page).focus()
  await alias(page).fill('A golpe de tecla')
  await page.keyboard.press('Enter')
  await page.locator('.toast b', { hasText: 'Perfil actualizado' }).waitFor()
  assert.equal(errors, [])
})

edit('a skin tone is offered, kept, and saved', async (t) => {
  const page = await visitProfile(t)
  await openEditor(page)
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await picker(page).getByRole('radio', { name: 'Medio', exact: true }).check()
  // Among those used often at first.
  await picker(page).getByRole('option', { name: '👍🏽', exact: true }).first().click()
  await modal(page).getByRole('button', { name: 'Guardar' }).click()
  await page.locator('.toast b', { hasText: 'Perfil actualizado' }).waitFor()
  assert.is(await page.locator('.stub span').innerText(), '👍🏽')
  await page.reload()
  await openEditor(page)
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  assert.ok(await picker(page).getByRole('radio', { name: 'Medio', exact: true }).isChecked())
})

edit('the picker is fetched when it is opened, never before; where it cannot be, that is said', async (t) => {
  const page = await visitProfile(t)
  const fetched = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /picker/.test(name)).length)
  const requests = watchRequests(page)
  await openEditor(page)
  await waitUntilQuiet(page, requests)
  assert.is(await fetched(), 0)
  await page.route(/picker[.-][^/]*\.js/, (route) => route.abort())
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await page.locator('.toast b', { hasText: 'No se pudieron cargar los emojis. Inténtalo de nuevo.' }).waitFor()
  assert.is(await picker(page).count(), 0)
})
